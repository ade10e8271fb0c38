import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { selectSession } from '../../src/machines/app/app.machine.ts';
import { openApp, startedApp, withFreshTab } from './app-of.tsx';
import { offered } from './sign-in-session.ts';

// The drawing half of the viewer needs a browser; its table of keys does not.
vi.mock('../../src/viewer/index.ts', () => import('./viewer/door.ts'));

withFreshTab();

const welcome = { demoAccounts: [], awaitsFirstAdministrator: false, methods: offered('password'), outbox: null };
const reading = { welcome: () => ({ queryKey: ['welcome'], queryFn: async () => welcome }) } as never;
const nobody = { as: null, reading };
const help = () => screen.findByRole('heading', { level: 1, name: 'Help' });
const signInPage = () => screen.findByRole('heading', { level: 1, name: 'Sign in' });
const path = () => window.location.pathname;

it('is read by somebody who is not signed in, without anything of the program around it', async () => {
  await startedApp('/help', nobody);
  await help();
  expect(path()).toBe('/help');
  expect(screen.queryByRole('button', { name: 'Account and settings' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Patient' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('main'));
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search the help' }), 'BankID');
  expect(screen.getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(0);
});

it('leads to the sign-in page and is reached from there', async () => {
  await startedApp('/authorization', nobody);
  await signInPage();
  await userEvent.click(screen.getByRole('link', { name: 'Help' }));
  await help();
  await userEvent.click(screen.getByRole('link', { name: 'Back to sign-in' }));
  await signInPage();
  expect(path()).toBe('/authorization');
});

it('speaks the language that is chosen there', async () => {
  await startedApp('/help', nobody);
  await help();
  await userEvent.click(screen.getByRole('button', { name: 'Dansk' }));
  await screen.findByRole('heading', { level: 1, name: 'Hjælp' });
  expect(screen.getByRole('link', { name: 'Tilbage til login' })).toBeTruthy();
});

it.each(['/help/more', '/helpful', '/log', '/'])('opens nothing else: %s asks for a sign-in', async (address) => {
  await openApp(address, nobody);
  await vi.waitFor(() => expect(path()).toBe('/authorization'));
});

it('does not keep somebody who signs out there', async () => {
  const { app } = await startedApp('/help', { reading });
  await help();
  expect(screen.getByRole('button', { name: 'Account and settings' })).toBeTruthy();
  await act(async () => selectSession(app.getSnapshot())?.send({ type: 'sign-out.wanted' }));
  await signInPage();
  expect(path()).toBe('/authorization');
});
