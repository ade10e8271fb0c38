import type { ImageToDownload } from '../../db/stores/downloads.ts';
import type { Pace } from '../../storage/file-store.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import type { StoredFiles } from '../send-stored.ts';
import { datedName, type Gathered, type LeftOut, leftOutBy, type SentImage, verifiedSize } from './gathered.ts';

/** Gathers the files as they were imported. */
export const gatherOriginals = async (
  stored: StoredFiles,
  rows: readonly ImageToDownload[],
  pace: Pace,
): Promise<Gathered> => {
  const zipped: ZippedFile[] = [];
  const sent: SentImage[] = [];
  const leftOut: LeftOut[] = [];
  for (const [index, row] of rows.entries()) {
    const sha256 = row.original_sha256 ?? row.sha256;
    const name = datedName(row, index + 1);
    const sizeBytes = await verifiedSize(stored, sha256, pace);
    if (typeof sizeBytes !== 'number') leftOut.push(leftOutBy(name, sizeBytes));
    else {
      zipped.push({ name, sizeBytes, modifiedAt: row.created_at, open: () => stored.files.openRange(sha256) });
      sent.push({ ...row, zipName: name });
    }
  }
  return { zipped, sent, leftOut };
};
