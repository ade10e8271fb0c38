import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PasskeyRequest, SecondFactorKind } from '../../contract/passkey-messages.ts';
import type { OfferedMethod } from '../../contract/sign-in.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { AuthList } from '../../src/views/sign-in/auth-list.tsx';
import { sortedFor } from '../../src/views/sign-in/method-rows.tsx';
import { descriptionOf } from './described.ts';
import { show } from './render.tsx';
import { aSession, offered, refusedAs } from './sign-in-session.ts';

const demo = { email: 'maja@demo.example', password: 'Demo-2026!', role: 'Doctor', clinic: 'Eken' };

interface Shown {
  readonly methods?: readonly OfferedMethod[];
  readonly session?: ReturnType<typeof aSession>;
  readonly passwordOpen?: boolean;
  readonly problem?: string | null;
  readonly welcome?: () => Promise<unknown>;
}

const open = async ({ methods = offered('password'), session = aSession(), ...rest }: Shown = {}) => {
  const { passwordOpen = false, problem = null } = rest;
  const welcome = { demoAccounts: [demo], awaitsFirstAdministrator: false, methods, hasMailServer: true, outbox: null };
  const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: rest.welcome ?? (async () => welcome) }) };
  await waitFor(() => expect(session.actor.getSnapshot().matches('restoring')).toBe(false));
  await show(
    <AppQueriesProvider value={queries as unknown as AppQueries}>
      <AuthList actor={session.actor} passwordOpen={passwordOpen} problem={problem} onLanguage={() => {}} />
    </AppQueriesProvider>,
  );
  return session;
};

const password = () => screen.findByLabelText('Password');
const signIn = async () => {
  await password();
  await userEvent.type(screen.getByLabelText('E-mail'), ' maja@klinik.example ');
  await userEvent.type(await password(), 'Wrong-2026!{Enter}');
};

beforeEach(() => window.history.replaceState(null, '', '/authorization'));

describe('the ways to sign in', () => {
  it('show one form when password is the only method', async () => {
    await open();
    await password();
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'));
    expect(screen.queryByRole('list', { name: 'Ways to sign in' })).toBeNull();
  });

  it('are rows with a description and a test server badge', async () => {
    const methods = offered('siths', 'bankid', 'password').map((one) => ({ ...one, test: one.method === 'bankid' }));
    await open({ methods });
    const rows = within(await screen.findByRole('list', { name: 'Ways to sign in' })).getAllByRole('button');
    expect(rows.map((row) => row.textContent)).toEqual([
      'SITHSWith your card or on your phone',
      'BankIDOn your phone or on this deviceTest server: no real sign-in',
      'E-mail and passwordWith your Dentarium account',
    ]);
  });

  it('list a passkey only where the browser supports them', async () => {
    const methods = offered('passkey', 'password');
    const shown = await open({ methods });
    await password();
    expect(screen.queryByRole('list', { name: 'Ways to sign in' })).toBeNull();
    cleanup();
    vi.stubGlobal('PublicKeyCredential', class {});
    await open({ methods, session: shown });
    await userEvent.click(await screen.findByRole('button', { name: /^Passkey/ }));
    expect(shown.left).toEqual(['passkey']);
    vi.unstubAllGlobals();
  });

  it("begin with BankID in Swedish, and use the server's labels", async () => {
    const methods = offered('password', 'siths', 'bankid');
    expect(sortedFor('sv', methods).map(({ method }) => method)).toEqual(['bankid', 'password', 'siths']);
    expect(sortedFor('en', methods)).toEqual(methods);
    await open({ methods: [{ method: 'openid', label: 'County dental care', test: false }] });
    expect(await screen.findByRole('button', { name: /County dental care/ })).toBeTruthy();
  });

  it('navigate to the provider once, by keyboard, and show progress', async () => {
    const { left } = await open({ methods: offered('bankid', 'siths', 'password') });
    await screen.findByRole('button', { name: /BankID/ });
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    await userEvent.keyboard('{Tab}{Tab}{Enter}');
    const row = screen.getByRole('button', { name: /SITHS/ });
    expect(row.getAttribute('aria-busy')).toBe('true');
    expect(row.textContent).toContain('Opening SITHS');
    await userEvent.click(screen.getByRole('button', { name: /BankID/ }));
    expect(left).toEqual(['siths']);
  });

  it('show the password form below its row, with its own URL', async () => {
    await open({ methods: offered('bankid', 'password') });
    const row = await screen.findByRole('button', { name: /E-mail and password/ });
    expect(row.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(row);
    expect(window.location.pathname).toBe('/authorization/password');
  });

  it('fill in a demo account with one click', async () => {
    const { submitted } = await open();
    await userEvent.click(await screen.findByRole('button', { name: /^Medical personnel/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(submitted).toEqual([{ email: demo.email, password: demo.password, code: null, passkey: null }]);
  });
});

describe('the password form', () => {
  it('reports missing fields and sends nothing', async () => {
    const { submitted } = await open();
    await password();
    await userEvent.keyboard('{Enter}');
    expect(descriptionOf(screen.getByLabelText('E-mail'))).toBe('This field are required');
    await userEvent.keyboard('maja{Enter}');
    expect(descriptionOf(screen.getByLabelText('E-mail'))).toMatch(/Enter an e-mail address/);
    await userEvent.keyboard('@klinik.example{Enter}');
    expect(descriptionOf(screen.getByLabelText('E-mail'))).toBe('');
    expect(document.activeElement).toBe(await password());
    expect(submitted).toEqual([]);
  });

  it('reports wrong credentials and focuses the password', async () => {
    await open();
    await signIn();
    expect(await screen.findByText('Incorrect username or password')).toBeTruthy();
    expect(document.activeElement).toBe(await password());
  });

  it('reports that the sign-in server is unreachable', async () => {
    await open({ session: aSession({ answer: () => Promise.reject(new ServiceError({ kind: 'offline' })) }) });
    await signIn();
    expect(await screen.findByText('Error connect to authentication server')).toBeTruthy();
  });

  it('shows the password on request', async () => {
    await open();
    await userEvent.type(await password(), 'secret');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect((await password()).getAttribute('type')).toBe('text');
  });
});

describe('the second factor', () => {
  const withCode = () =>
    aSession({
      answer: ({ code }) => Promise.reject(refusedAs(code === null ? 'code-needed' : 'incorrect-code')),
    });
  const atCode = async () => {
    const session = await open({ session: withCode() });
    await signIn();
    const field = await screen.findByLabelText('One-time code');
    return { ...session, field };
  };

  it('asks for the code in place, and submits a pasted one when complete', async () => {
    const { field, submitted } = await atCode();
    expect(document.activeElement).toBe(field);
    expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
    await userEvent.paste('123 456');
    expect(submitted).toEqual([
      { email: 'maja@klinik.example', password: 'Wrong-2026!', code: null, passkey: null },
      { email: 'maja@klinik.example', password: 'Wrong-2026!', code: '123456', passkey: null },
    ]);
  });

  it('reports a wrong code at its field and clears it', async () => {
    const { field, submitted } = await atCode();
    await userEvent.keyboard('123456');
    await waitFor(() => expect(descriptionOf(field)).toBe('The code is wrong or has been used already'));
    expect((field as HTMLInputElement).value).toBe('');
    expect(document.activeElement).toBe(field);
    await userEvent.keyboard('123456');
    await waitFor(() => expect(submitted).toHaveLength(3));
  });

  it('accepts a recovery code with its separators', async () => {
    const { submitted } = await atCode();
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'));
    await userEvent.keyboard('ab12-cd34 {Enter}');
    expect(submitted.at(-1)?.code).toBe('ab12-cd34');
  });

  it('does not submit an incomplete code, and returns to the password', async () => {
    const { field, submitted } = await atCode();
    await userEvent.keyboard('123{Enter}');
    expect(descriptionOf(field)).toBe('The code has six digits');
    expect(submitted).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(((await screen.findByLabelText('E-mail')) as HTMLInputElement).value).toBe('maja@klinik.example');
    expect(((await password()) as HTMLInputElement).value).toBe('');
  });
});

describe('a redirected visitor', () => {
  it('can sign in while the previous session is still signing out; the request is sent then', async () => {
    const gone = Promise.withResolvers<void>();
    const session = aSession({ restore: () => new Promise(() => {}), signOut: () => gone.promise });
    session.actor.send({ type: 'sign-out.requested' });
    await open({ methods: offered('bankid', 'password'), session });
    await userEvent.click(await screen.findByRole('button', { name: /^BankID/ }));
    expect(session.left).toEqual([]);
    expect(screen.getByRole('button', { name: /^BankID/ }).getAttribute('aria-busy')).toBe('true');
    gone.resolve();
    await waitFor(() => expect(session.left).toEqual(['bankid']));
  });

  it('sees the error of an external sign-in as text, also for unknown codes', async () => {
    await open({ problem: 'no-account' });
    expect(screen.getByRole('alert').textContent).toContain('No account matches this identity');
  });

  it('sees no error after a cancelled sign-in', async () => {
    await open({ problem: 'sign-in-cancelled' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText(/was given up|cancelled/i)).toBeTruthy();
  });

  it('sees no text from an unknown problem code', async () => {
    await open({ problem: '<b>x</b>' });
    expect(screen.getByRole('alert').textContent).toBe('oops something went wrong');
  });

  it('sees that the server is unreachable, and the page retries', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'],
      shouldAdvanceTime: true,
    });
    try {
      const answers = [() => Promise.reject(new ServiceError({ kind: 'offline' }))];
      const there = {
        demoAccounts: [],
        awaitsFirstAdministrator: false,
        methods: offered('password'),
        hasMailServer: true,
        outbox: null,
      };
      await open({ welcome: () => (answers.shift() ?? (async () => there))() });
      expect(await screen.findByText('Error connect to authentication server')).toBeTruthy();
      await vi.advanceTimersByTimeAsync(6_000);
      expect(await password()).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });

  it('with a stored session waits for the server, and can sign in as another user', async () => {
    const session = aSession({ restore: () => Promise.reject(new ServiceError({ kind: 'offline' })) });
    await open({ session });
    expect(screen.getByText('Error connect to authentication server')).toBeTruthy();
    expect(screen.queryByLabelText('Password')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in as another user' }));
    expect(await password()).toBeTruthy();
  });
});

describe('the second factors of an account', () => {
  const factors = (...kinds: readonly SecondFactorKind[]) => {
    const passkey: PasskeyRequest = {
      challenge: 'AAAA',
      timeout: 300_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    };
    const failure = { kind: 'refused', status: 400, code: 'code-needed', errors: [] } as const;
    return aSession({
      answer: async () => {
        throw new ServiceError({ ...failure, secondFactors: { factors: kinds, passkey } });
      },
    });
  };
  beforeEach(() => vi.stubGlobal('PublicKeyCredential', class {}));
  afterEach(() => void vi.unstubAllGlobals());

  it('may be a passkey, beside the code of the app', async () => {
    const { submitted } = await open({ session: factors('authenticator', 'passkey') });
    await signIn();
    expect(document.activeElement).toBe(await screen.findByLabelText('One-time code'));
    await userEvent.click(screen.getByRole('button', { name: 'Use a passkey' }));
    expect(submitted.at(-1)).toMatchObject({ code: null, passkey: { challenge: 'AAAA' } });
  });

  it('is a passkey or a recovery code without an app, by keyboard', async () => {
    const { submitted } = await open({ session: factors('passkey') });
    await signIn();
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(screen.queryByRole('button', { name: 'Use the authenticator app instead' })).toBeNull();
    await userEvent.keyboard('{Enter}');
    expect(submitted.at(-1)).toMatchObject({ passkey: { challenge: 'AAAA' } });
    await userEvent.type(screen.getByLabelText('Recovery code'), 'ABCDE-23450{Enter}');
    expect(submitted.at(-1)).toMatchObject({ code: 'ABCDE-23450', passkey: null });
  });

  it('offers no passkey to a user without one', async () => {
    await open({ session: factors('authenticator') });
    await signIn();
    await screen.findByLabelText('One-time code');
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });
});
