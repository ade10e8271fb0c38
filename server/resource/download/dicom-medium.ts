import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type DirectoryKeys, directoryKeysOf } from '../../../dicom/directory-keys.ts';
import { type DicomFile, readDicomFile } from '../../../dicom/file.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';
import type { DataSet } from '../../../dicom/write/data-set.ts';
import { type ListedFile, writeDirectory } from '../../../dicom/write/directory.ts';
import { fileMeta } from '../../../dicom/write/file-meta.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import type { FileStore, Pace } from '../../storage/file-store.ts';
import { readStoredHeader } from '../../storage/stored-header.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import type { StoredFiles } from '../send-stored.ts';
import { datedName, fileOf, type Gathered, type LeftOut, leftOutBy, type SentImage, verifiedSize } from './gathered.ts';

/** An image as it is written on the medium. */
export interface MediumFile extends Pick<ZippedFile, 'sizeBytes' | 'modifiedAt' | 'open'> {
  readonly keys: DirectoryKeys;
}

/** How an image is written; `name` names it in the list of missing files. */
export interface MediumWriter {
  readonly name: (row: ImageToDownload, number: number) => string;
  /** @throws DicomProblem when the image cannot be written */
  readonly write: (row: ImageToDownload, file: DicomFile, sizeBytes: number) => Promise<MediumFile>;
}

/** An object made of the images on a medium. */
export interface AddedObject {
  readonly bytes: Uint8Array;
  /** The Referenced Series Sequence of its record. */
  readonly references: readonly DataSet[];
}

/** Objects that a medium gets beside its images: presentations or structured reports. */
export interface MediumAddition {
  readonly kind: 'PS' | 'SR';
  /** Called for each image that is written, with its header. */
  readonly onWritten: (row: ImageToDownload, file: DicomFile, keys: DirectoryKeys) => void;
  /** Called when all images are written. `nameOf` returns the file of an object by its position. */
  readonly objects: (sent: readonly SentImage[], nameOf: (index: number) => string) => Promise<readonly AddedObject[]>;
}

/** Returns what a file lacks before its first byte to be one of PS3.10: the preamble, or with it the meta information. */
const missingStart = ({ meta, transferSyntaxGuessed }: DicomFile, keys: DirectoryKeys): Uint8Array[] => {
  const { sopClassUid, sopInstanceUid, transferSyntaxUid } = keys.image;
  if (meta === null) return fileMeta(sopClassUid, sopInstanceUid, transferSyntaxUid);
  if (transferSyntaxGuessed) throw new DicomProblem('malformed', 'the meta information names no transfer syntax');
  if (String.fromCharCode(...meta.source.bytes.subarray(128, 132)) === 'DICM') return [];
  const [preamble = new Uint8Array(0)] = fileMeta(sopClassUid, sopInstanceUid, transferSyntaxUid);
  return [preamble];
};

async function* whole(files: FileStore, sha256: string, start: readonly Uint8Array[]) {
  yield* start;
  yield* await files.openRange(sha256);
}

/** Writes the stored DICOM objects byte for byte; one without preamble or meta information gets them. */
export const originalWriter = (files: FileStore): MediumWriter => ({
  name: datedName,
  write: async ({ sha256, created_at }, file, sizeBytes) => {
    const keys = directoryKeysOf(file);
    const start = missingStart(file, keys);
    const open = () =>
      start.length === 0 ? files.openRange(sha256) : Promise.resolve(Readable.from(whole(files, sha256, start)));
    const startBytes = start.reduce((sum, { length }) => sum + length, 0);
    return { keys, sizeBytes: startBytes + sizeBytes, modifiedAt: created_at, open };
  },
});

const write = async (
  stored: StoredFiles,
  row: ImageToDownload,
  writer: MediumWriter,
  pace: Pace,
  additions: readonly MediumAddition[],
): Promise<MediumFile | Omit<LeftOut, 'name'>> => {
  if (row.kind === 'document') return { reason: 'document' };
  const sizeBytes = await verifiedSize(stored, row.sha256, pace);
  if (typeof sizeBytes !== 'number') return leftOutBy('', sizeBytes);
  try {
    const header = await readStoredHeader(stored.files, row.sha256, sizeBytes);
    const file = await writer.write(row, header, sizeBytes);
    for (const { onWritten } of additions) onWritten(row, header, file.keys);
    return file;
  } catch (problem) {
    if (problem instanceof DicomProblem) return { reason: 'unreadable' };
    throw problem;
  }
};

const presentationOf = (file: DicomFile, references: AddedObject['references']) => ({
  keys: directoryKeysOf(file),
  presentation: {
    label: file.dataSet.code(tags.contentLabel) ?? 'DENTARIUM',
    description: file.dataSet.text(tags.contentDescription),
    createdOn: file.dataSet.code(tags.presentationCreationDate) ?? '',
    createdAt: file.dataSet.code(tags.presentationCreationTime) ?? '',
    references,
  },
});

const reportOf = (file: DicomFile) => ({
  keys: directoryKeysOf(file),
  report: {
    contentDate: file.dataSet.code(tags.contentDate) ?? '',
    contentTime: file.dataSet.code(tags.contentTime) ?? '',
  },
});

const addedPath = (kind: MediumAddition['kind'], index: number): readonly string[] => [
  'DICOM',
  `${kind}${String(index + 1).padStart(6, '0')}`,
];

/**
 * Gathers a DICOM medium: the images as `DICOM/IM000001` and so on, and the DICOMDIR that lists them. Images whose stored files are equal
 * are one file of it.
 */
export const gatherMedium = async (
  stored: StoredFiles,
  rows: readonly ImageToDownload[],
  writer: MediumWriter,
  pace: Pace,
  additions: readonly MediumAddition[] = [],
): Promise<Gathered> => {
  const zipped: ZippedFile[] = [];
  const listed: ListedFile[] = [];
  const sent: SentImage[] = [];
  const leftOut: LeftOut[] = [];
  const written = new Map<string, string>();
  for (const [index, row] of rows.entries()) {
    const equal = written.get(row.sha256);
    if (equal) {
      sent.push({ ...row, zipName: equal });
      continue;
    }
    const file = await write(stored, row, writer, pace, additions);
    if ('reason' in file) {
      leftOut.push({ ...file, name: writer.name(row, index + 1) });
      continue;
    }
    const { keys, ...entry } = file;
    const path = ['DICOM', `IM${String(listed.length + 1).padStart(6, '0')}`];
    const zipName = path.join('/');
    zipped.push({ name: zipName, ...entry });
    listed.push({ path, keys });
    sent.push({ ...row, zipName });
    written.set(row.sha256, zipName);
  }
  for (const { kind, objects } of additions) {
    const added = await objects(sent, (index) => addedPath(kind, index).join('/'));
    for (const [index, { bytes, references }] of added.entries()) {
      const path = addedPath(kind, index);
      const file = readDicomFile(bytes);
      listed.push({ path, ...(kind === 'PS' ? presentationOf(file, references) : reportOf(file)) });
      zipped.push(fileOf(path.join('/'), bytes, new Date()));
    }
  }
  const directory = writeDirectory(listed, uidOfUuid(randomUUID()));
  return { zipped: [fileOf('DICOMDIR', directory, new Date()), ...zipped], sent, leftOut };
};
