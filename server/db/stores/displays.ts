import { type Kysely, sql, type Transaction } from 'kysely';
import type { Calibration, Display, Mark } from '../../../contract/displays.ts';
import type { Schema } from '../schema.ts';

export interface KeptDisplay {
  readonly display: Display | null;
  readonly version: number;
}

/** How the images of a viewset were left in it, by image id. */
export const displaysOfViewset = async (db: Kysely<Schema>, viewsetId: string): Promise<Map<string, KeptDisplay>> => {
  const rows = await db
    .selectFrom('image_display')
    .select(['image_id', 'display', 'version'])
    .where('viewset_id', '=', viewsetId)
    .execute();
  return new Map(rows.map(({ image_id, display, version }) => [image_id, { display, version }]));
};

export interface DisplayChange {
  readonly imageId: string;
  /** Null: how it is shown by itself. */
  readonly viewsetId: string | null;
  readonly display: Display | null;
  readonly accountId: string;
}

const stored = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** The kept version when that is the sent value already: the answer to whoever sent it got lost, or two people meant the same. */
const keptVersion = async (
  transaction: Transaction<Schema>,
  { imageId, viewsetId, display }: Omit<DisplayChange, 'accountId'>,
): Promise<number | null> => {
  const kept = await transaction
    .selectFrom('image_display')
    .select('version')
    .where('image_id', '=', imageId)
    .where('viewset_id', 'is not distinct from', viewsetId)
    .where('display', 'is not distinct from', sql<Display | null>`${stored(display)}::jsonb`)
    .executeTakeFirst();
  return kept?.version ?? null;
};

/**
 * Keeps a display when the kept version still is `version` (0: none is kept). Returns the version that it has then, or null when something
 * else was kept meanwhile.
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
    return inserted?.version ?? (await keptVersion(transaction, { imageId, viewsetId, display }));
  }
  const updated = await transaction
    .updateTable('image_display')
    .set({ ...values, saved_at: new Date() })
    .where('image_id', '=', imageId)
    .where('viewset_id', 'is not distinct from', viewsetId)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  return updated?.version ?? (await keptVersion(transaction, { imageId, viewsetId, display }));
};

/** An image that moves to another viewset is shown there as it was left here. Both viewsets must be locked. */
export const carryDisplay = async (
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

/** Keeps measurements and calibration as `saveDisplay` keeps a display. */
export const saveMarks = async (
  transaction: Transaction<Schema>,
  imageId: string,
  { marks, calibration }: { readonly marks: readonly Mark[]; readonly calibration: Calibration | null },
  version: number,
): Promise<number | null> => {
  const updated = await transaction
    .updateTable('image')
    .set({ marks: JSON.stringify(marks), calibration: stored(calibration), marks_version: version + 1 })
    .where('id', '=', imageId)
    .where('marks_version', '=', version)
    .returning('marks_version')
    .executeTakeFirst();
  if (updated) return updated.marks_version;
  const kept = await transaction
    .selectFrom('image')
    .select('marks_version')
    .where('id', '=', imageId)
    .where('marks', '=', sql<Mark[]>`${JSON.stringify(marks)}::jsonb`)
    .where('calibration', 'is not distinct from', sql<Calibration | null>`${stored(calibration)}::jsonb`)
    .executeTakeFirst();
  return kept?.marks_version ?? null;
};
