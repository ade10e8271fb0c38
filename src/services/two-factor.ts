import type { QueryClient } from '@tanstack/query-core';
import { accountInfo } from '../../contract/account.ts';
import { twoFactorDisable, twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import type { Call } from './call.ts';
import { queryRoots } from './query-roots.ts';

export interface TwoFactor {
  /** A new shared key, which counts when its first code has been verified. */
  readonly setUp: (signal: AbortSignal) => Promise<{ readonly sharedKey: string; readonly authenticatorUri: string }>;
  /** Turns two-factor on; answers with the recovery codes, this once. @throws ServiceError `incorrect-code` */
  readonly verify: (code: string) => Promise<readonly string[]>;
  /** Turns it off, by a code of the authenticator or a recovery code. @throws ServiceError `incorrect-code` */
  readonly disable: (code: string) => Promise<void>;
  /** Past everything that was kept. */
  readonly isOn: (signal: AbortSignal) => Promise<boolean>;
}

/** The two factors of whoever is signed in. What is kept of the account is old as soon as one of them changed. */
export const createTwoFactor = (call: Call, client: QueryClient): TwoFactor => {
  const accountIsOld = () => void client.invalidateQueries({ queryKey: [queryRoots.account] });
  return {
    setUp: async (signal) => (await call(twoFactorSetup, { signal })).data,
    verify: async (code) => {
      const { data } = await call(twoFactorVerify, { body: { verificationCode: code } });
      accountIsOld();
      return data.recoveryCodes;
    },
    disable: async (code) => {
      await call(twoFactorDisable, { body: { verificationCode: code } });
      accountIsOld();
    },
    isOn: async (signal) => {
      const account = await call(accountInfo, { query: {}, signal });
      client.setQueryData([queryRoots.account], account);
      return account.twoFactorEnabled;
    },
  };
};
