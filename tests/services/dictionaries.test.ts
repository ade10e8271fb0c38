import { environmentManager, focusManager } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { Route } from '../../contract/route.ts';
import type { Call } from '../../src/services/call.ts';
import { createDictionaries, keepDictionariesFresh } from '../../src/services/dictionaries.ts';
import { createQueryClient } from '../../src/services/queries.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Queries refetch automatically in a browser only.
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
});
afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
});

const fresh = (mayReadRoles: boolean) => {
  const requests: string[] = [];
  const call = async ({ path }: Route) => {
    requests.push(path);
    return [];
  };
  const client = createQueryClient();
  client.mount();
  const stop = keepDictionariesFresh(client, createDictionaries(call as Call), mayReadRoles);
  const leave = () => {
    stop();
    client.unmount();
  };
  return { requests, stop: leave };
};

it('refetches the dictionaries every ten minutes and when the page becomes visible, until it is stopped', async () => {
  const { requests, stop } = fresh(true);
  const one = [roleClaims.path, roles.path];
  await vi.advanceTimersByTimeAsync(599_000);
  expect(requests).toEqual(one);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(requests).toEqual([...one, ...one]);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toHaveLength(6);
  stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(requests).toHaveLength(6);
});

it('never fetches the roles without the right to read them', async () => {
  const { requests, stop } = fresh(false);
  await vi.advanceTimersByTimeAsync(1_201_000);
  stop();
  expect(requests).toEqual([roleClaims.path, roleClaims.path, roleClaims.path]);
});
