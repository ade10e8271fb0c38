import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { openApp, withFreshTab } from './render-app.tsx';

withFreshTab();

const overlay = () => screen.queryByText('Loading Dentarium');
const noPage = () => screen.findByRole('heading', { name: 'Page not found' }, { timeout: 30_000 });

it('renders the page behind the overlay once', async () => {
  const { pass } = await openApp('/nowhere');
  const heading = await noPage();
  expect(overlay()).not.toBeNull();
  await pass(1_300);
  expect(overlay()).toBeNull();
  // The same element: it was not rendered again.
  expect(await noPage()).toBe(heading);
});

it('renders no page until the session is known', async () => {
  const restored = Promise.withResolvers<FoundGrant | null>();
  const { pass } = await openApp('/nowhere', { restore: () => restored.promise });
  await pass(5_000);
  expect(screen.queryByRole('main')).toBeNull();
  expect(window.location.pathname).toBe('/nowhere');
  await act(async () => restored.resolve({ renewInMs: 600_000 }));
  await noPage();
});
