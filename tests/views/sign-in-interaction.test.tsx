import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { InteractionOutcome } from '../../contract/interactions.ts';
import type { SignInMethod } from '../../contract/sign-in.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { Interactions } from '../../src/services/interactions.ts';
import { leaveFor } from '../../src/views/sign-in/leave-for.ts';
import { descriptionOf } from './described.ts';
import { showInteraction, uid } from './interaction-pages.tsx';
import { offered, refusedAs } from './sign-in-session.ts';

vi.mock('../../src/views/sign-in/leave-for.ts', () => ({ leaveFor: vi.fn() }));

const eken = { id: '7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11', role: 'Doctor', clinic: 'Eken' };
const everywhere = { id: '7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a12', role: 'SuperAdmin', clinic: null };
const finished: InteractionOutcome = { outcome: 'finished', redirectTo: 'https://other.example/back?code=1' };
const codeNeeded: InteractionOutcome = { outcome: 'code-needed', factors: ['authenticator'] };

interface Status {
  readonly method?: SignInMethod | null;
  readonly pending?: InteractionOutcome | null;
}

/** Fakes the interaction API with replaceable replies. */
const signInPage = ({ method = null, pending = null }: Status = {}) => ({
  details: vi.fn<Interactions['details']>(async () => ({ clientName: 'Viewer of others', method, pending })),
  password: vi.fn<Interactions['password']>(async () => finished),
  verifyTwoFactorCode: vi.fn<Interactions['verifyTwoFactorCode']>(async () => finished),
  passkey: vi.fn<Interactions['passkey']>(async () => finished),
  account: vi.fn<Interactions['account']>(async () => finished),
  abort: vi.fn<Interactions['abort']>(async () => ({ redirectTo: '/auth/callback?error=access_denied' })),
  requestSms: vi.fn<Interactions['requestSms']>(async () => ({ goodForSeconds: 300, againInSeconds: 60 })),
  verifySms: vi.fn<Interactions['verifySms']>(async () => finished),
});

const list = (calls: Interactions, methods = offered('bankid', 'siths', 'password')) => showInteraction(calls, methods);
const sms = (calls: Interactions) => {
  window.history.replaceState(null, '', `/authorization/sms?interaction=${uid}`);
  return showInteraction(calls, offered('bankid', 'siths', 'password'));
};
const signInWithPassword = async () => {
  await userEvent.type(await screen.findByLabelText('E-mail'), 'maja@klinik.example');
  await userEvent.type(screen.getByLabelText('Password'), 'Demo-2026!{Enter}');
};

beforeEach(() => {
  vi.mocked(leaveFor).mockClear();
  window.history.replaceState(null, '', `/authorization?interaction=${uid}`);
});

describe('a sign-in for another program', () => {
  it('names the program and accepts a password', async () => {
    const archive = signInPage();
    await list(archive, offered('password'));
    expect(await screen.findByRole('heading', { name: 'Sign in to Viewer of others' })).toBeTruthy();
    await signInWithPassword();
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(finished.outcome === 'finished' && finished.redirectTo));
    expect(archive.password.mock.calls).toEqual([[uid, 'maja@klinik.example', 'Demo-2026!']]);
    expect(screen.getByRole('status', { name: 'Signing you in …' })).toBeTruthy();
  });

  it('reports a wrong password and keeps the interaction', async () => {
    const archive = signInPage();
    archive.password.mockRejectedValueOnce(refusedAs('incorrect-login'));
    await list(archive, offered('password'));
    await signInWithPassword();
    expect(await screen.findByText('Incorrect username or password')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Forgot your password?' })).toBeNull();
  });

  it('continues at external providers, or the BankID and text message pages', async () => {
    await list(signInPage());
    await userEvent.click(await screen.findByRole('button', { name: /SITHS/ }));
    expect(leaveFor).toHaveBeenCalledWith(`/interaction/${uid}/upstream/siths`);
  });

  it('keeps the interaction in the URL when BankID is chosen', async () => {
    await list(signInPage());
    await userEvent.click(await screen.findByRole('button', { name: /BankID/ }));
    expect(window.location.pathname + window.location.search).toBe(`/authorization/bankid?interaction=${uid}`);
  });

  it('restarts when it expired or belongs to another browser', async () => {
    const archive = signInPage();
    archive.details.mockRejectedValue(refusedAs('sign-in-expired'));
    await list(archive);
    expect(await screen.findByRole('heading', { name: 'Signing in took too long' })).toBe(document.activeElement);
    await userEvent.click(screen.getByRole('button', { name: 'Start again' }));
    expect(leaveFor).toHaveBeenCalledWith('/authorization');
  });

  it('waits for an unreachable server', async () => {
    const archive = signInPage();
    archive.details.mockRejectedValueOnce(new ServiceError({ kind: 'offline' }));
    await list(archive);
    await userEvent.click(await screen.findByRole('button', { name: 'Try now' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to Viewer of others' })).toBeTruthy();
  });
});

describe('after identification', () => {
  it('asks for a code, and reports a wrong one at its field', async () => {
    const archive = signInPage();
    archive.password.mockResolvedValueOnce(codeNeeded);
    archive.verifyTwoFactorCode.mockRejectedValueOnce(refusedAs('incorrect-code'));
    await list(archive, offered('password'));
    await signInWithPassword();
    const field = await screen.findByLabelText('One-time code');
    expect(document.activeElement).toBe(field);
    await userEvent.paste('123-456');
    await waitFor(() => expect(descriptionOf(field)).toBe('The code is wrong or has been used already'));
    await userEvent.paste('654321');
    await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(1));
    expect(archive.verifyTwoFactorCode.mock.calls).toEqual([
      [uid, '123456'],
      [uid, '654321'],
    ]);
  });

  it('lists the accounts by clinic in the order of the page’s language, those of all clinics last', async () => {
    const accounts = ['Östra', 'Ärlig', 'Åkern', 'Zon'].map((clinic, at) => ({
      ...eken,
      id: eken.id.replace(/..$/, `2${at}`),
      clinic,
    }));
    const pending = { outcome: 'choose-account' as const, accounts: [everywhere, ...accounts] };
    await list(signInPage({ method: 'bankid', pending }));
    const found = within(await screen.findByRole('list', { name: 'Choose an account' })).getAllByRole('button');
    const order = ['Åkern', 'Ärlig', 'Östra', 'Zon', 'All clinics'];
    expect(found.map((one) => order.find((clinic) => one.textContent?.startsWith(clinic)))).toEqual(order);
  });

  it('lets a user with several accounts choose one, by clinic and role', async () => {
    const archive = signInPage({
      method: 'bankid',
      pending: { outcome: 'choose-account', accounts: [eken, everywhere] },
    });
    await list(archive);
    const accounts = within(await screen.findByRole('list', { name: 'Choose an account' })).getAllByRole('button');
    expect(accounts.map((one) => one.textContent)).toEqual([
      'EkenMedical personnel',
      'All clinicsSystem administrator',
    ]);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect(archive.account.mock.calls).toEqual([[uid, eken.id]]);
    await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(1));
  });

  it('discards the first identification when the user chooses another method', async () => {
    await list(signInPage({ pending: codeNeeded }), offered('password'));
    await screen.findByLabelText('One-time code');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByLabelText('Password')).toBeTruthy();
    expect(leaveFor).not.toHaveBeenCalled();
  });

  it('resumes after a reload, and reports a cancellation to the program', async () => {
    const archive = signInPage({ method: 'aad', pending: codeNeeded });
    await list(archive);
    await screen.findByLabelText('One-time code');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/auth/callback?error=access_denied'));
    expect(archive.abort).toHaveBeenCalledWith(uid);
  });
});

describe('a code by text message', () => {
  const requestCode = async () => {
    await screen.findByRole('heading', { name: 'Sign in by text message' });
    await userEvent.type(screen.getByLabelText('E-mail'), 'maja@klinik.example{Enter}');
    return screen.findByLabelText('Code from the text message');
  };

  it('is sent to the phone of an account, and submitted when complete', async () => {
    const archive = signInPage({ method: 'sms' });
    await sms(archive);
    const field = await requestCode();
    expect(archive.requestSms.mock.calls).toEqual([[uid, 'maja@klinik.example', 'en']]);
    expect(screen.getByText(/If the account exists.*valid for 5 minutes/)).toBeTruthy();
    expect(document.activeElement).toBe(field);
    await userEvent.paste('12 34 56');
    await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(1));
    expect(archive.verifySms.mock.calls).toEqual([[uid, '123456']]);
  });

  it('can be requested again after a countdown', async () => {
    const archive = signInPage({ method: 'sms' });
    await sms(archive);
    await requestCode();
    expect(screen.queryByRole('button', { name: 'Send new code' })).toBeNull();
    expect(screen.getByText('You can request a new code in 60 s')).toBeTruthy();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      await act(() => vi.advanceTimersByTimeAsync(1_000));
      await screen.findByText(/You can request a new code in 5\d s/);
      await act(() => vi.advanceTimersByTimeAsync(60_000));
      await userEvent.click(await screen.findByRole('button', { name: 'Send new code' }));
      expect(await screen.findByText(/A new code has been sent/)).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
    expect(archive.requestSms).toHaveBeenCalledTimes(2);
  });

  it('is reported at its field when wrong', async () => {
    const archive = signInPage({ method: 'sms' });
    archive.verifySms.mockRejectedValueOnce(refusedAs('incorrect-code'));
    await sms(archive);
    const field = await requestCode();
    await userEvent.paste('000000');
    await waitFor(() => expect(descriptionOf(field)).toBe('The code is wrong or has been used already'));
    expect((field as HTMLInputElement).value).toBe('');
  });

  it('stops waiting when the interaction has expired', async () => {
    const archive = signInPage({ method: 'sms' });
    archive.requestSms.mockRejectedValueOnce(refusedAs('sign-in-expired'));
    await sms(archive);
    await screen.findByRole('heading', { name: 'Sign in by text message' });
    await userEvent.type(screen.getByLabelText('E-mail'), 'maja@klinik.example{Enter}');
    expect(await screen.findByRole('heading', { name: 'Signing in took too long' })).toBeTruthy();
  });
});

describe('a passkey', () => {
  const openPage = (archive: ReturnType<typeof signInPage>) => {
    window.history.replaceState(null, '', `/authorization/passkey?interaction=${uid}`);
    return showInteraction(archive, offered('passkey', 'password'));
  };

  it('is asked for at once on its page, and again on request', async () => {
    const archive = signInPage({ method: 'passkey' });
    archive.passkey.mockRejectedValueOnce(refusedAs('sign-in-cancelled'));
    await openPage(archive);
    expect(await screen.findByText('The sign-in was cancelled')).toBeTruthy();
    expect(archive.passkey.mock.calls).toEqual([[uid]]);
    await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(finished.outcome === 'finished' && finished.redirectTo));
    expect(archive.passkey).toHaveBeenCalledTimes(2);
  });

  it('is asked for from the list of methods, and as second factor', async () => {
    vi.stubGlobal('PublicKeyCredential', class {});
    const archive = signInPage();
    archive.passkey.mockResolvedValueOnce({ outcome: 'code-needed', factors: ['passkey'] });
    await list(archive, offered('passkey', 'password'));
    await userEvent.click(await screen.findByRole('button', { name: /^Passkey/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await waitFor(() => expect(archive.passkey).toHaveBeenCalledTimes(2));
    vi.unstubAllGlobals();
  });
});
