import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { selectSession } from '../../src/machines/app/app.machine.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import type { Interactions } from '../../src/services/interactions.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { hasSignInRequest } from '../../src/views/app/paths.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { Visitor } from '../../src/views/app/visitor.tsx';
import { wiredInteraction } from '../../src/wiring/session.ts';
import { show } from './render.tsx';
import { openApp } from './render-app.tsx';
import { aSession, offered, refusedAs } from './sign-in-session.ts';

const uid = 'u1234567890';
const interaction = wiredInteraction({
  details: async () => ({ clientName: 'Viewer of others', method: null, pending: null }),
} as unknown as Interactions);

const at = async (address: string, session = aSession(), methods = offered('password')) => {
  window.history.replaceState(null, '', address);
  const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods, hasMailServer: true, outbox: null };
  const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) };
  await waitFor(() => expect(session.actor.getSnapshot().matches('restoring')).toBe(false));
  await show(
    <AppContextProvider value={{ interaction, passwords: {} } as unknown as AppContext}>
      <AppQueriesProvider value={queries as unknown as AppQueries}>
        <Visitor actor={session.actor} onLanguage={() => {}} />
      </AppQueriesProvider>
    </AppContextProvider>,
  );
};
const title = (name: string) => screen.findByRole('heading', { level: 1, name }, { timeout: 5_000 });

beforeEach(() => sessionStorage.clear());

describe('a visitor', () => {
  it.each(['/patient/1', '/', '/auth/signin-aad', '/authorization/nothing', '/authorization/bankid', '/auth/callback'])(
    'who opens %s is redirected to the sign-in methods',
    async (address) => {
      await at(address);
      await screen.findByLabelText('Password');
      expect(window.location.pathname).toBe('/authorization');
    },
  );

  it.each([
    ['/authorization/password/forgot', 'Forgot your password'],
    ['/authorization/password/forgot/success', 'Check your inbox'],
    ['/authorization/newpassword', 'The link is no longer valid'],
    [`/authorization?interaction=${uid}`, 'Sign in to Viewer of others'],
    [`/authorization/sms?interaction=${uid}`, 'Sign in by text message'],
  ])('finds %s, titled %s', async (address, name) => {
    await at(address);
    expect(await title(name)).toBeTruthy();
  });

  it('removes the secret of a reset link from the URL at once', async () => {
    await at('/authorization/newpassword#id=7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11&SecurityStamp=abc');
    expect(window.location.hash).toBe('');
    expect(await title('Choose a new password')).toBeTruthy();
  });

  it('finds the password form below its row at its own URL', async () => {
    await at('/authorization/password', aSession(), offered('bankid', 'password'));
    await screen.findByLabelText('Password');
    expect(screen.getByRole('button', { name: /E-mail and password/ }).getAttribute('aria-expanded')).toBe('true');
  });

  it('is redirected to the list where no password is offered', async () => {
    await at('/authorization/password', aSession(), offered('bankid'));
    await screen.findByRole('button', { name: /BankID/ });
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
  });

  it('returning from a provider keeps the URL until there is a reply', async () => {
    const restore = vi.fn(() => Promise.reject(refusedAs('internal', 503)));
    await at('/auth/callback?code=1&state=2', aSession({ restore }));
    expect(screen.getByText('Error connect to authentication server')).toBeTruthy();
    expect(window.location.search).toBe('?code=1&state=2');
  });
});

it('a signed-in user stays at the sign-in of another program', async () => {
  localStorage.setItem('dentarium.preferences', JSON.stringify({ language: 'en' }));
  const methods = offered('password');
  const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods, hasMailServer: true, outbox: null };
  const restored = Promise.withResolvers<FoundGrant>();
  const { app } = await openApp(`/authorization?interaction=${uid}`, {
    restore: () => restored.promise,
    queries: { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) } as unknown as AppQueries,
    appContext: { interaction },
  });
  restored.resolve({ renewInMs: 600_000 });
  await waitFor(() => expect(selectSession(app.getSnapshot())?.getSnapshot().matches('signedIn')).toBe(true));
  expect(await title('Sign in to Viewer of others')).toBeTruthy();
  expect(window.location.pathname).toBe('/authorization');
});

it('recognizes interaction URLs', () => {
  expect(hasSignInRequest('/authorization/sms', `interaction=${uid}`)).toBe(true);
  expect(hasSignInRequest('/authorization', '')).toBe(false);
  expect(hasSignInRequest('/patient/1', `interaction=${uid}`)).toBe(false);
});
