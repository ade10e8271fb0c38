import type { QueryClient } from '@tanstack/query-core';
import { createLoadAccount } from '../services/account.ts';
import type { Call } from '../services/call.ts';
import { createDictionaries, keepFresh } from '../services/dictionaries.ts';

export interface AccountDependencies {
  readonly call: Call;
  readonly client: QueryClient;
  readonly chosenClinicId: () => string | null;
}

/** What is asked about somebody who has proved who they are; nothing of it is needed before. */
export const createAccount = ({ call, client, chosenClinicId }: AccountDependencies) => {
  const dictionaries = createDictionaries(call);
  return {
    load: createLoadAccount({ call, client, dictionaries, chosenClinicId }),
    /** Returns what stops it. */
    keepFresh: (mayReadRoles: boolean) => keepFresh(client, dictionaries, mayReadRoles),
  };
};
