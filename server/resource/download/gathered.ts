import { Readable } from 'node:stream';
import type { NotExpressedPart } from '../../../contract/display-objects.ts';
import { acquiredOf } from '../../../contract/images.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type Pace, StorageError } from '../../storage/file-store.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import { isFileError } from '../derive-failure.ts';
import type { StoredFiles } from '../send-stored.ts';

/** `document`: not an image; `unreadable`: its header cannot be read or lacks identifiers, or its pixels cannot be checked for text. */
export type LeftOutReason = 'damaged' | 'missing' | 'document' | 'unreadable';

export interface LeftOut {
  readonly name: string;
  readonly reason: LeftOutReason;
  /** The error of the stored file. */
  readonly error?: StorageError;
}

/** An image and the file of the zip that has it. */
export interface SentImage extends ImageToDownload {
  readonly zipName: string;
}

/** What an object of the zip cannot say; `slot`: the capture order of the slot that it is about. */
export interface NotExpressed {
  readonly file: string;
  readonly slot: number | null;
  readonly part: NotExpressedPart;
}

/** The files of a zip, the images in them, and those that are missing. */
export interface Gathered {
  readonly zipped: readonly ZippedFile[];
  readonly sent: readonly SentImage[];
  readonly leftOut: readonly LeftOut[];
  readonly notExpressed?: readonly NotExpressed[];
}

const pictures = { extensions: /\.(png|tiff?|hei[cf])$/i, usual: 'jpg' };
const pdfs = { extensions: /\.(pdf)$/i, usual: 'pdf' };
const videos = { extensions: /\.(mov|m4v|3gp)$/i, usual: 'mp4' };

/** Returns the day on which an image was taken, `YYYY-MM-DD`; null when it is not known, as of pictures without a time of their own. */
export const exposureDay = ({ original_sha256, acquired_at, study_date }: ImageToDownload): string | null => {
  const source = original_sha256 === null ? 'dicom' : 'picture';
  return acquiredOf({ source, imageAcquiredDate: acquired_at ?? study_date })?.slice(0, 10) ?? null;
};

/** Returns a file name such as `2026-03-12_IO_001.dcm`, without patient data. */
export const datedName = (row: ImageToDownload, number: number): string => {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(row.acquired_at ?? row.study_date ?? '')?.[0] ?? 'undated';
  const modality = row.modality.toUpperCase().replace(/[^A-Z0-9]+/g, '') || 'OT';
  const { extensions, usual } = row.kind === 'image' ? pictures : row.modality === 'DOC' ? pdfs : videos;
  const original = extensions.exec(row.file_name)?.[1]?.toLowerCase() ?? usual;
  return `${day}_${modality}_${String(number).padStart(3, '0')}.${row.original_sha256 === null ? 'dcm' : original}`;
};

/**
 * Verifies a stored file, because the reply states the length of the zip before the first byte is sent.
 * @returns its size in bytes, or the error of a damaged or missing file
 * @throws any other error
 */
export const verifiedSize = async (
  { files, fileErrors }: StoredFiles,
  sha256: string,
  pace: Pace,
): Promise<number | StorageError> => {
  try {
    return await fileErrors.watch(sha256, () => files.verify(sha256, pace));
  } catch (error) {
    if (error instanceof StorageError && isFileError(error)) return error;
    throw error;
  }
};

/** Returns the entry of a damaged or missing file. */
export const leftOutBy = (name: string, error: StorageError): LeftOut => ({
  name,
  reason: error.code === 'missing' ? 'missing' : 'damaged',
  error,
});

/** Returns a file of a zip with these bytes. */
export const fileOf = (name: string, bytes: Uint8Array, modifiedAt: Date): ZippedFile => ({
  name,
  sizeBytes: bytes.length,
  modifiedAt,
  open: async () => Readable.from([bytes]),
});

/** Returns the zip entry that lists the missing files and why. */
export const leftOutFile = (leftOut: readonly LeftOut[]): ZippedFile => {
  const text = ['file,reason', ...leftOut.map(({ name, reason }) => `${name},${reason}`), ''].join('\r\n');
  return fileOf('left-out.csv', Buffer.from(text), new Date());
};

/** Returns the zip entry that lists what the mounts and marks in it cannot say. */
export const notExpressedFile = (parts: readonly NotExpressed[]): ZippedFile => {
  const lines = parts.map(({ file, slot, part }) => `${file},${slot ?? ''},${part}`);
  return fileOf('left-out-displays.csv', Buffer.from(['file,slot,part', ...lines, ''].join('\r\n')), new Date());
};

/** @throws the error of the first file when no file is left */
export const requireAny = ({ sent, leftOut }: Gathered): void => {
  const [first] = leftOut;
  if (first && sent.length === 0) throw first.error ?? new ProblemError('image-not-readable');
};
