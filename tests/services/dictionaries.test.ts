import { environmentManager, focusManager } from '@tanstack/query-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { Route } from '../../contract/route.ts';
import type { Call } from '../../src/services/call.ts';
import { createDictionaries, keepFresh } from '../../src/services/dictionaries.ts';
import { createQueryClient } from '../../src/services/queries.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // Queries refresh themselves in a browser only.
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
});
afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
  focusManager.setFocused(undefined);
});

const fresh = (mayReadRoles: boolean) => {
  const asked: string[] = [];
  const call = async ({ path }: Route) => {
    asked.push(path);
    return [];
  };
  const client = createQueryClient();
  client.mount();
  const stop = keepFresh(client, createDictionaries(call as Call), mayReadRoles);
  const leave = () => {
    stop();
    client.unmount();
  };
  return { asked, stop: leave };
};

it('asks for the dictionaries every ten minutes, and when the page is looked at again, until it is stopped', async () => {
  const { asked, stop } = fresh(true);
  const one = [roleClaims.path, roles.path];
  await vi.advanceTimersByTimeAsync(599_000);
  expect(asked).toEqual(one);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toEqual([...one, ...one]);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(6);
  stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(6);
});

it('never asks for the roles of who may not read them', async () => {
  const { asked, stop } = fresh(false);
  await vi.advanceTimersByTimeAsync(1_201_000);
  stop();
  expect(asked).toEqual([roleClaims.path, roleClaims.path, roleClaims.path]);
});
