import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { recipientDetail } from '../../../contract/recipient.ts';
import type { BodyOf } from '../../../contract/route.ts';
import { type sharedOpen, typedCode } from '../../../contract/shared-links.ts';
import type { Access } from '../../db/stores/access-log.ts';
import {
  closeLink,
  countCode,
  linkById,
  linkOfOpening,
  type OpenLink,
  openLink,
  uncountCode,
} from '../../db/stores/shared-links.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { newSecret } from './link-secrets.ts';

/** Minutes for which the recipient sees the images before the code is asked for again. */
const openingMinutes = 30;

type LinkRow = NonNullable<Awaited<ReturnType<typeof linkById>>>;

/** Returns the entry of what a recipient did. The account is that of who made the link, the detail names the recipient. */
export const entryOfRecipient = (
  link: Pick<LinkRow, 'id' | 'customer_id' | 'patient_id' | 'account_id' | 'recipient' | 'purpose'>,
  action: 'share.opened' | 'share.downloaded' | 'share.closed',
): Omit<Access, 'at'> => ({
  accountId: link.account_id,
  customerId: link.customer_id,
  patientId: link.patient_id,
  action,
  objectId: link.id,
  detail: recipientDetail(link),
});

const isSecretOf = (link: LinkRow | undefined, secret: string): boolean => {
  const given = Buffer.from(hashedToken(secret));
  const right = Buffer.from(link?.secret_hash ?? '');
  return given.length === right.length && timingSafeEqual(given, right);
};

/**
 * Opens a link by its secret and code. Does the same work and fails alike, whatever is wrong.
 * @throws ProblemError 'shared-link-invalid'; 'too-many-requests' when nothing was checked
 */
export const openSharedLink = async (
  { db, accessLog, linkCodes }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'linkCodes'>,
  { id, secret, code }: BodyOf<typeof sharedOpen>,
): Promise<{ readonly link: OpenLink; readonly bearer: string }> => {
  const known = await linkById(db, id);
  const isSecretRight = isSecretOf(known, secret);
  const counted = await countCode(db, isSecretRight ? id : null);
  const isRight = await linkCodes.verify(typedCode(code), counted?.code_hash ?? undefined).catch(async (error) => {
    // The hashing queue was full, so nothing was checked.
    if (counted) await uncountCode(db, id);
    throw error;
  });
  if (!known || !counted || !isRight) {
    if (known && isSecretRight && (await closeLink(db, id)))
      await accessLog.note(entryOfRecipient(known, 'share.closed'));
    throw new ProblemError('shared-link-invalid');
  }
  const bearer = newSecret();
  const link = await openLink(db, id, { tokenHash: hashedToken(bearer), minutes: openingMinutes });
  if (!link) throw new ProblemError('shared-link-invalid');
  await accessLog.note(entryOfRecipient(link, 'share.opened'));
  return { link, bearer };
};

/** Returns the link that the caller's bearer opened. @throws ProblemError 'shared-link-invalid' when the bearer or the link has ended */
export const requireOpening = async (
  { db }: Pick<ResourceDependencies, 'db'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<OpenLink> => {
  const [, bearer] = /^Bearer ([\w-]{43})$/i.exec(headers.authorization ?? '') ?? [];
  const link = bearer === undefined ? undefined : await linkOfOpening(db, hashedToken(bearer));
  if (!link) throw new ProblemError('shared-link-invalid');
  return link;
};
