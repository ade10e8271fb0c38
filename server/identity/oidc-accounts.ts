import type { OidcAccount } from 'oidc-provider';
import type { Account } from '../db/stores/account-store.ts';

/** What the identity says about a person to the browser: in the id token and from /connect/userinfo. */
export const userInfoOf = (account: Account) => ({
  sub: account.id,
  name: `${account.firstName} ${account.lastName}`,
  email: account.email,
  role: [account.role],
  permission: [...account.claims],
});

/** What the access token carries for the browser. The server itself reads rights from the database, never from here. */
export const accessClaimsOf = (account: Account, grantId: string) => ({
  /** Of which session the token is: the archive looks at every call whether that is still going on. */
  grant: grantId,
  permission: [...account.claims],
  role: [account.role],
  customer_id: account.customer?.id ?? null,
});

export const oidcAccount = (account: Account): OidcAccount => ({
  accountId: account.id,
  claims: async () => userInfoOf(account),
});
