import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { SystemWarning } from '../../contract/system-status.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { SystemPage } from '../../src/views/system/system-page.tsx';
import { SystemWarningsLink } from '../../src/views/system/system-warnings-link.tsx';
import { show } from './render.tsx';

const quarantined: SystemWarning = {
  kind: 'quarantined-files',
  since: '2026-11-02T08:15:00.000Z',
  files: 1,
  sizeBytes: 2_500_000,
};

const open = (warnings: () => Promise<SystemWarning[]>) => {
  const systemStatus = () => ({ queryKey: ['system'], queryFn: async () => ({ warnings: await warnings() }) });
  return show(
    <AppQueriesProvider value={{ systemStatus } as unknown as AppQueries}>
      <SystemWarningsLink />
      <SystemPage />
    </AppQueriesProvider>,
  );
};

describe('the system status', () => {
  it('shows each warning with meaning, time and advice, and their number in the header', async () => {
    await open(async () => [quarantined]);
    await screen.findByRole('heading', { name: '1 image file (2.50 MB) is in quarantine' });
    expect(screen.getByText(/^Since .*2026/)).toBeTruthy();
    expect(screen.getByText(/npm run archive -- quarantine --help/)).toBeTruthy();
    expect(screen.getByRole('link', { name: '1 system warning' }).getAttribute('href')).toBe('/system');
  });

  it('names the configured and the actual address', async () => {
    const seen = ['http://10.0.0.5:8080', 'https://bilder.example'];
    const since = '2026-11-02T08:15:00.000Z';
    await open(async () => [
      { kind: 'other-origin', since, configured: 'https://klinik.example', seen },
      { kind: 'untrusted-proxy', since },
    ]);
    await screen.findByRole('heading', { name: new RegExp(`: ${seen.join(', ')}$`) });
    expect(screen.getByText(/^The configured address is https:\/\/klinik\.example\./)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'All users share the address of a proxy' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '2 system warnings' })).toBeTruthy();
  });

  it('tells a nearly full disk from a full one', async () => {
    const disk = {
      kind: 'disk-space',
      since: '2026-11-02T08:15:00.000Z',
      totalBytes: 1e12,
      reservedBytes: 2e9,
    } as const;
    const { unmount } = await open(async () => [{ ...disk, isFull: false, freeBytes: 9e10 }]);
    await screen.findByRole('heading', { name: 'The disk is almost full: 90.00 GB of 1.00 TB are free' });
    expect(screen.getByText('When less than 2.00 GB is free, imports wait. Viewing and sign-in go on.')).toBeTruthy();
    unmount();
    await open(async () => [{ ...disk, isFull: true, freeBytes: 1e9 }]);
    await screen.findByRole('heading', { name: 'The disk is full: imports wait' });
  });

  it('reports e-mails that are not delivered, with the reason', async () => {
    const since = '2026-11-02T08:15:00.000Z';
    await open(async () => [{ kind: 'mail-failing', since, waiting: 2, failed: 1, reason: 'sign-in' }]);
    await screen.findByRole('heading', { name: 'E-mails are not delivered (waiting: 2, given up: 1)' });
    expect(screen.getByText('The mail server rejects the user name or password of the archive.')).toBeTruthy();
    expect(screen.getByText(/DENTARIUM_SMTP_…/)).toBeTruthy();
  });

  it('reports that there are no warnings, and the header shows none', async () => {
    await open(async () => []);
    await screen.findByText('No warnings');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('reports that the status failed to load, and retries', async () => {
    let fails = true;
    await open(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve([])));
    await screen.findByText('The system status could not be loaded');
    fails = false;
    screen.getByRole('button', { name: 'Try again' }).click();
    await screen.findByText('No warnings');
  });
});
