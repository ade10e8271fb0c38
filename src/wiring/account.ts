import { type AccountDependencies, createLoadAccount } from '../services/account.ts';
import { createDictionaries, keepFresh } from '../services/dictionaries.ts';

/** What is asked about somebody who has proved who they are. */
export const createAccount = (deps: Omit<AccountDependencies, 'dictionaries'>) => {
  const { call, client } = deps;
  const dictionaries = createDictionaries(call);
  return {
    load: createLoadAccount({ ...deps, dictionaries }),
    /** Returns what stops it. */
    keepFresh: (mayReadRoles: boolean) => keepFresh(client, dictionaries, mayReadRoles),
  };
};
