import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { ForgotPage } from '../../src/views/sign-in/forgot-page.tsx';
import { ForgotSuccessPage } from '../../src/views/sign-in/forgot-success-page.tsx';
import { NewPasswordPage } from '../../src/views/sign-in/new-password-page.tsx';
import { descriptionOf } from './described.ts';
import { show } from './render.tsx';

const id = '7b1f6a2e-0f0e-4a94-9d5f-0c8b6d1c2a11';
const stamp = 'a+b/c=';
const link = `#id=${id}&SecurityStamp=${encodeURIComponent(stamp)}`;

const passwords = {
  requestReset: vi.fn(async (_email: string, _language: string) => {}),
  reset: vi.fn(async (_: { id: string; SecurityStamp: string; password: string }) => {}),
};
const expired = () =>
  Promise.reject(new ServiceError({ kind: 'refused', status: 410, code: 'link-expired', errors: [] }));

const page = (piece: React.ReactNode, outbox: string | null = null, hasMailServer = outbox === null) => {
  const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods: [], hasMailServer, outbox };
  const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) };
  return show(
    <AppContextProvider value={{ passwords } as unknown as AppContext}>
      <AppQueriesProvider value={queries as unknown as AppQueries}>{piece}</AppQueriesProvider>
    </AppContextProvider>,
  );
};

beforeEach(() => {
  vi.clearAllMocks();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/authorization/newpassword');
});

describe('a forgotten password', () => {
  const openForgot = async (outbox: string | null = null) => {
    await page(<ForgotPage onLanguage={() => {}} />, outbox);
    await screen.findByLabelText('E-mail');
  };

  it('cannot be requested without a mail server: the page says so at once, and whom to ask', async () => {
    await page(<ForgotPage onLanguage={() => {}} />, null, false);
    expect(await screen.findByText(/cannot send e-mail\. Ask an administrator of your clinic/)).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.getByRole('link', { name: 'Back to sign-in' })).toBeTruthy();
  });

  it('is answered in the outbox of the demo clinic, and the page says so at once', async () => {
    await openForgot('/demo/outbox');
    expect(screen.getByText(/the message is put in its outbox/)).toBeTruthy();
  });

  it('requests the e-mail in the current language, and continues without telling whether the account exists', async () => {
    await openForgot();
    await userEvent.keyboard('maja@klinik.example{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/authorization/password/forgot/success'));
    expect(passwords.requestReset.mock.calls).toEqual([['maja@klinik.example', 'en']]);
  });

  it('requires an address', async () => {
    await openForgot();
    await userEvent.keyboard('{Enter}');
    expect(descriptionOf(screen.getByLabelText('E-mail'))).toBe('This field are required');
    await userEvent.keyboard('maja{Enter}');
    expect(descriptionOf(screen.getByLabelText('E-mail'))).toMatch(/name@clinic\.se/);
    expect(passwords.requestReset).not.toHaveBeenCalled();
  });

  it('reports a failure and can be sent again', async () => {
    passwords.requestReset.mockImplementationOnce(() => Promise.reject(new ServiceError({ kind: 'offline' })));
    await openForgot();
    await userEvent.keyboard('maja@klinik.example{Enter}');
    expect(await screen.findByText(/There is some problem with network/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
    await waitFor(() => expect(passwords.requestReset).toHaveBeenCalledTimes(2));
  });

  it('does not reveal whether the account exists, and links to the outbox in the demo only', async () => {
    const shown = await page(<ForgotSuccessPage onLanguage={() => {}} />);
    expect(screen.getByText(/If an account has this address/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect(screen.queryByRole('link', { name: /outbox/ })).toBeNull();
    shown.unmount();
    await page(<ForgotSuccessPage onLanguage={() => {}} />, '/demo/outbox');
    expect((await screen.findByRole('link', { name: /outbox/ })).getAttribute('href')).toBe('/demo/outbox');
    expect(screen.getByText(/no e-mail is sent/)).toBeTruthy();
    expect(screen.queryByText(/waits to be sent/)).toBeNull();
  });
});

describe('a new password', () => {
  const open = async (hash = link) => {
    window.history.replaceState(null, '', `/authorization/newpassword${hash}`);
    return page(<NewPasswordPage onLanguage={() => {}} />);
  };
  const rulesMet = () =>
    screen
      .getAllByRole('listitem')
      .filter((item) => item.querySelector('[aria-label="met"]'))
      .map((item) => item.textContent);

  it('removes the token from the address bar, keeps it over a reload, and saves with it', async () => {
    const shown = await open();
    expect(window.location.hash).toBe('');
    shown.unmount();
    await open('');
    await userEvent.keyboard('Demo-2026!{Tab}{Tab}Demo-2026!{Enter}');
    expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'The password is changed' }));
    expect(passwords.reset.mock.calls).toEqual([[{ id, SecurityStamp: stamp, password: 'Demo-2026!' }]]);
    expect(sessionStorage).toHaveLength(0);
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/authorization/password');
  });

  it('shows a live checklist of the password rules', async () => {
    await open();
    expect(rulesMet()).toEqual([]);
    await userEvent.keyboard('ä7');
    expect(rulesMet()).toEqual(['a digit', 'a lowercase letter']);
    await userEvent.keyboard('Å-12');
    expect(rulesMet()).toHaveLength(5);
  });

  it('requires equal entries, reported when they differ', async () => {
    await open();
    await userEvent.type(screen.getByLabelText('New password'), 'Demo-2026!');
    const again = screen.getByLabelText('Repeat the password');
    await userEvent.type(again, 'Demo-2');
    expect(descriptionOf(again)).toBe('');
    await userEvent.type(again, '7');
    expect(descriptionOf(again)).toBe('Entered passwords must match');
    await userEvent.keyboard('{Enter}');
    expect(passwords.reset).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(again);
  });

  it('is required, and must meet the rules', async () => {
    await open();
    await userEvent.keyboard('{Enter}');
    expect(descriptionOf(screen.getByLabelText('New password'))).toBe('This field are required');
    await userEvent.keyboard('short{Enter}');
    expect(descriptionOf(screen.getByLabelText('New password'))).toMatch(/does not meet/);
    expect(passwords.reset).not.toHaveBeenCalled();
  });

  it('asks for a new link when this one is used or expired', async () => {
    passwords.reset.mockImplementationOnce(expired);
    await open();
    await userEvent.keyboard('Demo-2026!{Tab}{Tab}Demo-2026!{Enter}');
    expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'The link is no longer valid' }));
    expect(screen.getByRole('link').getAttribute('href')).toBe('/authorization/password/forgot');
    expect(sessionStorage).toHaveLength(0);
  });

  it('is not shown without a valid link', async () => {
    await open('#id=1&SecurityStamp=');
    expect(screen.getByRole('heading', { name: 'The link is no longer valid' })).toBeTruthy();
    expect(window.location.hash).toBe('');
  });
});
