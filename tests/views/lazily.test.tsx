import { screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazily } from '../../src/views/parts/lazily.ts';
import { show } from './render.tsx';

afterEach(() => vi.useRealTimers());

it('waits for a part of the program that does not come at once, and draws it when the line is back', async () => {
  const Card = () => <p>The card</p>;
  const load = vi.fn<() => Promise<typeof Card>>();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module')).mockResolvedValue(Card);
  const Late = lazily(load);
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
