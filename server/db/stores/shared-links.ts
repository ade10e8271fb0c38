import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { endedListedDays, maxWrongCodes, type SharedLink } from '../../../contract/shared-links.ts';
import type { Schema } from '../schema.ts';
import type { LinkEndReason, SharedLinkTable } from '../shared-link-tables.ts';

/** Returns links that are valid now: not ended or expired, and neither clinic nor patient is gone or the clinic's sharing off. */
const openLinks = (db: Kysely<Schema>) =>
  db
    .selectFrom('shared_link')
    .innerJoin('customer', 'customer.id', 'shared_link.customer_id')
    .innerJoin('patient', 'patient.id', 'shared_link.patient_id')
    .where('shared_link.ended_at', 'is', null)
    .where('shared_link.expires_at', '>', sql<Date>`now()`)
    .where('customer.deleted_at', 'is', null)
    .where('customer.shares_links', '=', true)
    .where('patient.deleted_at', 'is', null);

const withNames = (db: Kysely<Schema>) =>
  openLinks(db)
    .selectAll('shared_link')
    .select(['customer.name as clinic_name', 'patient.personal_number'])
    .select(sql<string>`patient.first_name || ' ' || patient.last_name`.as('patient_name'));

export type OpenLink = Awaited<ReturnType<typeof linkOfOpening>> & object;

/** Returns whether images of the clinic may be shared by link. */
export const sharesLinks = async (db: Kysely<Schema>, customerId: string): Promise<boolean> => {
  const clinic = db.selectFrom('customer').select('shares_links').where('id', '=', customerId);
  return (await clinic.where('deleted_at', 'is', null).executeTakeFirst())?.shares_links ?? false;
};

/** Inserts a link with its images in this order. False when the clinic has just stopped sharing. */
export const insertLink = async (
  transaction: Transaction<Schema>,
  link: Insertable<SharedLinkTable>,
  imageIds: readonly string[],
): Promise<boolean> => {
  // Locked, so that a clinic that stops sharing at the same time ends this link too.
  const clinic = transaction.selectFrom('customer').select('shares_links').where('id', '=', link.customer_id);
  if (!(await clinic.forShare().executeTakeFirstOrThrow()).shares_links) return false;
  await transaction.insertInto('shared_link').values(link).execute();
  const images = imageIds.map((image_id, position) => ({ link_id: link.id, position, image_id }));
  await transaction.insertInto('shared_link_image').values(images).execute();
  return true;
};

/** Returns who a link belongs to and the hash of its secret, also of one that has ended. */
export const linkById = (db: Kysely<Schema>, id: string) =>
  db
    .selectFrom('shared_link')
    .select(['id', 'customer_id', 'patient_id', 'account_id', 'recipient', 'purpose', 'secret_hash'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Counts a code before it is checked, so that parallel guesses count too. Undefined for a link that is not open. */
export const countCode = async (db: Kysely<Schema>, id: string | null) =>
  db
    .updateTable('shared_link')
    .set({ wrong_codes: sql<number>`wrong_codes + 1` })
    .where('id', 'in', openLinks(db).select('shared_link.id').where('shared_link.id', '=', sql<string>`${id}::uuid`))
    .where('wrong_codes', '<', maxWrongCodes)
    .returning(['code_hash', 'wrong_codes'])
    .executeTakeFirst();

/** Takes back a counted code that could not be checked. */
export const uncountCode = async (db: Kysely<Schema>, id: string): Promise<void> => {
  await db
    .updateTable('shared_link')
    .set({ wrong_codes: sql<number>`greatest(wrong_codes - 1, 0)` })
    .where('id', '=', id)
    .execute();
};

interface Opening {
  readonly tokenHash: string;
  readonly minutes: number;
}

/** Records that the recipient opened the link. Undefined when it has just ended. */
export const openLink = (db: Kysely<Schema>, id: string, { tokenHash, minutes }: Opening) =>
  db.transaction().execute(async (transaction) => {
    const opened = await transaction
      .updateTable('shared_link')
      .set({ wrong_codes: 0, opened: sql<number>`opened + 1`, last_opened_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!opened) return undefined;
    const expires_at = sql<Date>`now() + make_interval(mins => ${minutes}::int)`;
    await transaction
      .insertInto('shared_link_opening')
      .values({ token_hash: tokenHash, link_id: id, expires_at })
      .execute();
    return linkOfOpening(transaction, tokenHash);
  });

/** Returns the link that a bearer opened, while both are valid. */
export const linkOfOpening = (db: Kysely<Schema>, tokenHash: string) =>
  withNames(db)
    .innerJoin('shared_link_opening', 'shared_link_opening.link_id', 'shared_link.id')
    .where('shared_link_opening.token_hash', '=', tokenHash)
    .where('shared_link_opening.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();

/** Ends an open link for a user. False when it has ended already. */
export const endLink = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const ended = await db
    .updateTable('shared_link')
    .set({ ended_at: sql<Date>`now()`, end_reason: 'user' })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
};

/** Closes a link for which as many wrong codes were entered as are allowed. False when it is not one, or has ended already. */
export const closeLink = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const closed = await db
    .updateTable('shared_link')
    .set({ ended_at: sql<Date>`now()`, end_reason: 'wrong-codes' })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('wrong_codes', '>=', maxWrongCodes)
    .returning('id')
    .executeTakeFirst();
  return closed !== undefined;
};

/** Ends all links of a clinic and returns them. */
export const endLinksOfClinic = (db: Kysely<Schema>, customerId: string) =>
  db
    .updateTable('shared_link')
    .set({ ended_at: sql<Date>`now()`, end_reason: 'clinic' })
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['id', 'patient_id', 'recipient', 'purpose'])
    .execute();

const stateOf = (end: LinkEndReason | null, isExpired: boolean): SharedLink['state'] => {
  if (end === null) return isExpired ? 'expired' : 'open';
  if (end === 'user') return 'ended';
  return end === 'clinic' ? 'clinic-off' : 'wrong-codes';
};

/** Returns the links of a patient, newest first, without those that ended long ago. */
export const linksOfPatient = async (db: Kysely<Schema>, patientId: string): Promise<SharedLink[]> => {
  const rows = await db
    .selectFrom('shared_link')
    .innerJoin('account', 'account.id', 'shared_link.account_id')
    .selectAll('shared_link')
    .select(sql<string>`account.first_name || ' ' || account.last_name`.as('made_by'))
    .select(sql<boolean>`shared_link.expires_at <= now()`.as('is_expired'))
    .select(({ selectFrom }) =>
      selectFrom('shared_link_image')
        .whereRef('shared_link_image.link_id', '=', 'shared_link.id')
        .select(({ fn }) => fn.countAll<number>().as('images'))
        .$asScalar()
        .$castTo<number>()
        .as('images'),
    )
    .where('shared_link.patient_id', '=', patientId)
    .where(
      sql<boolean>`coalesce(shared_link.ended_at, shared_link.expires_at) > now() - make_interval(days => ${endedListedDays}::int)`,
    )
    .orderBy('shared_link.made_at', 'desc')
    .orderBy('shared_link.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    recipient: row.recipient,
    purpose: row.purpose,
    images: Number(row.images),
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    opened: row.opened,
    lastOpenedAt: row.last_opened_at?.toISOString() ?? null,
    state: stateOf(row.end_reason, row.is_expired),
    endedAt: row.ended_at?.toISOString() ?? null,
  }));
};

/** Removes expired bearers, and the hashes of links that have ended. */
export const purgeEndedLinks = async (db: Kysely<Schema>): Promise<void> => {
  await db.deleteFrom('shared_link_opening').where('expires_at', '<', sql<Date>`now()`).execute();
  await db
    .updateTable('shared_link')
    .set({ secret_hash: null, code_hash: null })
    .where('secret_hash', 'is not', null)
    .where(sql<boolean>`coalesce(ended_at, expires_at) < now()`)
    .execute();
};
