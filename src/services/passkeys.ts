import type { QueryClient } from '@tanstack/query-core';
import {
  passkeyAdd,
  passkeyOptions,
  passkeyProof,
  passkeyProofOptions,
  passkeyRemove,
  passkeyRename,
  passkeysGet,
} from '../../contract/passkeys.ts';
import type { ReplyOf } from '../../contract/route.ts';
import type { Call } from './call.ts';
import type { PasskeyCalls } from './passkey-calls.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';

/** Creates the calls about the passkeys of the signed-in user. Changes throw ServiceError `proof-needed` unless the user has proved who they are recently. */
export const createPasskeys = (call: Call, client: QueryClient, browser: PasskeyCalls) => {
  const listKey = ['passkeys'] as const;
  const invalidatePasskeys = async () => {
    await client.invalidateQueries({ queryKey: listKey });
    void client.invalidateQueries({ queryKey: [queryRoots.account] });
    // The sign-in page offers passkeys as soon as one exists.
    void client.invalidateQueries({ queryKey: ['welcome'] });
  };
  return {
    list: () => query<ReplyOf<typeof passkeysGet>>(listKey, (signal) => call(passkeysGet, { signal })),
    proveByPassword: (password: string) => call(passkeyProof, { body: { kind: 'password', password } }),
    proveByCode: (code: string) => call(passkeyProof, { body: { kind: 'code', code } }),
    proveByPasskey: async () => {
      const response = await browser.askForPasskey(await call(passkeyProofOptions, { body: {} }));
      return call(passkeyProof, { body: { kind: 'passkey', response } });
    },
    /** Returns the recovery codes of an account that had no second factor; else null. */
    add: async (name: string): Promise<readonly string[] | null> => {
      const response = await browser.createPasskey(await call(passkeyOptions, { body: {} }));
      const { recoveryCodes } = await call(passkeyAdd, { body: { name, response } });
      await invalidatePasskeys();
      return recoveryCodes;
    },
    rename: async (id: string, name: string): Promise<void> => {
      await call(passkeyRename, { body: { id, name } });
      await invalidatePasskeys();
    },
    remove: async (id: string): Promise<void> => {
      await call(passkeyRemove, { body: { id } });
      await invalidatePasskeys();
    },
  };
};
export type Passkeys = ReturnType<typeof createPasskeys>;
