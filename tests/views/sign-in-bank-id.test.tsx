import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromCallback, fromPromise } from 'xstate';
import { bankIdHints } from '../../contract/interactions.ts';
import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected, StartedOrder } from '../../src/machines/bank-id/bank-id.setup.ts';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';
import { createTranslation, speakAtDoors } from '../../src/views/language/translation.ts';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { addressOfApp } from '../../src/views/sign-in/bank-id-app.ts';
import { BankIdPage } from '../../src/views/sign-in/bank-id-page.tsx';
import { leaveFor } from '../../src/views/sign-in/leave-for.ts';
import { show } from './render.tsx';
import { refusedAs } from './sign-in-session.ts';

vi.mock('../../src/views/sign-in/leave-for.ts', () => ({ leaveFor: vi.fn() }));

const uid = 'u1234567890';
const qrOf = (second: number) => `bankid.67df3917.${second}.dc69358e712458a66a7525beef148ae8526b1c71610`;
const pending = (hint: Extract<Collected, { status: 'pending' }>['hint'], qr: string | null): Collected => ({
  status: 'pending',
  hint,
  qr,
});

/** A BankID that gives these answers one after the other, then the last again and again. */
const bankId = (answers: readonly Collected[], starts: readonly (() => Promise<StartedOrder>)[] = []) => {
  const [left, toStart] = [[...answers], [...starts]];
  const counts = { started: 0, left: 0 };
  const order = async () => ({ autoStartToken: 'token-1', qr: qrOf(0) });
  const logic = bankIdMachine.provide({
    actors: {
      startOrder: fromPromise<StartedOrder, { uid: string }>(async () => {
        counts.started++;
        return (toStart.shift() ?? order)();
      }),
      collectOrder: fromPromise<Collected, { uid: string }>(async () => {
        const next = left.length > 1 ? left.shift() : left[0];
        return next ?? pending('outstandingTransaction', qrOf(1));
      }),
      holdOrder: fromCallback(() => () => {
        counts.left++;
      }),
    },
    delays: { collectInterval: 5 },
  });
  return { logic, counts };
};

const open = ({ logic }: ReturnType<typeof bankId>) => {
  const signIn = {
    details: async () => ({ clientName: 'Dentarium', method: 'bankid', pending: null }),
    abort: async () => ({ redirectTo: '/auth/callback?error=access_denied' }),
  };
  const methods = [{ method: 'bankid', label: null, test: true }];
  const reading = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => ({ methods }) }) };
  return show(
    <GroundProvider value={{ signIn, bankId: logic } as unknown as Ground}>
      <ReadingProvider value={reading as unknown as Reading}>
        <BankIdPage uid={uid} onLanguage={() => {}} />
      </ReadingProvider>
    </GroundProvider>,
  );
};

const asPhone = () =>
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');

beforeEach(() => vi.mocked(leaveFor).mockClear());
afterEach(() => vi.restoreAllMocks());

describe('BankID on another device', () => {
  it('shows a code that moves on in the same drawing, and what to do with it', async () => {
    await open(bankId([pending('outstandingTransaction', qrOf(1)), pending('outstandingTransaction', qrOf(2))]));
    const code = await screen.findByRole('img', { name: 'QR code for the BankID app' });
    const first = code.innerHTML;
    await waitFor(() => expect(code.innerHTML).not.toBe(first));
    expect(screen.getByRole('img', { name: 'QR code for the BankID app' })).toBe(code);
    expect(screen.getByRole('status').textContent).toBe('Start the BankID app and scan the QR code.');
    expect(screen.getByText('Test server: no real sign-in')).toBeTruthy();
  });

  it('takes the code away as soon as the app has it, and tells each step aloud', async () => {
    await open(bankId([pending('userSign', null)]));
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe(
        'Enter your security code in the BankID app and select Identify.',
      ),
    );
    expect(screen.queryByRole('img', { name: 'QR code for the BankID app' })).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('goes on when BankID has said who it is, and does not cancel what is done', async () => {
    const order = bankId([{ status: 'complete', next: { outcome: 'finished', redirectTo: '/interaction/x/resume' } }]);
    await open(order);
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/interaction/x/resume'));
    expect(await screen.findByRole('heading', { name: 'Signing you in …' })).toBeTruthy();
  });
});

describe('BankID on this device', () => {
  it('is opened by the program’s own scheme on a computer', async () => {
    await open(bankId([]));
    const link = await screen.findByRole('link', { name: 'Open BankID on this device' });
    expect(link.getAttribute('href')).toBe('bankid:///?autostarttoken=token-1&redirect=null');
    await userEvent.click(link);
    expect(screen.getByRole('status').textContent).toBe('Trying to start your BankID app.');
    expect(screen.getByText(/Come back here/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Use BankID on another device' }));
    expect(screen.getByRole('img', { name: 'QR code for the BankID app' })).toBeTruthy();
  });

  it('comes first on a phone, by the app’s https address', async () => {
    asPhone();
    await open(bankId([]));
    const link = await screen.findByRole('link', { name: 'Open BankID on this device' });
    expect(link.getAttribute('href')).toBe('https://app.bankid.com/?autostarttoken=token-1&redirect=null');
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('is the app on a tablet that calls itself a Mac', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
    expect(addressOfApp('bankid:///?a=b')).toBe('bankid:///?a=b');
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5, configurable: true });
    expect(addressOfApp('bankid:///?a=b')).toBe('https://app.bankid.com/?a=b');
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 0, configurable: true });
  });
});

describe('a BankID order that came to nothing', () => {
  it('says why, with the focus on trying again, and begins anew', async () => {
    const order = bankId([
      pending('userSign', null),
      { status: 'failed', hint: 'userCancel' },
      pending('outstandingTransaction', qrOf(5)),
    ]);
    await open(order);
    expect((await screen.findByRole('alert')).textContent).toBe('Action cancelled.');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Try again' }));
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('img', { name: 'QR code for the BankID app' })).toBeTruthy();
    expect(order.counts.started).toBe(2);
  });

  it('because the service is away leads to other ways', async () => {
    await open(bankId([], [() => Promise.reject(refusedAs('method-away', 503))]));
    expect((await screen.findByRole('alert')).textContent).toMatch(/The sign-in service does not answer/);
    await userEvent.click(screen.getByRole('button', { name: 'Other ways to sign in' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/auth/callback?error=access_denied'));
  });

  it('because the interaction is over begins anew', async () => {
    await open(bankId([], [() => Promise.reject(refusedAs('sign-in-expired'))]));
    expect(await screen.findByRole('heading', { name: 'Signing in took too long' })).toBeTruthy();
  });

  it('because the person left is cancelled', async () => {
    const order = bankId([]);
    await open(order);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(order.counts.left).toBe(1));
    expect(leaveFor).toHaveBeenCalledWith('/auth/callback?error=access_denied');
  });

  it('is cancelled when the page closes', async () => {
    const order = bankId([]);
    const shown = await open(order);
    await screen.findByRole('img', { name: 'QR code for the BankID app' });
    act(() => shown.unmount());
    expect(order.counts.left).toBe(1);
  });
});

it.each(['sv', 'en', 'da', 'no'])('has words for every hint of BankID in %s', async (language) => {
  const translation = await createTranslation(language);
  await speakAtDoors(translation);
  for (const hint of bankIdHints)
    expect(translation.exists(`hint-${hint}`, { ns: 'bank-id', lng: language })).toBe(true);
});
