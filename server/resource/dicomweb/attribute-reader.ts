import { buffer } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { someJson } from '../../../dicom/dicom-json.ts';
import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { Schema } from '../../db/schema.ts';
import { imagesWithUnreadAttributes, saveAttributes } from '../../db/stores/dicom-attributes.ts';
import type { FileErrors } from '../../integrity/file-errors.ts';
import { type JobRunner, startJobRunner } from '../../jobs/job-runner.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { readStoredHead } from '../../storage/stored-header.ts';
import { type FolderAvailability, isFileError } from '../derive-failure.ts';

/** What searches return or match and the records do not have (PS3.18 10.6.3.3). */
const savedTags = [
  0x00080008, // Image Type
  0x00080021, // Series Date
  0x00080023, // Content Date
  0x00080030, // Study Time
  0x00080031, // Series Time
  0x00080033, // Content Time
  0x00080090, // Referring Physician's Name
  0x00180015, // Body Part Examined
  0x00200010, // Study ID
  0x00280100, // Bits Allocated
  0x00400244, // Performed Procedure Step Start Date
  0x00400245, // Performed Procedure Step Start Time
];

interface StoredObject {
  readonly sha256: string;
  readonly size_bytes: number;
}

/** Objects without pixel data, and deflated ones, are read whole. */
const maxWholeBytes = 2 ** 28;

/** Reads the elements of a stored object; where it has pixels those before them, which must not be read. @throws DicomProblem, StorageError */
export const readElementsOf = async (files: FileStore, { sha256, size_bytes }: StoredObject): Promise<DicomFile> => {
  const head = await readStoredHead(files, sha256, size_bytes);
  if (head) return head;
  if (size_bytes > maxWholeBytes) throw new DicomProblem('too-large', `an object of ${size_bytes} bytes`);
  return readDicomFile(await buffer(await files.openRange(sha256)));
};

interface AttributeReaderOptions {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
  readonly folder: FolderAvailability;
  readonly isClosing: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

const batchImages = 50;
/** For images that an older node imported; imports of this node wake the reader. */
const pollSeconds = 60;

/** Reads the attributes of images that searches by DICOMweb return, one file after the other, newest first. */
export const startAttributeReader = (options: AttributeReaderOptions): JobRunner => {
  const { db, files, fileErrors, folder, isClosing, onFailure } = options;

  /** A file that is intact but unreadable has none. */
  const attributesOf = (image: StoredObject) =>
    fileErrors.watch(image.sha256, async () => {
      try {
        return someJson((await readElementsOf(files, image)).dataSet, savedTags);
      } catch (error) {
        if (!(error instanceof DicomProblem)) throw error;
        await files.verify(image.sha256);
        return {};
      }
    });

  /** Returns whether the image was read; false while its file is damaged or missing, which is recorded. */
  const readOne = async (image: StoredObject & { readonly id: string }): Promise<boolean> => {
    try {
      await saveAttributes(db, image.id, await attributesOf(image));
      return true;
    } catch (error) {
      if (isFileError(error)) return false;
      throw error;
    }
  };

  const workOne = async (): Promise<boolean> => {
    if (!folder.isAvailable()) return false;
    let read = 0;
    for (const image of await imagesWithUnreadAttributes(db, batchImages)) {
      if (isClosing()) return false;
      if (await readOne(image)) read += 1;
    }
    return read > 0;
  };

  return startJobRunner({ parallel: 1, pollSeconds, workOne, onFailure });
};
