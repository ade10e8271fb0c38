import { buffer } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { someJson } from '../../../dicom/dicom-json.ts';
import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { Schema } from '../../db/schema.ts';
import { imagesWithUnreadAttributes, saveAttributes } from '../../db/stores/dicom-attributes.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { FileStore } from '../../storage/file-store.ts';
import { readStoredHead } from '../../storage/stored-header.ts';
import {
  type HeaderReaderOptions,
  readIntact,
  type StoredFiles,
  type StoredObject,
  startHeaderReader,
} from '../header-reader.ts';

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

/** Objects without pixel data, and deflated ones, are read whole. */
const maxWholeBytes = 2 ** 28;

/** Reads the elements of a stored object; where it has pixels those before them, which must not be read. @throws DicomProblem, StorageError */
export const readElementsOf = async (files: FileStore, { sha256, size_bytes }: StoredObject): Promise<DicomFile> => {
  const head = await readStoredHead(files, sha256, size_bytes);
  if (head) return head;
  if (size_bytes > maxWholeBytes) throw new DicomProblem('too-large', `an object of ${size_bytes} bytes`);
  return readDicomFile(await buffer(await files.openRange(sha256)));
};

interface AttributeReaderOptions extends StoredFiles, HeaderReaderOptions {
  readonly db: Kysely<Schema>;
}

/** Reads the attributes of images that searches by DICOMweb return, newest first. An unreadable file has none. */
export const startAttributeReader = (options: AttributeReaderOptions): JobRunner => {
  const { db, files } = options;
  return startHeaderReader(options, {
    unread: (limit) => imagesWithUnreadAttributes(db, limit),
    read: async (image) => {
      const read = async () => someJson((await readElementsOf(files, image)).dataSet, savedTags);
      await saveAttributes(db, image.id, await readIntact(options, image, read, {}));
    },
  });
};
