import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { CandidateImage } from '../../../contract/propose-slots.ts';
import type { Jaw } from '../../../contract/teeth.ts';
import type { Schema } from '../../db/schema.ts';
import { mountableFiles } from '../../db/stores/import-files.ts';
import { parsedFile } from '../read/parsed-file.ts';

/** CID 4016 and Body Part Examined (PS3.16): code meanings as found in files. */
const jawOf = (region: string | null): Jaw | null => {
  if (region === null) return null;
  const upper = /maxilla|upper jaw/i.test(region);
  const lower = /mandib|lower jaw/i.test(region);
  if (upper === lower) return null;
  return upper ? 'upper' : 'lower';
};

const placed = parsedFile.pick({
  modality: true,
  teeth: true,
  laterality: true,
  region: true,
  acquiredAt: true,
  instanceNumber: true,
});
const picture = z.object({ kind: z.literal('picture'), acquiredAt: z.string().nullable() });

const placeOf = (id: string, summary: unknown): CandidateImage | null => {
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

/** Returns the images of an import study that can be mounted, in order of arrival; documents have no pixels. `statuses`: only of such files. */
export const imagesToMount = async (
  db: Kysely<Schema>,
  taskId: string,
  key: string,
  statuses?: Parameters<typeof mountableFiles>[3],
): Promise<readonly CandidateImage[]> => {
  const rows = await mountableFiles(db, taskId, key, statuses);
  return rows.flatMap((row) => placeOf(row.id, row.summary) ?? []);
};
