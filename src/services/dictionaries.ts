import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';

/** Roles and claims are loaded at sign-in. They change rarely, but also during a session. */
const refreshMs = 600_000;

export const createDictionaries = (call: Call) => {
  const refreshOptions = { staleTime: refreshMs, refetchInterval: refreshMs, refetchOnWindowFocus: 'always' } as const;
  return {
    claims: () => ({
      ...refreshOptions,
      queryKey: ['dictionary', 'claims'] as const,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<ReplyOf<typeof roleClaims>> =>
        call(roleClaims, { signal }),
    }),
    /** Requires the claim to read roles. */
    roles: () => ({
      ...refreshOptions,
      queryKey: ['dictionary', 'roles'] as const,
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<ReplyOf<typeof roles>> => call(roles, { signal }),
    }),
  };
};
export type Dictionaries = ReturnType<typeof createDictionaries>;

/** Refreshes the dictionaries every ten minutes and on focus. Returns the function that stops it. */
export const keepDictionariesFresh = (
  client: QueryClient,
  dictionaries: Dictionaries,
  mayReadRoles: boolean,
): (() => void) => {
  const unsubscribes = [
    new QueryObserver(client, dictionaries.claims()).subscribe(() => {}),
    ...(mayReadRoles ? [new QueryObserver(client, dictionaries.roles()).subscribe(() => {})] : []),
  ];
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
};
