import type { QueryClient } from '@tanstack/query-core';
import { accountInfo, type CurrentUser } from '../../contract/account.ts';
import { hasClaim } from '../../contract/claims.ts';
import { customerGet } from '../../contract/customers.ts';
import type { Call } from './call.ts';
import { createDictionaries, type Dictionaries, keepDictionariesFresh } from './dictionaries.ts';
import { failureOf } from './failure.ts';
import type { claimsOf } from './stored-tokens.ts';

export interface SessionAccount {
  readonly user: CurrentUser;
  /** The list in the token. */
  readonly permission: readonly string[];
  readonly clinic: { readonly id: string; readonly name: string } | null;
  readonly knownClaims: readonly string[];
}

export interface AccountDependencies {
  readonly call: Call;
  readonly client: QueryClient;
  readonly dictionaries: Dictionaries;
  /** The clinic that a super administrator had chosen in this tab. */
  readonly chosenClinicId: () => string | null;
  /** Called with the requested clinic before the reply. Its promise is awaited and never rejects. */
  readonly onClinicRequested?: (clinicId: string) => Promise<unknown>;
}

/**
 * Returns a function that loads dictionaries, clinic and account of a user in parallel.
 * @throws ServiceError of the first that failed, in this order
 */
export const createLoadAccount = (deps: AccountDependencies) => {
  const { call, client, dictionaries, chosenClinicId, onClinicRequested: onClinicAsked } = deps;
  const clinicOf = async (ownId: string | null, mayChoose: boolean) => {
    const id = ownId ?? (mayChoose ? chosenClinicId() : null);
    if (id === null) return null;
    const alongside = onClinicAsked?.(id);
    try {
      const { name } = await call(customerGet, { params: { id } });
      await alongside;
      return { id, name };
    } catch (error) {
      // The clinic stored for the tab may no longer exist.
      if (ownId === null && failureOf(error).kind === 'refused') return null;
      throw error;
    }
  };

  return async ({ permission, customer_id }: ReturnType<typeof claimsOf>): Promise<SessionAccount> => {
    const known = client.fetchQuery({ ...dictionaries.claims(), staleTime: 0, retry: false });
    const roles = hasClaim(permission, 'role.get')
      ? client.fetchQuery({ ...dictionaries.roles(), staleTime: 0, retry: false })
      : null;
    const opened = clinicOf(customer_id, hasClaim(permission, 'customer.get'));
    const account = call(accountInfo, { query: {} });
    // Avoids unhandled rejections of the others.
    await Promise.allSettled([known, roles, opened, account]);
    const knownClaims = await known;
    await roles;
    const clinic = await opened;
    const user = await account;
    return { user, permission, clinic, knownClaims };
  };
};

/** Creates the loader of the signed-in user's account and dictionaries. */
export const createAccount = (deps: Omit<AccountDependencies, 'dictionaries'>) => {
  const { call, client } = deps;
  const dictionaries = createDictionaries(call);
  return {
    load: createLoadAccount({ ...deps, dictionaries }),
    /** Returns the function that stops it. */
    keepFresh: (mayReadRoles: boolean) => keepDictionariesFresh(client, dictionaries, mayReadRoles),
  };
};
