import type { QueryClient } from '@tanstack/query-core';
import { accountInfo, type CurrentUser } from '../../contract/account.ts';
import { mayDo } from '../../contract/claims.ts';
import { customerGet } from '../../contract/customers.ts';
import type { Call } from './call.ts';
import type { Dictionaries } from './dictionaries.ts';
import { failureOf } from './failure.ts';
import type { claimsOf } from './stored-tokens.ts';

export interface SessionAccount {
  readonly user: CurrentUser;
  /** The token's own list. */
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
  /** Told which clinic is being asked for, before the archive has agreed. What it does beside is waited for; it never fails. */
  readonly onClinicAsked?: (clinicId: string) => Promise<unknown>;
}

/**
 * Loads what the program must know of somebody: dictionaries, clinic, account, all asked for at once. @throws ServiceError of the first of them,
 * in this order, that failed
 */
export const createLoadAccount = (deps: AccountDependencies) => {
  const { call, client, dictionaries, chosenClinicId, onClinicAsked } = deps;
  const clinicOf = async (ownId: string | null, mayChoose: boolean) => {
    const id = ownId ?? (mayChoose ? chosenClinicId() : null);
    if (id === null) return null;
    const beside = onClinicAsked?.(id);
    try {
      const { name } = await call(customerGet, { params: { id } });
      await beside;
      return { id, name };
    } catch (error) {
      // A clinic remembered by the tab may be gone; then none is chosen.
      if (ownId === null && failureOf(error).kind === 'refused') return null;
      throw error;
    }
  };

  return async ({ permission, customer_id }: ReturnType<typeof claimsOf>): Promise<SessionAccount> => {
    const known = client.fetchQuery({ ...dictionaries.claims(), staleTime: 0, retry: false });
    const roles = mayDo(permission, 'role.get')
      ? client.fetchQuery({ ...dictionaries.roles(), staleTime: 0, retry: false })
      : null;
    const opened = clinicOf(customer_id, mayDo(permission, 'customer.get'));
    const account = call(accountInfo, { query: {} });
    // None of them is left alone with its failure.
    await Promise.allSettled([known, roles, opened, account]);
    const knownClaims = await known;
    await roles;
    const clinic = await opened;
    const user = await account;
    return { user, permission, clinic, knownClaims };
  };
};
