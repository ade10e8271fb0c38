import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';
import { numbersOf, pinHashOf, removePin, setPinHash } from '../../db/stores/pins.ts';
import { accountInSession } from '../../db/stores/sessions.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { isTrivialPin } from '../../domain/trivial-pin.ts';
import { identityLog } from '../identity-log.ts';
import { ownAccount } from '../own-account.ts';
import { hashPassword } from '../password.ts';

type Owner = Pick<Principal, 'accountId' | 'grantId'>;

/** Creates the changes of the caller's PIN, each with its entry in the access log. */
export const pinChanges = (db: Kysely<Schema>) => ({
  /** @throws ProblemError 'invalid-request' with `rule` 'common'; 'not-signed-in' when the session ended meanwhile */
  set: async ({ accountId, grantId }: Owner, pin: string): Promise<{ account: Account; isNew: boolean }> => {
    const account = await ownAccount(db, { accountId });
    if (isTrivialPin(pin, await numbersOf(db, accountId)))
      throw new ProblemError('invalid-request', [{ fieldKey: 'pin', vars: { rule: 'common' } }]);
    const hash = await hashPassword(pin);
    return db.transaction().execute(async (transaction) => {
      const isNew = (await pinHashOf(transaction, accountId)) === null;
      await setPinHash(transaction, accountId, hash);
      // The update has waited for a reset of the password, which ends this session and removes the PIN.
      if (!(await accountInSession(transaction, accountId, grantId))) throw new ProblemError('not-signed-in');
      await identityLog(transaction).note({ action: isNew ? 'pin.set' : 'pin.changed', account });
      return { account, isNew };
    });
  },

  /** @throws ProblemError 'not-found' */
  remove: async (owner: Owner): Promise<Account> => {
    const account = await ownAccount(db, owner);
    await db.transaction().execute(async (transaction) => {
      if (!(await removePin(transaction, account.id))) throw new ProblemError('not-found');
      await identityLog(transaction).note({ action: 'pin.removed', account });
    });
    return account;
  },
});
