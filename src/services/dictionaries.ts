import { type QueryClient, QueryObserver } from '@tanstack/query-core';
import { roleClaims, roles } from '../../contract/roles.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';

/** Roles and the names of claims: what the program must know before anybody works with it. They change seldom, but under somebody's hands. */
const refreshMs = 600_000;

export const createDictionaries = (call: Call) => {
  const kept = { staleTime: refreshMs, refetchInterval: refreshMs, refetchOnWindowFocus: 'always' } as const;
  return {
    claims: () => ({
      ...{ ...kept, queryKey: ['dictionary', 'claims'] as const },
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<ReplyOf<typeof roleClaims>> =>
        call(roleClaims, { signal }),
    }),
    /** For who may read roles. */
    roles: () => ({
      ...{ ...kept, queryKey: ['dictionary', 'roles'] as const },
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<ReplyOf<typeof roles>> => call(roles, { signal }),
    }),
  };
};
export type Dictionaries = ReturnType<typeof createDictionaries>;

/** Keeps the dictionaries fresh: every ten minutes, and when the page is looked at again. Returns what stops it. */
export const keepFresh = (client: QueryClient, dictionaries: Dictionaries, mayReadRoles: boolean): (() => void) => {
  const leaves = [
    new QueryObserver(client, dictionaries.claims()).subscribe(() => {}),
    ...(mayReadRoles ? [new QueryObserver(client, dictionaries.roles()).subscribe(() => {})] : []),
  ];
  return () => {
    for (const leave of leaves) leave();
  };
};
