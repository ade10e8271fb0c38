import type { QueryClient } from '@tanstack/query-core';
import { accountInfo } from '../../contract/account.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import type { Call } from './call.ts';
import { queryRoots } from './query-roots.ts';

export interface TwoFactor {
  /** Returns a new shared key, valid once its first code is verified. */
  readonly setUp: (signal: AbortSignal) => Promise<{ readonly sharedKey: string; readonly authenticatorUri: string }>;
  /** Turns two-factor on and returns the recovery codes. @throws ServiceError `incorrect-code` */
  readonly verify: (code: string) => Promise<readonly string[]>;
  /** Turns it off, by a code of the authenticator or a recovery code. @throws ServiceError `incorrect-code` */
  readonly disable: (code: string) => Promise<void>;
  /** Fetches whether the account has an authenticator, bypassing the cache. */
  readonly isOn: (signal: AbortSignal) => Promise<boolean>;
}

/** Creates the two-factor service of the signed-in user. Changes invalidate the account query. */
export const createTwoFactor = (call: Call, client: QueryClient): TwoFactor => {
  const invalidateAccount = () => void client.invalidateQueries({ queryKey: [queryRoots.account] });
  return {
    setUp: async (signal) => (await call(twoFactorSetup, { signal })).data,
    verify: async (code) => {
      const { data } = await call(twoFactorVerify, { body: { verificationCode: code } });
      invalidateAccount();
      return data.recoveryCodes;
    },
    disable: async (code) => {
      await call(twoFactorDisable, { body: { verificationCode: code } });
      invalidateAccount();
    },
    isOn: async (signal) => {
      const account = await call(accountInfo, { query: {}, signal });
      client.setQueryData([queryRoots.account], account);
      return account.hasAuthenticator ?? account.twoFactorEnabled;
    },
  };
};
