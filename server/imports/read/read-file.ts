import type { z } from 'zod';
import type { FileProblem, writtenPatient } from '../../../contract/imports.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import type { Imaging, Inspection } from '../../dicom/imaging.ts';
import { type FileStore, StorageFault } from '../../storage/file-store.ts';
import { cleanText } from './clean-text.ts';
import { fileKind } from './file-kind.ts';
import { isImageClass } from './image-classes.ts';
import type { ParsedFile } from './parsed-file.ts';
import { makePictureObject, type PicturePlace } from './picture-object.ts';
import { readObject } from './read-object.ts';
import { RefusedFile, refusalOf } from './refused-file.ts';

export interface Reading {
  readonly files: FileStore;
  readonly imaging: Imaging;
  /** A decoder failed in a way that it should not: for the log. */
  readonly onFailure: (error: unknown, taskId: string) => void;
  /** True when the server goes down: then a failing decoder says nothing about the file. */
  readonly isClosing: () => boolean;
}

type Received = Pick<ImportFileRow, 'task_id' | 'sha256' | 'size_bytes'> & Partial<Pick<ImportFileRow, 'file_name'>>;
export type WrittenPatient = z.infer<typeof writtenPatient>;

/** What one received file is. */
export type FileReading =
  | {
      readonly kind: 'object';
      readonly file: ParsedFile;
      /** Null when it names nobody. */
      readonly named: WrittenPatient | null;
      /** Kept all the same, though no picture can be made of it. */
      readonly remark: { readonly problem: FileProblem; readonly detail: string } | null;
    }
  /** A jpg or png that decodes. It becomes a DICOM object when it is known of whom: `pictureObject`. */
  | { readonly kind: 'picture'; readonly width: number; readonly height: number; readonly acquiredAt: string | null }
  /** To be unpacked, see `unpack`. */
  | { readonly kind: 'zip' }
  /** A DICOMDIR, no image itself: the files that it names, parted by `/`, from its own folder. See disc.ts. */
  | { readonly kind: 'directory'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: FileProblem; readonly detail: string };

const namedBy = (inspection: Inspection): WrittenPatient | null => {
  const written = inspection.summary?.patient;
  if (!written) return null;
  const named = {
    name: cleanText(written.name),
    patientId: cleanText(written.id),
    birthDate: written.birthDate,
    sex: written.sex,
  };
  return named.name || named.patientId || named.birthDate ? named : null;
};

/** Runs a decoder. Whatever it fails with is the fault of the file in hand, as long as the server is not going down. */
const decoding = async <T>(reading: Reading, taskId: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DicomProblem || error instanceof StorageFault || reading.isClosing()) throw error;
    reading.onFailure(error, taskId);
    throw new RefusedFile('decode-failed', 'the decoder failed on this file');
  }
};

const isNamedZip = ({ file_name = '' }: Received): boolean => /\.zip$/i.test(file_name);

const remarkOn = ({ summary, image, problems }: Inspection) => {
  const [undecodable] = problems;
  if (undecodable) return { problem: 'transfer-syntax-unsupported' as const, detail: undecodable.detail };
  if (image || !isImageClass(summary?.instance.sopClassUid ?? null)) return null;
  return {
    problem: 'pixel-data-short' as const,
    detail: 'its class is that of an image, and there are no pixels in it',
  };
};

const readObjectFile = async (reading: Reading, row: Received, sha256: string, path: string): Promise<FileReading> => {
  const inspection = await decoding(reading, row.task_id, () => reading.imaging.inspect(path));
  if (inspection.directory) return { kind: 'directory', paths: inspection.directory };
  if (isNamedZip(row) && inspection.problems.some(({ code }) => code === 'not-dicom')) {
    throw new RefusedFile('zip-damaged', 'it is called a zip and is none');
  }
  const file = readObject(inspection, { sha256, sizeBytes: row.size_bytes }, row.task_id);
  return { kind: 'object', file, named: namedBy(inspection), remark: remarkOn(inspection) };
};

const read = async (reading: Reading, row: Received): Promise<FileReading> => {
  if (row.sha256 === null) throw new RefusedFile('file-missing', 'its bytes never came');
  const path = await reading.files.localPath(row.sha256);
  const kind = await fileKind(path);
  if (kind === 'empty') throw new RefusedFile('empty', 'the file has no bytes');
  if (kind === 'zip') return { kind };
  if (kind === 'dicom-or-unknown') return readObjectFile(reading, row, row.sha256, path);
  const { width, height, acquiredAt } = await decoding(reading, row.task_id, () =>
    reading.imaging.inspectPicture(path),
  );
  return { kind: 'picture', width, height, acquiredAt };
};

/**
 * Reads one received file. What is wrong with it is part of the answer.
 * @throws what has nothing to do with the file, such as a decoder that is closed with the server
 */
export const readReceivedFile = async (reading: Reading, row: Received): Promise<FileReading> => {
  try {
    return await read(reading, row);
  } catch (error) {
    const { problem, detail } = refusalOf(error);
    return { kind: 'refused', problem, detail };
  }
};

/**
 * The DICOM object of a received picture, now that it is known of whom and in which study: made, kept in the store, and read like any other.
 * Doing it again gives the same object.
 * @throws RefusedFile, DicomProblem, StorageFault
 */
export const pictureObject = async (
  reading: Reading,
  row: Received,
  patient: PatientRow,
  place: PicturePlace,
): Promise<ParsedFile> => {
  const { files, imaging } = reading;
  const { sha256, task_id: taskId } = row;
  if (sha256 === null) throw new RefusedFile('file-missing', 'its bytes never came');
  const path = await files.localPath(sha256);
  const bytes = await decoding(reading, taskId, () => makePictureObject(imaging, path, patient, place, sha256));
  const stored = await files.put(
    (async function* () {
      yield bytes;
    })(),
  );
  const objectPath = await files.localPath(stored.sha256);
  const inspection = await decoding(reading, taskId, () => imaging.inspect(objectPath));
  return { ...readObject(inspection, stored, taskId), originalSha256: sha256, source: 'picture' };
};
