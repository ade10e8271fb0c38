import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';
import { openApp, withFreshTab } from './app-of.tsx';

withFreshTab();

const overlay = () => screen.queryByText('Loading Dentarium');
const noPage = () => screen.findByRole('heading', { name: 'There is no such page' }, { timeout: 30_000 });

it('makes the page ready behind the overlay, once and for all', async () => {
  const { pass } = await openApp('/nowhere');
  const heading = await noPage();
  expect(overlay()).not.toBeNull();
  await pass(1_300);
  expect(overlay()).toBeNull();
  // The same element: what was made ready is what is shown.
  expect(await noPage()).toBe(heading);
});

it('makes no page ready for as long as nobody knows for whom', async () => {
  const asked = Promise.withResolvers<FoundGrant | null>();
  const { pass } = await openApp('/nowhere', { restore: () => asked.promise });
  await pass(5_000);
  expect(screen.queryByRole('main')).toBeNull();
  expect(window.location.pathname).toBe('/nowhere');
  await act(async () => asked.resolve({ renewInMs: 600_000 }));
  await noPage();
});
