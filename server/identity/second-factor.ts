import type { Account } from '../db/stores/account-store.ts';

export interface SecondFactor {
  /** A code of the authenticator, or a recovery code; each is good once. False as well when two-factor is off. */
  accepts(account: Account, code: string): Promise<boolean>;
}
