import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  type SystemDetails,
  type SystemWarning,
  systemDetails,
  systemQueues,
  type TestResult,
} from '../../contract/system-status.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { logPath } from '../../src/views/log/log-filter.ts';
import { SystemPage } from '../../src/views/system/system-page.tsx';
import { SystemWarningsLink } from '../../src/views/system/system-warnings-link.tsx';
import { anArchive, WithAdministration } from './administration-fixture.tsx';
import { show } from './render.tsx';

const quarantined: SystemWarning = {
  kind: 'quarantined-files',
  since: '2026-11-02T08:15:00.000Z',
  files: 1,
  sizeBytes: 2_500_000,
};

const since = '2026-11-02T08:15:00.000Z';
const ok = { state: 'ok', since } as const;
const parts: SystemDetails = {
  version: { ...ok, version: '1.2.3', schema: 'same' },
  disk: { ...ok, space: { freeBytes: 5e11, totalBytes: 1e12 } },
  database: { ...ok, isEmbedded: true, version: '18.1', sizeBytes: 2e9, connections: 12, mostConnections: 100 },
  queues: [{ ...ok, queue: 'mails', length: 0, since: null }],
  backup: { ...ok, folder: '/mnt/backup', nextAt: since, runningSince: null, lastGood: null, error: null },
  fileCheck: { ...ok, startedAt: since, share: 0.25 },
  certificate: null,
  mail: { ...ok, isConfigured: true },
  sms: { ...ok, isConfigured: false },
  signIn: { ...ok, methods: [{ method: 'password', label: null, test: false }] },
  nodes: [
    {
      ...ok,
      id: '0d8d2a3e-3a55-4c0c-9c58-4f1b0e8f3a11',
      name: 'one',
      version: '1.2.3',
      startedAt: since,
      seenAt: since,
      isThis: true,
      roles: 'both',
    },
  ],
};

interface Given {
  readonly details?: () => Promise<SystemDetails>;
  readonly testMail?: () => Promise<TestResult>;
}

const open = (warnings: () => Promise<SystemWarning[]>, { details = async () => parts, testMail }: Given = {}) => {
  const { call } = anArchive(async ({ route }) =>
    route === systemDetails ? details() : { program: 'dentarium', warnings: await warnings() },
  );
  return show(
    <AppQueriesProvider value={{ testMail } as unknown as AppQueries}>
      <WithAdministration call={call}>
        <SystemWarningsLink />
        <SystemPage />
      </WithAdministration>
    </AppQueriesProvider>,
  );
};

describe('the system status', () => {
  it('shows each warning with meaning, time and advice, and their number in the header', async () => {
    await open(async () => [quarantined]);
    await screen.findByRole('heading', { name: '1 image file (2.50 MB) is in quarantine' });
    expect(screen.getByText(/^Since .*2026/)).toBeTruthy();
    expect(screen.getByText(/: dentarium quarantine --help/)).toBeTruthy();
    expect(screen.getByRole('link', { name: '1 system warning' }).getAttribute('href')).toBe('/system');
  });

  it('shows the role of a server that has one only', async () => {
    const [node] = parts.nodes;
    if (!node) throw new Error('no server');
    const nodes = (['both', 'web', 'work'] as const).map((roles) => ({ ...node, id: roles, name: roles, roles }));
    await open(async () => [], { details: async () => ({ ...parts, nodes }) });
    const list = await screen.findByRole('list', { name: 'Servers' });
    expect(
      within(list)
        .getAllByText(/background work/i)
        .map(({ textContent }) => textContent),
    ).toEqual(['Serves users, no background work', 'Background work only']);
  });

  it('says what is wrong with a bucket, and does not call it a folder', async () => {
    const since = '2026-11-02T08:15:00.000Z';
    await open(async () => [{ kind: 'files-folder-unavailable', since, reason: 'store-denied' }]);
    await screen.findByRole('heading', { name: 'The bucket with the image files cannot be used' });
    expect(screen.getByText(/The object store refuses the access key of this server/)).toBeTruthy();
    expect(screen.getByText(/Check the object store and the settings of the bucket/)).toBeTruthy();
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

  it('distinguishes a nearly full disk from a full one', async () => {
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

  it('reports many refused calls, with a link to them in the access log', async () => {
    const since = '2026-11-02T08:15:00.000Z';
    await open(async () => [{ kind: 'refused-access', since, sources: 1, refused: 41 }]);
    await screen.findByRole('heading', { name: '41 refused calls and sign-ins in the last hour' });
    expect(screen.getByText(/^One account or address has at least 30 of them/)).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Show the refused calls' });
    expect(link.getAttribute('href')).toBe(logPath({ action: 'access.refused' }));
  });

  it('reports that there are no warnings, and the header shows none', async () => {
    await open(async () => []);
    await screen.findByText('No warnings');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('claims that no action is needed only when all parts are known to be in order', async () => {
    let answer = (_: SystemDetails) => {};
    await open(async () => [], { details: () => new Promise((resolve) => (answer = resolve)) });
    await screen.findByText('No warnings');
    expect(screen.queryByText('No action is needed.')).toBeNull();
    act(() => answer(parts));
    await screen.findByText('No action is needed.');
  });

  it('counts the parts that need attention, as the rows below show them', async () => {
    const mail = { ...parts.mail, state: 'attention', isConfigured: false } as const;
    const [node] = parts.nodes;
    const nodes = node ? [node, { ...node, id: crypto.randomUUID(), name: 'two', state: 'error' as const }] : [];
    const { unmount } = await open(async () => [], { details: async () => ({ ...parts, mail, nodes }) });
    await screen.findByText('2 parts need attention, see below.');
    expect(screen.queryByText('No action is needed.')).toBeNull();
    unmount();
    await open(async () => [], { details: async () => ({ ...parts, mail }) });
    await screen.findByText('1 part needs attention, see below.');
  });

  it('claims nothing about parts whose state failed to load', async () => {
    await open(async () => [], { details: () => Promise.reject(new Error('away')) });
    await screen.findByText('The state of the parts could not be loaded');
    expect(screen.getByText('No warnings')).toBeTruthy();
    expect(screen.queryByText('No action is needed.')).toBeNull();
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

/** The part with this name. */
const part = async (name: string) => {
  const heading = await screen.findByRole('heading', { name, level: 3 });
  return within(heading.closest('li') ?? document.body);
};

describe('the parts of the installation', () => {
  it('have a name each', async () => {
    const queues = systemQueues.map((queue) => ({ ...ok, queue, length: 0 }));
    const certificate = { ...ok, problem: null, validUntil: since, checkedAt: since };
    await open(async () => [], { details: async () => ({ ...parts, queues, certificate }) });
    await part('E-mail queue');
    const names = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(names).toContain('Mail server');
    expect(new Set(names).size).toBe(names.length);
  });

  it('show state, facts, since when, and what to do', async () => {
    const disk = { state: 'attention', since, space: { freeBytes: 9e10, totalBytes: 1e12 } } as const;
    await open(async () => [], { details: async () => ({ ...parts, disk }) });
    const shown = await part('Disk of the image files');
    expect(shown.getByText('Needs attention')).toBeTruthy();
    expect(shown.getByText('90.00 GB of 1.00 TB are free')).toBeTruthy();
    expect(shown.getByText(/^Since .*2026/)).toBeTruthy();
    expect(shown.getByText(/^Free space on the disk/)).toBeTruthy();
    expect((await part('Check of stored files')).getByText(/^25% checked, begun/)).toBeTruthy();
    expect(
      within(screen.getByRole('list', { name: 'Servers' })).getByRole('heading', { name: 'one (this one)' }),
    ).toBeTruthy();
  });

  it('say that no backup is set up, and why one fails', async () => {
    const none = { ...parts.backup, state: 'attention', folder: null, nextAt: null } as const;
    const { unmount } = await open(async () => [], { details: async () => ({ ...parts, backup: none }) });
    const manual = await part('Backup');
    for (const text of ['There is no backup.', 'No automatic backup is set up.', /DENTARIUM_BACKUP_DIR/])
      expect(manual.getByText(text)).toBeTruthy();
    unmount();
    const lastGood = { at: since, folder: '/mnt/backup', files: 3, sizeBytes: 5e9, absent: 1 };
    const failing = { ...parts.backup, state: 'error', error: 'target-full', lastGood } as const;
    await open(async () => [], { details: async () => ({ ...parts, backup: failing }) });
    const failed = await part('Backup');
    expect(failed.getByText('The disk of the backups is full.')).toBeTruthy();
    expect(failed.getByText(/^Last good backup: .*, 5\.00 GB, in \/mnt\/backup$/)).toBeTruthy();
    expect(failed.getByText(/^1 file is not in it/)).toBeTruthy();
  });

  it('send a test message where a server is set up, and show its error', async () => {
    const refused: TestResult = { result: 'rejected', code: 'EENVELOPE RCPT TO 550' };
    await open(async () => [], { testMail: async () => refused });
    fireEvent.click((await part('Mail server')).getByRole('button', { name: 'Send a test e-mail' }));
    await screen.findByText('The mail server did not accept the e-mail: EENVELOPE RCPT TO 550');
    expect((await part('Text messages')).queryByRole('button')).toBeNull();
  });

  it('are loaded again after a failure, and the warnings stay', async () => {
    let fails = true;
    const details = () => (fails ? Promise.reject(new Error('away')) : Promise.resolve(parts));
    await open(async () => [quarantined], { details });
    await screen.findByText('The state of the parts could not be loaded');
    expect(screen.getByRole('heading', { name: /is in quarantine/ })).toBeTruthy();
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await part('Database');
  });
});

describe('the warning about backups', () => {
  const backup = { kind: 'backup', since, folder: '/mnt/backup' } as const;
  it('distinguishes a failing, an old and a missing backup', async () => {
    const { unmount } = await open(async () => [{ ...backup, error: 'target-unmarked', lastGoodAt: since }]);
    await screen.findByRole('heading', { name: 'The automatic backup fails' });
    expect(
      screen.getByText(/^The folder is not the one of the earlier backups.* Folder: \/mnt\/backup\.$/),
    ).toBeTruthy();
    unmount();
    const again = await open(async () => [{ ...backup, error: null, lastGoodAt: since }]);
    await screen.findByRole('heading', { name: 'The newest backup is older than two days' });
    again.unmount();
    await open(async () => [{ ...backup, error: null, lastGoodAt: null }]);
    await screen.findByRole('heading', { name: 'There is no backup' });
  });
});
