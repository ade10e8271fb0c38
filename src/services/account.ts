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
}

/** Loads what the program must know of somebody, in this order: dictionaries, clinic, account. @throws ServiceError of whichever failed */
export const createLoadAccount = ({ call, client, dictionaries, chosenClinicId }: AccountDependencies) => {
  const clinicOf = async (ownId: string | null, mayChoose: boolean) => {
    const id = ownId ?? (mayChoose ? chosenClinicId() : null);
    if (id === null) return null;
    try {
      const { name } = await call(customerGet, { params: { id } });
      return { id, name };
    } catch (error) {
      // A clinic remembered by the tab may be gone; then none is chosen.
      if (ownId === null && failureOf(error).kind === 'refused') return null;
      throw error;
    }
  };

  return async ({ permission, customer_id }: ReturnType<typeof claimsOf>): Promise<SessionAccount> => {
    const [knownClaims] = await Promise.all([
      client.fetchQuery({ ...dictionaries.claims(), staleTime: 0, retry: false }),
      ...(mayDo(permission, 'role.get')
        ? [client.fetchQuery({ ...dictionaries.roles(), staleTime: 0, retry: false })]
        : []),
    ]);
    const clinic = await clinicOf(customer_id, mayDo(permission, 'customer.get'));
    const user = await call(accountInfo, { query: {} });
    return { user, permission, clinic, knownClaims };
  };
};
