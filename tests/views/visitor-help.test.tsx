import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { selectSession } from '../../src/machines/app/app.machine.ts';
import { openApp, startedApp, withFreshTab } from './render-app.tsx';
import { offered } from './sign-in-session.ts';

// The renderer of the viewer needs a browser; its table of shortcuts does not.
vi.mock('../../src/viewer/index.ts', () => import('./viewer/viewer-without-gpu.ts'));

withFreshTab();

const welcome = {
  demoAccounts: [],
  awaitsFirstAdministrator: false,
  methods: offered('password'),
  hasMailServer: true,
  outbox: null,
};
const queries = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) } as never;
const signedOut = { as: null, queries };
const help = () => screen.findByRole('heading', { level: 1, name: 'Help' });
const signInPage = () => screen.findByRole('heading', { level: 1, name: 'Sign in' });
const path = () => window.location.pathname;

it('is readable without a sign-in and without the app shell', async () => {
  await startedApp('/help', signedOut);
  await help();
  expect(path()).toBe('/help');
  expect(screen.queryByRole('button', { name: 'Account and settings' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Patient' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('main'));
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search the help' }), 'BankID');
  expect(screen.getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(0);
});

it('links to the sign-in page and back', async () => {
  await startedApp('/authorization', signedOut);
  await signInPage();
  await userEvent.click(screen.getByRole('link', { name: 'Help' }));
  await help();
  await userEvent.click(screen.getByRole('link', { name: 'Back to sign-in' }));
  await signInPage();
  expect(path()).toBe('/authorization');
});

it('uses the language chosen there', async () => {
  await startedApp('/help', signedOut);
  await help();
  await userEvent.click(screen.getByRole('button', { name: 'Dansk' }));
  await screen.findByRole('heading', { level: 1, name: 'Hjælp' });
  expect(screen.getByRole('link', { name: 'Tilbage til login' })).toBeTruthy();
});

it.each(['/help/more', '/helpful', '/log', '/'])('opens no other page: %s requires a sign-in', async (address) => {
  await openApp(address, signedOut);
  await vi.waitFor(() => expect(path()).toBe('/authorization'));
});

it('does not stay open after a sign-out', async () => {
  const { app } = await startedApp('/help', { queries });
  await help();
  expect(screen.getByRole('button', { name: 'Account and settings' })).toBeTruthy();
  await act(async () => selectSession(app.getSnapshot())?.send({ type: 'sign-out.requested' }));
  await signInPage();
  expect(path()).toBe('/authorization');
});
