import type { z } from 'zod';
import type { FileProblem, writtenPatient } from '../../../contract/imports.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import type { Imaging, Inspection } from '../../dicom/imaging.ts';
import { isImageClass } from '../../domain/image-classes.ts';
import { type FileStore, isMissingBytes, StorageError } from '../../storage/file-store.ts';
import { cleanText } from './clean-text.ts';
import { FileError, fileErrorOf } from './file-error.ts';
import { fileKind, isPacked, isWholePdf } from './file-kind.ts';
import type { ParsedFile } from './parsed-file.ts';
import { makeObject, type PictureTarget } from './picture-object.ts';
import { readObject } from './read-object.ts';

export interface Reading {
  readonly files: FileStore;
  readonly imaging: Imaging;
  /** Called for unexpected decoder failures, for the log. */
  readonly onFailure: (error: unknown, taskId: string) => void;
  /** True while the server shuts down: a decoder failure is then not due to the file. */
  readonly isClosing: () => boolean;
  /** How long after the start of a step missing bytes are waited for; 0 by default. */
  readonly missingGraceMs?: number;
}

type Received = Pick<ImportFileRow, 'task_id' | 'sha256' | 'size_bytes'> & Partial<Pick<ImportFileRow, 'file_name'>>;
export type WrittenPatient = z.infer<typeof writtenPatient>;

/** Result of reading one received file. */
export type FileReading =
  | {
      readonly kind: 'object';
      readonly file: ParsedFile;
      /** Null when the file names no patient. */
      readonly named: WrittenPatient | null;
      /** Stored although it cannot be displayed. */
      readonly remark: { readonly problem: FileProblem; readonly detail: string } | null;
    }
  /** A picture that decodes. It becomes a DICOM object once its patient is known: `pictureObject`. */
  | { readonly kind: 'picture'; readonly width: number; readonly height: number; readonly acquiredAt: string | null }
  /** A PDF, which becomes a DICOM object as pictures do. */
  | { readonly kind: 'pdf'; readonly acquiredAt: null }
  /** A video, which becomes a DICOM object as pictures do. */
  | { readonly kind: 'video'; readonly acquiredAt: string | null }
  /** A zip, or a gzip with one file: to be unpacked, see `unpackZip`. */
  | { readonly kind: 'zip' }
  /** A DICOMDIR, no image itself: the files that it lists, separated by `/`, relative to its folder. See disc.ts. */
  | { readonly kind: 'directory'; readonly paths: readonly string[] }
  /** The store does not hold its bytes now. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly problem: FileProblem; readonly detail: string };

/** Returns the patient named in a DICOM header; null when there is none. */
export const namedBy = (inspection: Inspection): WrittenPatient | null => {
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

/** A worker passes file system errors as text only: `EIO: i/o error, read`. */
const isSystemError = (error: unknown): boolean => error instanceof Error && /^E[A-Z]+: .+, \w+/.test(error.message);

/**
 * Runs a decoder. A failure is attributed to the file, unless the server shuts down or the bytes cannot be read.
 * @throws StorageError 'missing', 'away' when they cannot
 */
const decoding = async <T>(
  reading: Reading,
  { taskId, sha256 }: { readonly taskId: string; readonly sha256: string },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DicomProblem || error instanceof StorageError || reading.isClosing()) throw error;
    reading.onFailure(error, taskId);
    await reading.files.localPath(sha256);
    // The storage was unavailable or is failing: a retry may succeed.
    if (isSystemError(error)) throw new StorageError('missing', 'The bytes of a file cannot be read', error);
    throw new FileError('decode-failed', 'the decoder failed on this file');
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
  const inspection = await decoding(reading, { taskId: row.task_id, sha256 }, () =>
    reading.imaging.inspect({ path, sha256 }),
  );
  if (inspection.directory) return { kind: 'directory', paths: inspection.directory };
  if (isNamedZip(row) && inspection.problems.some(({ code }) => code === 'not-dicom')) {
    throw new FileError('zip-damaged', 'it is called a zip and is none');
  }
  const file = readObject(inspection, { sha256, sizeBytes: row.size_bytes }, row.task_id);
  return { kind: 'object', file, named: namedBy(inspection), remark: remarkOn(inspection) };
};

const read = async (reading: Reading, row: Received): Promise<FileReading> => {
  if (row.sha256 === null) throw new FileError('file-missing', 'its bytes never came');
  const path = await reading.files.localPath(row.sha256);
  const kind = await fileKind(path);
  if (kind === 'empty') throw new FileError('empty', 'the file has no bytes');
  if (isPacked(kind)) return { kind: 'zip' };
  if (kind === 'pdf') {
    if (!(await isWholePdf(path))) throw new FileError('truncated', 'the PDF has no end');
    return { kind: 'pdf', acquiredAt: null };
  }
  if (kind === 'dicom-or-unknown') return readObjectFile(reading, row, row.sha256, path);
  if (kind === 'video') {
    const { acquiredAt } = await decoding(reading, { taskId: row.task_id, sha256: row.sha256 }, () =>
      reading.imaging.inspectVideo({ path, sha256: row.sha256 ?? undefined }),
    );
    return { kind: 'video', acquiredAt };
  }
  const { width, height, acquiredAt } = await decoding(reading, { taskId: row.task_id, sha256: row.sha256 }, () =>
    reading.imaging.inspectPicture({ path, sha256: row.sha256 ?? undefined }),
  );
  return { kind: 'picture', width, height, acquiredAt };
};

/**
 * Reads one received file. Problems of the file are part of the result.
 * @throws errors that do not concern the file, such as a closed decoder pool
 */
export const readReceivedFile = async (reading: Reading, row: Received): Promise<FileReading> => {
  try {
    return await read(reading, row);
  } catch (error) {
    if (isMissingBytes(error)) return { kind: 'missing' };
    const { problem, detail } = fileErrorOf(error);
    return { kind: 'refused', problem, detail };
  }
};

/**
 * Makes the DICOM object of a received picture, PDF or video once its patient and study are known, stores it and reads it back. Idempotent.
 * @throws FileError, DicomProblem, StorageError
 */
export const pictureObject = async (
  reading: Reading,
  row: Received,
  patient: PatientRow,
  target: PictureTarget,
): Promise<ParsedFile> => {
  const { files, imaging } = reading;
  const { sha256, task_id: taskId } = row;
  if (sha256 === null) throw new FileError('file-missing', 'its bytes never came');
  const path = await files.localPath(sha256);
  const bytes = await decoding(reading, { taskId, sha256 }, () =>
    makeObject(imaging, { path, sha256 }, patient, target, sha256),
  );
  const stored = await files.put(
    (async function* () {
      yield bytes;
    })(),
  );
  const object = { path: await files.localPath(stored.sha256), sha256: stored.sha256 };
  const inspection = await decoding(reading, { taskId, sha256: stored.sha256 }, () => imaging.inspect(object));
  return { ...readObject(inspection, stored, taskId), originalSha256: sha256, source: 'picture' };
};
