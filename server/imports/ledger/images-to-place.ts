import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../db/schema.ts';
import { parsedFile } from '../read/parsed-file.ts';
import type { ImageToPlace, Jaw } from './propose-slots.ts';

/** CID 4016 and Body Part Examined (PS3.16): meanings as files write them. */
const jawOf = (region: string | null): Jaw | null => {
  if (region === null) return null;
  const upper = /maxilla|upper jaw/i.test(region);
  const lower = /mandib|lower jaw/i.test(region);
  if (upper === lower) return null;
  return upper ? 'upper' : 'lower';
};

const placed = parsedFile.pick({
  ...{ modality: true, teeth: true, laterality: true, region: true, acquiredAt: true, instanceNumber: true },
});
const picture = z.object({ kind: z.literal('picture'), acquiredAt: z.string().nullable() });

const placeOf = (id: string, summary: unknown): ImageToPlace | null => {
  const photograph = picture.safeParse(summary);
  if (photograph.success) {
    const { acquiredAt } = photograph.data;
    return { id, modality: 'XC', teeth: [], laterality: null, jaw: null, acquiredAt, instanceNumber: null };
  }
  const file = placed.safeParse(summary);
  if (!file.success) return null;
  const { region, ...facts } = file.data;
  return { id, ...facts, jaw: jawOf(region) };
};

/** The images of a study of an import that can hang in slots, in the order in which they came; documents have no picture. */
export const imagesToPlace = async (
  db: Kysely<Schema>,
  taskId: string,
  key: string,
): Promise<readonly ImageToPlace[]> => {
  const rows = await db
    .selectFrom('import_file')
    .select(['id', 'summary'])
    .where('task_id', '=', taskId)
    .where('study_key', '=', key)
    .where('status', 'in', ['parsed', 'duplicate', 'imported', 'left-out'])
    .where(sql<boolean>`summary->>'kind' in ('image', 'picture')`)
    .orderBy('received_at')
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => placeOf(row.id, row.summary) ?? []);
};
