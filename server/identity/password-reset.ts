import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { languageOfLetters } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail, accountById } from '../db/stores/account-store.ts';
import { isOvertaken, lettersSentTo, type WaitingLetter } from '../db/stores/letters.ts';
import { setPasswordHash } from '../db/stores/password-hashes.ts';
import {
  addResetLink,
  isGoodLink,
  removeResetLink,
  useResetLink,
  voidResetLinks,
} from '../db/stores/password-resets.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { hashedToken } from '../db/stores/token-hash.ts';
import { passwordResetLetter } from '../mail/password-reset-letter.ts';
import type { Ready } from '../mail/post.ts';
import { Refusal } from '../refusal.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { hashPassword } from './password.ts';

/** Kind of letter. */
export const passwordResetKind = 'password-reset';
const lettersAnHour = 3;
const hour = 3_600_000;

/** What stands behind the # never leaves the browser, so the key is in no log on the way. */
const linkOf = (page: string, accountId: string, key: string): string => {
  const link = new URL(page);
  link.hash = new URLSearchParams({ id: accountId, SecurityStamp: key }).toString();
  return link.href;
};

/**
 * A wish -> the letter with its link, or null when nobody gets one: no such account, an inactive one, three letters within the hour, or a later
 * wish. The link works as soon as it is on its way, and the ones before it are void when it is out.
 */
export const prepareResetLetter =
  (db: Kysely<Schema>, resetMinutes: number) =>
  async (wish: WaitingLetter): Promise<Ready | null> => {
    if (wish.kind !== passwordResetKind) return null;
    const account = await accountByEmail(db, wish.email);
    if (!account?.isActive || (await isOvertaken(db, wish, account.id))) return null;
    const since = new Date(Date.now() - hour);
    if ((await lettersSentTo(db, passwordResetKind, account.id, since)) >= lettersAnHour) return null;
    const key = randomBytes(32).toString('base64url');
    const keyHash = hashedToken(key);
    await addResetLink(db, { accountId: account.id, keyHash }, resetMinutes * 60);
    return {
      accountId: account.id,
      letter: passwordResetLetter({
        language: languageOfLetters.catch('sv').parse(wish.language),
        to: account,
        link: linkOf(wish.page, account.id, key),
        goodForMinutes: resetMinutes,
      }),
      settle: async (isSent) => {
        if (!isSent) return removeResetLink(db, keyHash);
        await voidResetLinks(db, account.id, keyHash);
        await identityLog(db).note({ action: 'password.reset-requested', account });
      },
    };
  };

interface NewPassword {
  readonly accountId: string;
  readonly key: string;
  readonly password: string;
}

/** Once, and not after it has expired. Ends all sessions of the account, and makes its other links void. @throws Refusal 'link-expired' */
export const resetPasswordBy =
  (db: Kysely<Schema>) =>
  async ({ accountId, key, password }: NewPassword): Promise<void> => {
    const link = { accountId, keyHash: hashedToken(key) };
    const account = await accountById(db, accountId);
    // Looked at before the hashing, so that made-up links cost next to nothing.
    if (!account?.isActive || !(await isGoodLink(db, link))) throw new Refusal('link-expired');
    const passwordHash = await hashPassword(password);
    await db.transaction().execute(async (transaction) => {
      if (!(await useResetLink(transaction, link))) throw new Refusal('link-expired');
      await setPasswordHash(transaction, accountId, passwordHash);
      await voidResetLinks(transaction, accountId);
      await renewStamp(transaction, accountId);
      await signInAttempts(transaction).forget(account.email);
      await identityLog(transaction).note({ action: 'password.changed', account });
    });
  };
