import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Ground, GroundProvider } from '../../src/views/ground.tsx';
import { asksForSignIn } from '../../src/views/places.ts';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { Visitor } from '../../src/views/visitor.tsx';
import { show } from './render.tsx';
import { aSession, offered, refusedAs } from './sign-in-session.ts';

const uid = 'u1234567890';
const signIn = { details: async () => ({ clientName: 'Viewer of others', method: null, pending: null }) };

const at = async (address: string, session = aSession(), methods = offered('password')) => {
  window.history.replaceState(null, '', address);
  const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods, outbox: null };
  const reading = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) };
  await waitFor(() => expect(session.actor.getSnapshot().matches('restoring')).toBe(false));
  await show(
    <GroundProvider value={{ signIn, passwords: {} } as unknown as Ground}>
      <ReadingProvider value={reading as unknown as Reading}>
        <Visitor actor={session.actor} onLanguage={() => {}} />
      </ReadingProvider>
    </GroundProvider>,
  );
};
const title = (name: string) => screen.findByRole('heading', { level: 1, name }, { timeout: 5_000 });

beforeEach(() => sessionStorage.clear());

describe('a visitor', () => {
  it.each(['/patient/1', '/', '/auth/signin-aad', '/authorization/nothing', '/authorization/bankid', '/auth/callback'])(
    'who asks for %s comes to the list of ways',
    async (address) => {
      await at(address);
      await screen.findByLabelText('Password');
      expect(window.location.pathname).toBe('/authorization');
    },
  );

  it.each([
    ['/authorization/password/forgot', 'Forgot your password'],
    ['/authorization/password/forgot/success', 'Look in your inbox'],
    ['/authorization/newpassword', 'The link is no longer valid'],
    [`/authorization?interaction=${uid}`, 'Sign in to Viewer of others'],
    [`/authorization/sms?interaction=${uid}`, 'Sign in by text message'],
  ])('finds %s, titled %s', async (address, name) => {
    await at(address);
    expect(await title(name)).toBeTruthy();
  });

  it('with the link of a letter has its secret taken out of the address at once', async () => {
    await at('/authorization/newpassword#id=7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11&SecurityStamp=abc');
    expect(window.location.hash).toBe('');
    expect(await title('Choose a new password')).toBeTruthy();
  });

  it('finds the password form below its row at its own address', async () => {
    await at('/authorization/password', aSession(), offered('bankid', 'password'));
    await screen.findByLabelText('Password');
    expect(screen.getByRole('button', { name: /E-mail and password/ }).getAttribute('aria-expanded')).toBe('true');
  });

  it('comes from it to the list where no password is offered', async () => {
    await at('/authorization/password', aSession(), offered('bankid'));
    await screen.findByRole('button', { name: /BankID/ });
    await waitFor(() => expect(window.location.pathname).toBe('/authorization'));
  });

  it('who comes back from elsewhere without an answer keeps the address until there is one', async () => {
    const restore = vi.fn(() => Promise.reject(refusedAs('internal', 503)));
    await at('/auth/callback?code=1&state=2', aSession({ restore }));
    expect(screen.getByText('Error connect to authentication server')).toBeTruthy();
    expect(window.location.search).toBe('?code=1&state=2');
  });
});

it('knows an address that asks who somebody is', () => {
  expect(asksForSignIn('/authorization/sms', `interaction=${uid}`)).toBe(true);
  expect(asksForSignIn('/authorization', '')).toBe(false);
  expect(asksForSignIn('/patient/1', `interaction=${uid}`)).toBe(false);
});
