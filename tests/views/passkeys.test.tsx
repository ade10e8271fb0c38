import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CurrentUser } from '../../contract/account.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { PasskeysDialog } from '../../src/views/two-factor/passkeys-dialog.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';
import { aUser } from './signed-in-session.ts';

const office = {
  id: '7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11',
  name: 'Office',
  createdAt: '2026-11-27T08:00:00.000Z',
  usedAt: null,
};
const codes = Array.from({ length: 10 }, (_, index) => `ABCDE-2345${index}`);
const refused = (code: ProblemCode) => new ServiceError({ kind: 'refused', status: 400, code, errors: [] });

/** Fakes the calls about passkeys; the first change needs a proof, by the one that is right. */
const archive = ({ passkeys = [office], isAvailable = true, right = 'Demo-2026!' } = {}) => {
  const world = { passkeys: [...passkeys], isProved: false };
  const needsProof = () => {
    if (!world.isProved) throw refused('proof-needed');
  };
  const prove = (code: ProblemCode) => async (text: string) => {
    if (text !== right) throw refused(code);
    world.isProved = true;
  };
  return {
    world,
    list: () => ({
      queryKey: ['passkeys'],
      queryFn: async () => ({ isAvailable, passkeys: world.passkeys }),
    }),
    proveByPassword: vi.fn(prove('incorrect-password')),
    proveByCode: vi.fn(prove('incorrect-code')),
    proveByPasskey: vi.fn(async () => {
      world.isProved = true;
    }),
    add: vi.fn(async (_name: string): Promise<readonly string[] | null> => {
      needsProof();
      return codes;
    }),
    rename: vi.fn(async () => needsProof()),
    remove: vi.fn(async () => needsProof()),
  };
};

const open = async (calls: ReturnType<typeof archive>, user: Partial<CurrentUser> = {}) => {
  const onClose = vi.fn();
  const value = { passkeys: async () => calls } as unknown as AppContext;
  await show(
    <AppContextProvider value={value}>
      <Suspense fallback={null}>
        <PasskeysDialog user={{ ...aUser('Doctor', null), ...user }} onClose={onClose} />
      </Suspense>
      <ToastStrip />
    </AppContextProvider>,
  );
  return onClose;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = (name: string) => screen.findByRole('dialog', { name });

beforeEach(() => vi.stubGlobal('PublicKeyCredential', class {}));
afterEach(() => void vi.unstubAllGlobals());

describe('passkeys in the account', () => {
  it('are listed with when they were added and used', async () => {
    await open(archive({ passkeys: [office, { ...office, id: office.id.replace('1', '2'), name: 'Home' }] }));
    const items = within(await screen.findByRole('list', { name: 'Passkeys' })).getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^OfficeAdded 2026-11-27 .*Not used yet/),
      expect.stringMatching(/^Home/),
    ]);
  });

  it('are added after the password, whose recovery codes must be saved', async () => {
    const calls = archive({ passkeys: [] });
    const onClose = await open(calls);
    await press('Add a passkey');
    const name = await screen.findByLabelText('Name');
    expect(document.activeElement).toBe(name);
    await userEvent.clear(name);
    await press('Create');
    expect(screen.getByText('Enter a name')).toBeTruthy();
    await userEvent.type(name, 'Office{Enter}');
    await dialog('Confirm that it is you');
    await userEvent.type(screen.getByLabelText('Password'), 'Wrong-2026!{Enter}');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    await userEvent.clear(screen.getByLabelText('Password'));
    await userEvent.type(screen.getByLabelText('Password'), 'Demo-2026!{Enter}');
    await dialog('Recovery codes');
    expect(calls.add.mock.calls).toEqual([['Office'], ['Office']]);
    expect(within(screen.getByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem')).toHaveLength(10);
    await userEvent.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByText(/Save the codes and tick the box first/)).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'I have saved the codes' }));
    await press('Done');
    await dialog('Passkeys');
  });

  it('are renamed and removed after a code or a passkey, of a user with two factors', async () => {
    const calls = archive({ right: '123456' });
    const user = { twoFactorEnabled: true, hasAuthenticator: true, passkeys: 1 };
    await open(calls, user);
    await press('Rename: Office');
    const name = await screen.findByLabelText('Name');
    await userEvent.clear(name);
    await userEvent.type(name, 'Home{Enter}');
    await dialog('Confirm that it is you');
    expect(screen.queryByLabelText('Password')).toBeNull();
    await userEvent.type(screen.getByLabelText('Code from the app, or a recovery code'), '123456{Enter}');
    expect(await screen.findByText('The passkey is renamed')).toBeTruthy();
    expect(calls.rename).toHaveBeenLastCalledWith(office.id, 'Home');
    calls.world.isProved = false;
    await press('Remove: Office');
    await dialog('Remove Office?');
    await press('Remove');
    await dialog('Confirm that it is you');
    await press('Use a passkey');
    expect(await screen.findByText('The passkey is removed')).toBeTruthy();
    expect(calls.proveByPasskey).toHaveBeenCalledOnce();
    expect(calls.remove).toHaveBeenLastCalledWith(office.id);
  });

  it('say what the removal of the only second factor means', async () => {
    await open(archive(), { twoFactorEnabled: true, hasAuthenticator: false, passkeys: 1 });
    await press('Remove: Office');
    expect(await screen.findByText(/It is your only second factor/)).toBeTruthy();
    await press('Cancel');
    await dialog('Passkeys');
  });

  it.each([
    ['sign-in-cancelled', 'The browser returned no passkey: it was cancelled, or took too long.'],
    ['conflict', 'This device already has a passkey for your account.'],
  ] as const)('say in words why none was added: %s', async (code, text) => {
    const calls = archive();
    calls.add.mockRejectedValue(refused(code));
    await open(calls);
    await press('Add a passkey');
    await press('Create');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('are not added at an address without them', async () => {
    await open(archive({ isAvailable: false }));
    expect(await screen.findByText(/Passkeys do not work at this address of the archive/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });

  it('are not added in a browser without them', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await open(archive());
    expect(await screen.findByText('This browser does not support passkeys.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull());
  });
});
