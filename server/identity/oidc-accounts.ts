import type { OidcAccount } from 'oidc-provider';
import type { Account } from '../db/stores/account-store.ts';

/** Returns the user's claims for the browser: in the id token and from /connect/userinfo. */
export const userInfoOf = (account: Account) => ({
  sub: account.id,
  name: `${account.firstName} ${account.lastName}`,
  email: account.email,
  role: [account.role],
  permission: [...account.claims],
});

/** Returns the access token claims for the browser. The server itself reads rights from the database only. */
export const accessClaimsOf = (account: Account, grantId: string) => ({
  /** Session of the token; the server checks on every request that it still exists. */
  grant: grantId,
  permission: [...account.claims],
  role: [account.role],
  customer_id: account.customer?.id ?? null,
});

export const oidcAccount = (account: Account): OidcAccount => ({
  accountId: account.id,
  claims: async () => userInfoOf(account),
});
