import type { DicomFile } from './file.ts';
import { DicomProblem } from './problem.ts';
import { tags } from './tags.ts';

export const MEDIA_STORAGE_DIRECTORY = '1.2.840.10008.1.3.10';

/** A file listed in a DICOMDIR. */
export interface DirectoryEntry {
  /** Path relative to the folder of the DICOMDIR. */
  readonly path: readonly string[];
  /** IMAGE, SR DOCUMENT, PRESENTATION ... (PS3.3 F.5). */
  readonly recordType: string | null;
  readonly sopInstanceUid: string | null;
}

const directoryTags = {
  recordSequence: 0x00041220,
  inUse: 0x00041410,
  recordType: 0x00041430,
  referencedFileId: 0x00041500,
  referencedSopInstanceUid: 0x00041511,
} as const;

/** Whether a file is a DICOMDIR, by its SOP class or by its records. */
export const isDirectory = ({ meta, dataSet }: DicomFile): boolean =>
  meta?.code(tags.mediaStorageSopClassUid) === MEDIA_STORAGE_DIRECTORY ||
  dataSet.elements.has(directoryTags.recordSequence);

const safeComponent = (part: string): boolean => !/[/\\:\0]/.test(part) && part !== '' && part !== '.' && part !== '..';

/**
 * Returns the files listed in a DICOMDIR (PS3.3 F.3), in its order, without inactive records and without those after a damaged record.
 * @throws DicomProblem 'malformed', also when a path leaves the folder
 */
export const readDirectory = ({ dataSet }: DicomFile): readonly DirectoryEntry[] =>
  dataSet.soundItems(directoryTags.recordSequence).flatMap((record): DirectoryEntry[] => {
    const path = record.codes(directoryTags.referencedFileId);
    if (path.length === 0 || record.number(directoryTags.inUse, 'US') === 0) return [];
    if (!path.every(safeComponent)) {
      throw new DicomProblem('malformed', 'the DICOMDIR names a file outside of its folder');
    }
    const recordType = record.code(directoryTags.recordType);
    return [{ path, recordType, sopInstanceUid: record.code(directoryTags.referencedSopInstanceUid) }];
  });
