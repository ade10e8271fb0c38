import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { cleanedSamples } from '../../../dicom/deidentify/clean-samples.ts';
import { cleanedFragments } from '../../../dicom/deidentify/cleaned-fragments.ts';
import { type DeidentifiedStart, deidentify, mayHaveBurnedInText } from '../../../dicom/deidentify/deidentify.ts';
import { directoryKeysOf } from '../../../dicom/directory-keys.ts';
import { readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { replacedUid } from '../../domain/derived-uid.ts';
import { type FileStore, StorageError } from '../../storage/file-store.ts';
import { readStoredHeader } from '../../storage/stored-header.ts';
import type { MediumWriter } from './dicom-medium.ts';

async function* joined(...parts: readonly AsyncIterable<Uint8Array>[]) {
  for (const part of parts) yield* part;
}

interface Source {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly transferSyntaxUid: string;
}

/** Opens the pixel values of a stored file. */
const openPixels = async (
  files: FileStore,
  { sha256, sizeBytes, ...file }: Source,
  { pixels, description, transferSyntaxUid }: DeidentifiedStart,
): Promise<AsyncIterable<Uint8Array>> => {
  const { offset, lengthBytes } = pixels;
  if (lengthBytes === null) {
    const rest = await files.openRange(sha256, { first: offset, last: sizeBytes - 1 });
    return cleanedFragments(rest, description);
  }
  const padding = Readable.from(lengthBytes % 2 === 0 ? [] : [new Uint8Array(1)]);
  if (file.transferSyntaxUid === transferSyntaxUid) {
    const stored = await files.openRange(sha256, { first: offset, last: offset + lengthBytes - 1 });
    return joined(cleanedSamples(stored, description), padding);
  }
  const inflated = readDicomFile(await buffer(await files.openRange(sha256))).dataSet.source.bytes;
  const samples = Readable.from([inflated.subarray(offset, offset + lengthBytes)]);
  return joined(cleanedSamples(samples, description), padding);
};

/** Opens the stored file when its pixel values are read, so that nothing stays open when the receiver has gone before. */
async function* whole(files: FileStore, source: Source, made: DeidentifiedStart) {
  yield made.start;
  yield* await openPixels(files, source, made);
}

/** @throws DicomProblem when a fragment cannot be cleaned */
const lengthOfFragments = async (pixels: AsyncIterable<Uint8Array>): Promise<number> => {
  let length = 0;
  for await (const chunk of pixels) length += chunk.length;
  return length;
};

/** A writer of de-identified images. */
export interface AnonymisingWriter extends MediumWriter {
  /** Returns how many of the written images may have text in their pixels. */
  readonly burnedIn: () => number;
}

/**
 * Creates the writer of one anonymised copy: UIDs are replaced consistently in it, by a key that is then forgotten, and patients numbered in the
 * order of their images.
 */
export const anonymisingWriter = (files: FileStore, rows: readonly ImageToDownload[]): AnonymisingWriter => {
  const key = randomBytes(32);
  const patients = [...new Set(rows.map(({ patient_id }) => patient_id))];
  const modifiedAt = new Date();
  let burnedIn = 0;
  return {
    name: (_, number) => `IMAGE_${String(number).padStart(3, '0')}`,
    write: async ({ sha256, patient_id }, file, sizeBytes) => {
      const made = deidentify(file, {
        pseudonym: `ANON${String(patients.indexOf(patient_id) + 1).padStart(3, '0')}`,
        replaceUid: (uid) => replacedUid(key, uid),
      });
      const { start } = made;
      const source = { sha256, sizeBytes, transferSyntaxUid: file.transferSyntaxUid };
      const { lengthBytes } = made.pixels;
      // The first pass checks every frame and counts their bytes, before the reply states the length of the zip.
      const pixelBytes =
        lengthBytes === null
          ? await lengthOfFragments(await openPixels(files, source, made))
          : lengthBytes + (lengthBytes % 2);
      if (mayHaveBurnedInText(file)) burnedIn += 1;
      return {
        keys: directoryKeysOf(readDicomFile(start, { fileBytes: start.length + pixelBytes })),
        sizeBytes: start.length + pixelBytes,
        modifiedAt,
        open: async () => Readable.from(whole(files, source, made)),
      };
    },
    burnedIn: () => burnedIn,
  };
};

/** Returns how many images may have text in their pixels; unreadable ones, which a copy leaves out, do not count. */
export const countBurnedIn = async (files: FileStore, rows: readonly ImageToDownload[]): Promise<number> => {
  let count = 0;
  const images = new Map(rows.filter(({ kind }) => kind === 'image').map((row) => [row.sha256, row]));
  for (const { sha256 } of images.values()) {
    try {
      const sizeBytes = await files.sizeOf(sha256);
      if (sizeBytes !== null && mayHaveBurnedInText(await readStoredHeader(files, sha256, sizeBytes))) count += 1;
    } catch (error) {
      if (!(error instanceof DicomProblem || error instanceof StorageError)) throw error;
    }
  }
  return count;
};
