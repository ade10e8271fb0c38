import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type EventObject, fromCallback, fromPromise } from 'xstate';
import { noPolicy } from '../../contract/account-policy.ts';
import type { PinState } from '../../contract/pins.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { UnlockBy } from '../../contract/sessions.ts';
import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected, StartedOrder } from '../../src/machines/bank-id/bank-id.setup.ts';
import { lockMachine } from '../../src/machines/lock/lock.machine.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { AppContext } from '../../src/views/app/app-context.tsx';
import { aClinic, startedApp, withFreshTab } from './render-app.tsx';
import { aUser } from './signed-in-session.ts';

withFreshTab();

/** The lock of a session with this password and PIN; three wrong PINs are too many. */
const lockOf = (password: string, pin?: string) => {
  let wrongPins = 0;
  const refuse = (code: ProblemCode): never => {
    throw new ServiceError({ kind: 'refused', status: 400, code, errors: [] });
  };
  const calls: string[] = [];
  let send: (event: EventObject) => void = () => {};
  const lock = lockMachine.provide({
    actors: {
      lockSession: fromPromise<void, { accountId: string }>(async () => {
        calls.push('lock');
      }),
      unlockSession: fromPromise<void, { by: UnlockBy }>(async ({ input: { by } }) => {
        calls.push('unlock');
        if (typeof by === 'object' && 'bankId' in by) return calls.length > 2 ? undefined : refuse('incorrect-bankid');
        if (by === 'passkey') return calls.length > 2 ? undefined : refuse('sign-in-cancelled');
        if ('password' in by && by.password !== password) refuse('incorrect-password');
        if (!('pin' in by) || by.pin === pin) return;
        wrongPins += 1;
        refuse(wrongPins < 3 ? 'incorrect-pin' : 'pin-unavailable');
      }),
      watchLock: fromCallback(({ sendBack }) => {
        send = sendBack;
      }),
    },
  });
  return { lock, calls, tell: (type: string) => act(async () => send({ type })) };
};
const lockPage = () => screen.queryByRole('dialog', { name: 'Locked' });
/** The header of a signed-in page. */
const header = () => screen.findByRole('button', { name: 'Account and settings' });
const isLocked = async () => expect(await screen.findByRole('dialog', { name: 'Locked' })).toBeTruthy();
const unlock = async (password: string) => {
  const field = screen.getByLabelText('Password', { selector: 'input' });
  await userEvent.clear(field);
  await userEvent.type(field, password);
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
};

describe('the lock', () => {
  it('covers the page until the password is entered, and the page is as it was', async () => {
    const { lock, calls } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock } });
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search patients' }), 'And');
    await userEvent.click(await header());
    await userEvent.click(await screen.findByRole('button', { name: 'Lock' }));
    expect(lockPage()).toBeTruthy();
    expect(document.documentElement.dataset.locked).toBe('');
    await unlock('Wrong-1!');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    expect(lockPage()).toBeTruthy();
    await unlock('Right-1!');
    expect(lockPage()).toBeNull();
    expect(document.documentElement.dataset.locked).toBeUndefined();
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Search patients' }).value).toBe('And');
    expect(calls).toEqual(['lock', 'unlock', 'unlock']);
  });

  it('comes without input, and from another tab, which lifts it too', async () => {
    const { lock, calls, tell } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock } });
    await header();
    await tell('input.idle');
    expect(lockPage()).toBeTruthy();
    expect(calls).toEqual(['lock']);
    await unlock('Right-1!');
    await tell('session.locked');
    expect(lockPage()).toBeTruthy();
    await tell('session.unlocked');
    expect(lockPage()).toBeNull();
  });

  it('is there again after a reload, by the archive or while it cannot be reached', async () => {
    const { lock } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock }, user: { restriction: 'session-locked' } });
    await isLocked();
  });

  it('is there again after a reload without a reply of the archive', async () => {
    const { lock } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock, wasLocked: () => true } });
    await isLocked();
  });

  it('lets no key through to the page behind it', async () => {
    const { lock, tell } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock } });
    const reached = vi.fn();
    window.addEventListener('keydown', reached);
    await header();
    await tell('input.idle');
    act(() => document.body.focus());
    await userEvent.keyboard('c');
    expect(reached).not.toHaveBeenCalled();
    await unlock('Right-1!');
    act(() => document.body.focus());
    await userEvent.keyboard('c');
    expect(reached).toHaveBeenCalled();
    window.removeEventListener('keydown', reached);
  });

  it('lets another user sign in', async () => {
    const { lock, tell } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock } });
    await header();
    await tell('input.idle');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in as another user' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeTruthy();
    expect(lockPage()).toBeNull();
  });
});

describe('the lock of a user with a PIN', () => {
  const lockedWith = async (pin: PinState, passkeys = 0) => {
    const { lock, calls, tell } = lockOf('Right-1!', '730182');
    await startedApp('/nowhere', { appContext: { lock }, user: { pin, passkeys } });
    await header();
    await tell('input.idle');
    return calls;
  };
  const pinField = () => screen.getByLabelText<HTMLInputElement>('PIN', { selector: 'input' });
  const unlockByPin = async (text: string, how: 'key' | 'button') => {
    await userEvent.clear(pinField());
    await userEvent.type(pinField(), how === 'key' ? `${text}{Enter}` : text);
    if (how === 'button') await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
  };

  it.each(['key', 'button'] as const)('asks for the PIN first, in digits, and sends it by %s', async (how) => {
    const calls = await lockedWith('usable');
    expect(pinField().inputMode).toBe('numeric');
    await unlockByPin('73a', how);
    expect(pinField().value).toBe('73');
    expect(screen.getByText('Enter 4 to 12 digits')).toBeTruthy();
    expect(calls).toEqual(['lock']);
    await unlockByPin('1111', how);
    expect(await screen.findByText('The PIN is wrong')).toBeTruthy();
    await unlockByPin('730182', how);
    expect(lockPage()).toBeNull();
  });

  it('takes the password instead, and goes back to the PIN', async () => {
    await lockedWith('usable');
    await userEvent.type(pinField(), '7301');
    await userEvent.click(screen.getByRole('button', { name: 'Use the password instead' }));
    const field = screen.getByLabelText<HTMLInputElement>('Password', { selector: 'input' });
    expect([field.value, document.activeElement]).toEqual(['', field]);
    await userEvent.click(screen.getByRole('button', { name: 'Use the PIN instead' }));
    expect(pinField().value).toBe('');
    await userEvent.click(screen.getByRole('button', { name: 'Use the password instead' }));
    await unlock('Right-1!');
    expect(lockPage()).toBeNull();
  });

  it('says that the PIN was wrong too often, and asks for the password until the next lock', async () => {
    await lockedWith('usable');
    for (const text of ['1111', '2222', '3333']) await unlockByPin(text, 'key');
    expect(await screen.findByText('The PIN cannot be used now. Unlock with the password.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Use the PIN instead' })).toBeNull();
    expect(screen.queryByLabelText('PIN')).toBeNull();
    await unlock('Wrong-1!');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    expect(screen.getByText('The PIN cannot be used now. Unlock with the password.')).toBeTruthy();
    await unlock('Right-1!');
    expect(lockPage()).toBeNull();
  });

  it('asks for the password at once where the archive accepts no PIN, as after a reload', async () => {
    await lockedWith('blocked');
    expect(screen.getByText('The PIN cannot be used now. Unlock with the password.')).toBeTruthy();
    expect(screen.getByLabelText('Password', { selector: 'input' })).toBeTruthy();
  });

  it('takes a passkey of a user who has one, where the browser can', async () => {
    vi.stubGlobal('PublicKeyCredential', class {});
    const calls = await lockedWith('none', 1);
    await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText(/The browser returned no passkey/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(lockPage()).toBeNull();
    expect(calls).toEqual(['lock', 'unlock', 'unlock']);
    vi.unstubAllGlobals();
    cleanup();
    await lockedWith('none', 1);
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });

  it('takes the BankID of the user, says that it is of another person, and leads back to the other ways', async () => {
    const orders: (string | null)[] = [];
    const left: (string | null)[] = [];
    const bankId = bankIdMachine.provide({
      actors: {
        startOrder: fromPromise<StartedOrder, { uid: string | null }>(async ({ input: { uid } }) => {
          orders.push(uid);
          return { autoStartToken: 'token-1', qr: 'bankid.1.0' };
        }),
        collectOrder: fromPromise<Collected, { uid: string | null }>(async () =>
          orders.length === 1 ? { status: 'pending', hint: 'userSign', qr: null } : { status: 'complete', next: null },
        ),
        holdOrder: fromCallback<EventObject, { uid: string | null }>(
          ({ input: { uid } }) =>
            () =>
              void left.push(uid),
        ),
      },
      delays: { collectInterval: 20 },
    });
    const { lock, calls, tell } = lockOf('Right-1!');
    await startedApp('/nowhere', { appContext: { lock, bankId }, user: { bankId: true } });
    await header();
    await tell('input.idle');
    const byBankId = async () => userEvent.click(screen.getByRole('button', { name: 'Use BankID' }));
    await byBankId();
    await screen.findByText('Enter your security code in the BankID app and select Identify.');
    expect(screen.queryByLabelText('Password', { selector: 'input' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText('Password', { selector: 'input' })).toBeTruthy();
    expect([orders, left, calls]).toEqual([[null], [null], ['lock']]);
    await byBankId();
    expect(await screen.findByText('The BankID belongs to another person')).toBeTruthy();
    await byBankId();
    await waitFor(() => expect(lockPage()).toBeNull());
    expect(calls).toEqual(['lock', 'unlock', 'unlock']);
    cleanup();
    await startedApp('/nowhere', { appContext: { lock }, user: { restriction: 'session-locked' } });
    await isLocked();
    expect(screen.queryByRole('button', { name: 'Use BankID' })).toBeNull();
  });

  it('says nothing of a PIN to a user without one', async () => {
    await lockedWith('none');
    expect(within(screen.getByRole('dialog', { name: 'Locked' })).queryByText(/PIN/)).toBeNull();
  });
});

describe('required two-factor authentication', () => {
  it('is set up before any page opens', async () => {
    const list = () => ({ queryKey: ['passkeys'], queryFn: async () => ({ isAvailable: true, passkeys: [] }) });
    const appContext = { passkeys: async () => ({ list }) } as unknown as Partial<AppContext>;
    await startedApp('/nowhere', { user: { restriction: 'two-factor-needed' }, appContext });
    const title = { level: 1, name: 'Set up two-factor authentication' };
    expect(await screen.findByRole('heading', title)).toBeTruthy();
    expect(screen.queryByRole('banner')).toBeNull();
    expect(screen.getByRole('button', { name: 'Set up an authenticator app' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add a passkey' }));
    const passkeys = await screen.findByRole('dialog', { name: 'Passkeys' });
    expect(await within(passkeys).findByText('You have no passkeys.')).toBeTruthy();
    cleanup();
    await startedApp('/nowhere', { user: { restriction: 'two-factor-needed' } });
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeTruthy();
  });

  it('that begins while the user works replaces the page', async () => {
    const account = () => ({ queryKey: ['account'], queryFn: async () => current });
    let current = aUser('Doctor', aClinic);
    const { client } = await startedApp('/nowhere', { queries: { account } });
    await header();
    current = { ...current, restriction: 'two-factor-needed' };
    await act(async () => void (await client.fetchQuery({ ...account(), staleTime: 0 })));
    expect(await screen.findByRole('button', { name: 'Set up an authenticator app' })).toBeTruthy();
  });

  it('is announced until its day, and can be put off', async () => {
    await startedApp('/nowhere', { user: { policy: { ...noPolicy, twoFactorFrom: '2026-12-24' } } });
    expect(await screen.findByText(/From 2026-12-24 you need two-factor authentication/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(screen.queryByText(/From 2026-12-24/)).toBeNull();
  });
});
