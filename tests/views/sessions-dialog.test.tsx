import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../contract/sessions.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { Administration } from '../../src/services/queries.ts';
import { SessionsDialog } from '../../src/views/account/sessions-dialog.tsx';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const one = (id: string, more: Partial<Session>): Session => ({
  id,
  device: chrome,
  address: '192.0.2.7',
  program: null,
  method: 'password',
  signedInAt: '2026-11-28T08:00:00.000Z',
  lastUsedAt: '2026-11-28T09:30:00.000Z',
  isCurrent: false,
  ...more,
});

const endSessions = vi.fn<Administration['endSessions']>();
beforeEach(() => void vi.resetAllMocks());

const open = async (sessions: readonly Session[]) => {
  const administration = {
    sessions: () => ({ queryKey: ['sessions'], queryFn: async () => [...sessions] }),
    endSessions,
  };
  const value = { administration: async () => administration } as unknown as AppContext;
  await show(
    <AppContextProvider value={value}>
      <Suspense fallback={null}>
        <SessionsDialog onClose={() => {}} />
      </Suspense>
      <ToastStrip />
    </AppContextProvider>,
  );
  const list = await screen.findByRole('list', { name: 'Where you are signed in' });
  return within(list).getAllByRole('listitem');
};

describe('the sessions of a user', () => {
  it('show device, address and times; that of the page itself cannot be ended there', async () => {
    const [own, other, older] = await open([
      one('own', { isCurrent: true }),
      one('other', { device: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }),
      one('older', { device: '', address: '', signedInAt: null, lastUsedAt: null }),
    ]);
    expect(own?.textContent).toMatch(/^Chrome on Windows.*192\.0\.2\.7.*This session$/);
    expect(within(own as HTMLElement).queryByRole('button')).toBeNull();
    expect(other?.textContent).toMatch(/Firefox on Linux.*Signed in 2026-11-28.*Last used 2026-11-28/);
    expect(older?.textContent).toContain('Unknown device');
  });

  it('end one by one, and all others at once', async () => {
    await open([one('own', { isCurrent: true }), one('other', {})]);
    await userEvent.click(screen.getByRole('button', { name: 'Sign out: Chrome on Windows' }));
    expect(await screen.findByText('You are signed out there')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out all others' }));
    expect(await screen.findByText('You are signed out everywhere else')).toBeTruthy();
    expect(endSessions.mock.calls).toEqual([['other'], [null]]);
  });

  it('stay when the archive cannot be reached', async () => {
    endSessions.mockRejectedValue(new ServiceError({ kind: 'offline' }));
    await open([one('own', { isCurrent: true }), one('other', {})]);
    await userEvent.click(screen.getByRole('button', { name: 'Sign out all others' }));
    expect(await screen.findByText(/problem with network/)).toBeTruthy();
  });
});
