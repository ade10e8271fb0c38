import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type MailLanguage, mailLanguage } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { accountByEmail } from '../db/stores/account-store.ts';
import type { QueuedMail } from '../db/stores/mail-queue.ts';
import type { MailDestination, Mailer, PreparedEmail } from '../mail/mailer.ts';
import { accountEmail } from './account-email.ts';
import { type NoticeKind, noticeKinds, noticeTexts } from './notice-texts.ts';

/** Returns the language of notices by the first of an `Accept-Language` header. */
export const noticeLanguage = (request: Pick<FastifyRequest, 'headers'>): MailLanguage => {
  const [primary = ''] = /^[a-z]+/i.exec(request.headers['accept-language']?.trim() ?? '') ?? [];
  const language = primary.toLowerCase();
  return mailLanguage.catch('sv').parse(['nb', 'nn'].includes(language) ? 'no' : language);
};

/** Queues a notice to a user, if there is a mail server. `language`: of the request, as the archive does not know that of its users. */
export type TellUser = (kind: NoticeKind, email: string, language: string) => Promise<void>;

export const tellUser =
  (deps: {
    readonly issuer: string;
    readonly mailer: Mailer;
    readonly mailDestination: () => Promise<MailDestination>;
  }): TellUser =>
  async (kind, email, language) => {
    if ((await deps.mailDestination()) === 'none') return;
    await deps.mailer.enqueue({ kind, email, language, page: deps.issuer });
    deps.mailer.wake();
  };

const isNotice = (kind: string): kind is NoticeKind => noticeKinds.some((one) => one === kind);

/** Renders a notice of the queue; null for other kinds, and when there is no such active account. */
export const prepareNotice =
  (db: Kysely<Schema>) =>
  async ({ kind, email, language, page }: QueuedMail): Promise<PreparedEmail | null> => {
    if (!isNotice(kind)) return null;
    const account = await accountByEmail(db, email);
    if (!account?.isActive) return null;
    const known = mailLanguage.catch('sv').parse(language);
    const values = { place: new URL(page).host };
    const message = accountEmail({ language: known, to: account, ...noticeTexts[kind][known], values });
    return { accountId: account.id, message, settle: async () => undefined };
  };
