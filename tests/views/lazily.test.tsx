import { act, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyComponent, preloadableComponent, useLoaded } from '../../src/views/ui/lazy-component.ts';
import { show } from './render.tsx';

afterEach(() => vi.useRealTimers());

it('retries a component that fails to load, and renders it when the network is back', async () => {
  const Card = () => <p>The card</p>;
  const load = vi.fn<() => Promise<typeof Card>>();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module')).mockResolvedValue(Card);
  const Late = lazyComponent(load);
  await show(
    <Suspense fallback={<p>Loading</p>}>
      <Late />
    </Suspense>,
  );
  expect(screen.getByText('Loading')).toBeTruthy();
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText('The card')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(2);
});

it('retries a service with pauses, once for all that wait for it', async () => {
  const load = vi.fn<() => Promise<string>>(() => Promise.reject(new TypeError('Failed to fetch')));
  const Card = () => <p>{useLoaded(load)}</p>;
  await show(
    <Suspense fallback={<p>Loading</p>}>
      <Card />
      <Card />
    </Suspense>,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  window.dispatchEvent(new Event('online'));
  await act(async () => {});
  const callCount = load.mock.calls.length;
  for (let second = 0; second < 10; second += 1) await act(async () => void vi.advanceTimersByTime(1_000));
  expect(load.mock.calls.length - callCount).toBeGreaterThan(1);
  expect(load.mock.calls.length - callCount).toBeLessThan(10);
  load.mockResolvedValue('The card');
  await act(async () => void window.dispatchEvent(new Event('online')));
  vi.useRealTimers();
  expect(await screen.findAllByText('The card')).toHaveLength(2);
});

it('renders a preloaded component at once, and suspends for others', async () => {
  const Card = ({ name }: { readonly name: string }) => <p>The card of {name}</p>;
  const Fetched = preloadableComponent(async () => Card);
  await Fetched.fetch();
  const fallback = vi.fn(() => <p>Loading</p>);
  const Fallback = () => fallback();
  await show(
    <Suspense fallback={<Fallback />}>
      <Fetched name="Anna" />
    </Suspense>,
  );
  expect(screen.getByText('The card of Anna')).toBeTruthy();
  expect(fallback).not.toHaveBeenCalled();
  const Late = preloadableComponent(async () => Card);
  await show(
    <Suspense fallback={<Fallback />}>
      <Late name="Olle" />
    </Suspense>,
  );
  expect(await screen.findByText('The card of Olle')).toBeTruthy();
  expect(fallback).toHaveBeenCalled();
});
