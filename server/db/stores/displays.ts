import { type Kysely, sql, type Transaction } from 'kysely';
import type { Calibration, Display, MarkAuthor, Measurement, StoredAnnotation } from '../../../contract/displays.ts';
import type { Schema } from '../schema.ts';

export interface StoredDisplay {
  readonly display: Display | null;
  readonly version: number;
}

/** Returns the display settings of a viewset's images by image id. */
export const displaysOfViewset = async (db: Kysely<Schema>, viewsetId: string): Promise<Map<string, StoredDisplay>> => {
  const rows = await db
    .selectFrom('image_display')
    .select(['image_id', 'display', 'version'])
    .where('viewset_id', '=', viewsetId)
    .execute();
  return new Map(rows.map(({ image_id, display, version }) => [image_id, { display, version }]));
};

export interface DisplayChange {
  readonly imageId: string;
  /** Null: outside any viewset. */
  readonly viewsetId: string | null;
  readonly display: Display | null;
  /** Null: it arrived as a presentation state. */
  readonly accountId: string | null;
}

const stored = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Returns the stored version when it equals the sent value: the first reply was lost, or two users made the same change. */
const storedVersion = async (
  transaction: Transaction<Schema>,
  { imageId, viewsetId, display }: Omit<DisplayChange, 'accountId'>,
): Promise<number | null> => {
  const current = await transaction
    .selectFrom('image_display')
    .select('version')
    .where('image_id', '=', imageId)
    .where('viewset_id', 'is not distinct from', viewsetId)
    .where('display', 'is not distinct from', sql<Display | null>`${stored(display)}::jsonb`)
    .executeTakeFirst();
  return current?.version ?? null;
};

/**
 * Saves display settings when the stored version is still `version` (0: none). Returns the new version, or null when something else was saved
 * meanwhile.
 */
export const saveDisplay = async (
  transaction: Transaction<Schema>,
  { imageId, viewsetId, display, accountId }: DisplayChange,
  version: number,
): Promise<number | null> => {
  const values = { display: stored(display), account_id: accountId, version: version + 1 };
  if (version === 0) {
    const inserted = await transaction
      .insertInto('image_display')
      .values({ image_id: imageId, viewset_id: viewsetId, ...values })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst();
    return inserted?.version ?? (await storedVersion(transaction, { imageId, viewsetId, display }));
  }
  const updated = await transaction
    .updateTable('image_display')
    .set({ ...values, saved_at: new Date() })
    .where('image_id', '=', imageId)
    .where('viewset_id', 'is not distinct from', viewsetId)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  return updated?.version ?? (await storedVersion(transaction, { imageId, viewsetId, display }));
};

/** Copies the display settings of an image to another viewset. Both viewsets must be locked. */
export const moveDisplay = async (
  transaction: Transaction<Schema>,
  imageId: string,
  viewsets: { readonly from: string; readonly to: string },
  accountId: string,
): Promise<void> => {
  const here = (await displaysOfViewset(transaction, viewsets.from)).get(imageId);
  if (!here) return;
  const there = (await displaysOfViewset(transaction, viewsets.to)).get(imageId);
  if (!here.display && !there?.display) return;
  const change = { imageId, viewsetId: viewsets.to, display: here.display, accountId };
  await saveDisplay(transaction, change, there?.version ?? 0);
};

export interface MarksOfImage {
  readonly marks: readonly Measurement[];
  readonly annotations: readonly StoredAnnotation[];
  readonly calibration: Calibration | null;
  readonly authors: readonly MarkAuthor[];
}

/** Saves marks and calibration, with the same version check as `saveDisplay`. */
export const saveMarks = async (
  transaction: Transaction<Schema>,
  imageId: string,
  { marks, annotations, calibration, authors }: MarksOfImage,
  version: number,
): Promise<number | null> => {
  const updated = await transaction
    .updateTable('image')
    .set({
      marks: JSON.stringify(marks),
      annotations: JSON.stringify(annotations),
      calibration: stored(calibration),
      mark_authors: stored({ version: version + 1, authors }),
      marks_version: version + 1,
    })
    .where('id', '=', imageId)
    .where('marks_version', '=', version)
    .returning('marks_version')
    .executeTakeFirst();
  if (updated) return updated.marks_version;
  const current = await transaction
    .selectFrom('image')
    .select('marks_version')
    .where('id', '=', imageId)
    .where('marks', '=', sql<Measurement[]>`${JSON.stringify(marks)}::jsonb`)
    .where('annotations', '=', sql<StoredAnnotation[]>`${JSON.stringify(annotations)}::jsonb`)
    .where('calibration', 'is not distinct from', sql<Calibration | null>`${stored(calibration)}::jsonb`)
    .executeTakeFirst();
  return current?.marks_version ?? null;
};

/** Returns first and last name of an account, as its marks show them. */
export const authorNameOf = async (db: Kysely<Schema>, accountId: string): Promise<string> => {
  const account = await db
    .selectFrom('account')
    .select(['first_name', 'last_name'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account ? `${account.first_name} ${account.last_name}` : '';
};
