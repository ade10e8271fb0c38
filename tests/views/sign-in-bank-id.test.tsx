import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromCallback, fromPromise } from 'xstate';
import { bankIdHints } from '../../contract/bank-id-orders.ts';
import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected, StartedOrder } from '../../src/machines/bank-id/bank-id.setup.ts';
import { createTranslation, loadAuthTexts } from '../../src/views/language/translation.ts';
import { leaveFor } from '../../src/views/sign-in/leave-for.ts';
import { addressOfApp } from '../../src/views/ui/bank-id/bank-id-order.tsx';
import { showInteraction, uid } from './interaction-pages.tsx';
import { refusedAs } from './sign-in-session.ts';

vi.mock('../../src/views/sign-in/leave-for.ts', () => ({ leaveFor: vi.fn() }));

const qrOf = (second: number) => `bankid.67df3917.${second}.dc69358e712458a66a7525beef148ae8526b1c71610`;
const pending = (hint: Extract<Collected, { status: 'pending' }>['hint'], qr: string | null): Collected => ({
  status: 'pending',
  hint,
  qr,
});

/** Fakes BankID with these replies in order; the last one repeats. */
const bankId = (answers: readonly Collected[], starts: readonly (() => Promise<StartedOrder>)[] = []) => {
  const [left, toStart] = [[...answers], [...starts]];
  const counts = { started: 0, left: 0 };
  const order = async () => ({ autoStartToken: 'token-1', qr: qrOf(0) });
  const logic = bankIdMachine.provide({
    actors: {
      startOrder: fromPromise<StartedOrder, { uid: string | null }>(async () => {
        counts.started++;
        return (toStart.shift() ?? order)();
      }),
      collectOrder: fromPromise<Collected, { uid: string | null }>(async () => {
        const next = left.length > 1 ? left.shift() : left[0];
        return next ?? pending('outstandingTransaction', qrOf(1));
      }),
      holdOrder: fromCallback(() => () => {
        counts.left++;
      }),
    },
    delays: { collectInterval: 50 },
  });
  return { logic, counts };
};

const open = ({ logic }: ReturnType<typeof bankId>) => {
  window.history.replaceState(null, '', `/authorization/bankid?interaction=${uid}`);
  const calls = {
    details: async () => ({ clientName: 'Dentarium', method: 'bankid' as const, pending: null }),
    abort: async () => ({ redirectTo: '/auth/callback?error=access_denied' }),
  };
  return showInteraction(calls, [{ method: 'bankid', label: null, test: true }], logic);
};

const asPhone = () =>
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');

beforeEach(() => vi.mocked(leaveFor).mockClear());
afterEach(() => vi.restoreAllMocks());

describe('BankID on another device', () => {
  it('updates the animated code in place, with instructions', async () => {
    // As many codes as a slow machine needs until it looks at the first.
    const codes = Array.from({ length: 1000 }, (_, second) => pending('outstandingTransaction', qrOf(second)));
    await open(bankId(codes));
    const code = await screen.findByRole('img', { name: 'QR code for the BankID app' });
    const first = code.innerHTML;
    await waitFor(() => expect(code.innerHTML).not.toBe(first));
    expect(screen.getByRole('img', { name: 'QR code for the BankID app' })).toBe(code);
    expect(screen.getByRole('status').textContent).toBe('Start the BankID app and scan the QR code.');
    expect(screen.getByText('Test server: no real sign-in')).toBeTruthy();
  });

  it('removes the code when the app has scanned it, and announces each step', async () => {
    await open(bankId([pending('userSign', null)]));
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe(
        'Enter your security code in the BankID app and select Identify.',
      ),
    );
    expect(screen.queryByRole('img', { name: 'QR code for the BankID app' })).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('continues when BankID has identified the user, and does not cancel a completed order', async () => {
    const order = bankId([{ status: 'complete', next: { outcome: 'finished', redirectTo: '/interaction/x/resume' } }]);
    await open(order);
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/interaction/x/resume'));
    expect(await screen.findByRole('heading', { name: 'Signing you in …' })).toBeTruthy();
  });
});

describe('BankID on this device', () => {
  it('opens with the bankid scheme on a computer', async () => {
    await open(bankId([]));
    const link = await screen.findByRole('link', { name: 'Open BankID on this device' });
    expect(link.getAttribute('href')).toBe('bankid:///?autostarttoken=token-1&redirect=null');
    await userEvent.click(link);
    expect(screen.getByRole('status').textContent).toBe('Trying to start your BankID app.');
    expect(screen.getByText(/Come back here/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Use BankID on another device' }));
    expect(screen.getByRole('img', { name: 'QR code for the BankID app' })).toBeTruthy();
  });

  it('is the first option on a phone, with the https link of the app', async () => {
    asPhone();
    await open(bankId([]));
    const link = await screen.findByRole('link', { name: 'Open BankID on this device' });
    expect(link.getAttribute('href')).toBe('https://app.bankid.com/?autostarttoken=token-1&redirect=null');
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('treats an iPad that reports itself as a Mac as a tablet', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
    expect(addressOfApp('bankid:///?a=b')).toBe('bankid:///?a=b');
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5, configurable: true });
    expect(addressOfApp('bankid:///?a=b')).toBe('https://app.bankid.com/?a=b');
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 0, configurable: true });
  });
});

describe('a failed BankID order', () => {
  it('shows the reason, focuses "try again", and starts a new order', async () => {
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

  it('offers other methods when the service is down', async () => {
    await open(bankId([], [() => Promise.reject(refusedAs('method-away', 503))]));
    expect((await screen.findByRole('alert')).textContent).toMatch(/The sign-in service does not answer/);
    await userEvent.click(screen.getByRole('button', { name: 'Other ways to sign in' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/auth/callback?error=access_denied'));
  });

  it('restarts when the interaction has expired', async () => {
    await open(bankId([], [() => Promise.reject(refusedAs('sign-in-expired'))]));
    expect(await screen.findByRole('heading', { name: 'Signing in took too long' })).toBeTruthy();
  });

  it('is cancelled when the user leaves', async () => {
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

it.each(['sv', 'en', 'da', 'no'])('has a text for every hint code of BankID in %s', async (language) => {
  const translation = await createTranslation(language);
  await loadAuthTexts(translation);
  for (const hint of bankIdHints)
    expect(translation.exists(`hint-${hint}`, { ns: 'bank-id', lng: language })).toBe(true);
});
