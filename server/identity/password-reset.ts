import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { mailLanguage } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail, accountById } from '../db/stores/account-store.ts';
import { isSuperseded, mailsSentTo, type QueuedMail } from '../db/stores/mail-queue.ts';
import { hasPassword, setPasswordHash } from '../db/stores/password-hashes.ts';
import {
  addResetLink,
  isValidLink,
  removeResetLink,
  useResetLink,
  voidResetLinks,
} from '../db/stores/password-resets.ts';
import { removePin } from '../db/stores/pins.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { hashedToken } from '../db/stores/token-hash.ts';
import { ProblemError } from '../domain/problem-error.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { ensureAllowedPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { passwordResetEmail } from './password-reset-email.ts';

/** Kind of e-mail in the queue. */
export const passwordResetKind = 'password-reset';
const emailsPerHour = 3;
const hour = 3_600_000;

/** The URL fragment is not sent to the server, so the key appears in no log. */
const linkOf = (page: string, accountId: string, key: string): string => {
  const link = new URL(page);
  link.hash = new URLSearchParams({ id: accountId, SecurityStamp: key }).toString();
  return link.href;
};

/** Stores a new link of the account and returns its URL. */
const newLink = async (db: Kysely<Schema>, accountId: string, page: string, goodForMinutes: number) => {
  const key = randomBytes(32).toString('base64url');
  const keyHash = hashedToken(key);
  const expiresAt = await addResetLink(db, { accountId, keyHash }, goodForMinutes * 60);
  return { link: linkOf(page, accountId, key), keyHash, expiresAt };
};

/** Of the link of a user who has no password yet. */
const invitationMinutes = 7 * 24 * 60;

/** Creates a link to hand over, which revokes the account's other ones. */
export const resetLinkToCopy = async (
  db: Kysely<Schema>,
  accountId: string,
  { page, goodForMinutes }: { readonly page: string; readonly goodForMinutes: number },
): Promise<{ readonly link: string; readonly expiresAt: Date }> => {
  const minutes = (await hasPassword(db, accountId)) ? goodForMinutes : invitationMinutes;
  const { link, keyHash, expiresAt } = await newLink(db, accountId, page, minutes);
  await voidResetLinks(db, accountId, keyHash);
  return { link, expiresAt };
};

/**
 * Renders the e-mail with a reset link, or returns null: no such account, inactive, three e-mails within the hour, or a newer request. The new link
 * works as soon as sending starts; older ones are revoked after it was sent.
 */
export const prepareResetEmail =
  (db: Kysely<Schema>, resetMinutes: number) =>
  async (request: QueuedMail): Promise<PreparedEmail | null> => {
    if (request.kind !== passwordResetKind) return null;
    const account = await accountByEmail(db, request.email);
    if (!account?.isActive || (await isSuperseded(db, request, account.id))) return null;
    const since = new Date(Date.now() - hour);
    if ((await mailsSentTo(db, passwordResetKind, account.id, since)) >= emailsPerHour) return null;
    const isInvitation = !(await hasPassword(db, account.id));
    const goodForMinutes = isInvitation ? invitationMinutes : resetMinutes;
    const { link, keyHash } = await newLink(db, account.id, request.page, goodForMinutes);
    return {
      accountId: account.id,
      message: passwordResetEmail({
        language: mailLanguage.catch('sv').parse(request.language),
        to: account,
        link,
        goodForMinutes,
        isInvitation,
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

/**
 * Sets a new password with a valid, unused link. Ends all sessions of the account and revokes its other links. Returns the e-mail address.
 * @throws ProblemError 'link-expired'; 'invalid-request' by the policy
 */
export const resetPasswordBy =
  (db: Kysely<Schema>) =>
  async ({ accountId, key, password }: NewPassword): Promise<string> => {
    const link = { accountId, keyHash: hashedToken(key) };
    const account = await accountById(db, accountId);
    // Checked before hashing, so that invalid links are cheap.
    if (!account?.isActive || !(await isValidLink(db, link))) throw new ProblemError('link-expired');
    await ensureAllowedPassword(account.policy, password, account, account.customer?.name ?? null);
    const passwordHash = await hashPassword(password);
    await db.transaction().execute(async (transaction) => {
      if (!(await useResetLink(transaction, link))) throw new ProblemError('link-expired');
      await setPasswordHash(transaction, accountId, passwordHash);
      if (await removePin(transaction, accountId))
        await identityLog(transaction).note({ action: 'pin.removed', account });
      await voidResetLinks(transaction, accountId);
      await renewStamp(transaction, accountId, { reason: 'password-changed' });
      await signInAttempts(transaction).forget(account.email);
      await identityLog(transaction).note({ action: 'password.changed', account });
    });
    return account.email;
  };
