import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { blockedKeys, countAttempt, forgetAttempts, undoAttempt } from '../db/stores/sign-in-attempts.ts';
import { hashedName } from '../db/stores/token-hash.ts';
import { type LockoutKind, noSignInListener, type SignInListener } from '../domain/sign-in-failure.ts';
import { networkOf } from '../web/network-of.ts';

/**
 * Free attempts, longest delay after them (starting at 1 s, doubling), and idle time after which a counter is reset. An address may be the router of
 * a whole clinic, so it gets more attempts. One-time codes are short (three of a million are valid at any time), so their failures count for a day.
 */
const rules = {
  account: { free: 5, maxWaitSeconds: 300, forgottenAfter: '15 minutes' },
  address: { free: 30, maxWaitSeconds: 300, forgottenAfter: '15 minutes' },
  code: { free: 5, maxWaitSeconds: 900, forgottenAfter: '24 hours' },
  service: { free: 30, maxWaitSeconds: 300, forgottenAfter: '15 minutes' },
} as const satisfies Record<LockoutKind, object>;

/** A counted attempt. */
export interface Attempt {
  /** Takes back this attempt only, because it was no guess. */
  undo(): Promise<void>;
}

export interface Attempts {
  /** Counts an attempt before the password is checked, so that parallel guesses count too. Null while blocked. */
  begin(email: string, address: string): Promise<Attempt | null>;
  /** The same by address only, for a secret that belongs to no account name. */
  beginFromAddress(address: string): Promise<Attempt | null>;
  /**
   * The same for the secret of a service account (empty: an unknown one) from an address. Neither a guesser elsewhere nor a program with an old secret
   * behind the same router blocks others.
   */
  beginService(id: string, address: string): Promise<Attempt | null>;
  /** Resets the failures of the account name after a complete sign-in. */
  forget(email: string): Promise<void>;
  /** The same for one-time codes of an account, by account id. */
  beginCode(accountId: string): Promise<boolean>;
  forgetCodes(accountId: string): Promise<void>;
  /** Returns those of the accounts whose password or codes are blocked at the moment. */
  blockedAmong<Person extends { readonly id: string; readonly email: string }>(
    accounts: readonly Person[],
  ): Promise<readonly Person[]>;
}

/** Limits guessing of passwords and codes. The table stores only hashes, and unknown names are counted like known ones. */
export const signInAttempts = (db: Kysely<Schema>, listener: SignInListener = noSignInListener): Attempts => {
  const count = async (kind: LockoutKind, text: string) => {
    const counted = await countAttempt(db, hashedName(kind, text), rules[kind]);
    if (counted === undefined) listener.blocked(kind);
    return counted;
  };
  const forget = (kind: LockoutKind, text: string) => forgetAttempts(db, hashedName(kind, text));
  const undo = (kind: LockoutKind, text: string, counted: number) => undoAttempt(db, hashedName(kind, text), counted);

  return {
    begin: async (email, address) => {
      const network = networkOf(address);
      const ofAddress = await count('address', network);
      if (ofAddress === undefined) return null;
      const ofAccount = await count('account', email);
      if (ofAccount === undefined) return null;
      return {
        undo: async () => {
          await undo('account', email, ofAccount);
          await undo('address', network, ofAddress);
        },
      };
    },
    beginFromAddress: async (address) => {
      const network = networkOf(address);
      const counted = await count('address', network);
      return counted === undefined ? null : { undo: () => undo('address', network, counted) };
    },
    beginService: async (id, address) => {
      const name = `${id} ${networkOf(address)}`;
      const counted = await count('service', name);
      return counted === undefined ? null : { undo: () => undo('service', name, counted) };
    },
    forget: (email) => forget('account', email),
    beginCode: async (accountId) => (await count('code', accountId)) !== undefined,
    forgetCodes: (accountId) => forget('code', accountId),
    blockedAmong: async (accounts) => {
      const keysOf = ({ id, email }: { readonly id: string; readonly email: string }) => [
        hashedName('account', email),
        hashedName('code', id),
      ];
      const blocked = await blockedKeys(db, accounts.flatMap(keysOf));
      return accounts.filter((account) => keysOf(account).some((key) => blocked.has(key)));
    },
  };
};
