import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { imageDownload, leftOutHeader } from '../../contract/gallery.ts';
import { type ImageToDownload, imagesToDownload } from '../db/stores/downloads.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { type Pace, StorageError } from '../storage/file-store.ts';
import { type ZippedFile, zipFiles } from '../storage/zip-files.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { isFileError } from './derive-failure.ts';
import type { StoredFiles } from './send-stored.ts';

/** Returns a file name such as `2026-03-12_IO_001.dcm`, without patient data. */
const nameInZip = (row: ImageToDownload, number: number): string => {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(row.acquired_at ?? row.study_date ?? '')?.[0] ?? 'undated';
  const modality = row.modality.toUpperCase().replace(/[^A-Z0-9]+/g, '') || 'OT';
  const picture = /\.png$/i.test(row.file_name) ? 'png' : 'jpg';
  return `${day}_${modality}_${String(number).padStart(3, '0')}.${row.original_sha256 === null ? 'dcm' : picture}`;
};

/** Zip entry that lists the missing files and why: `damaged` or `missing`. */
const leftOutName = 'left-out.csv';

interface Gathered {
  readonly zipped: readonly ZippedFile[];
  readonly sent: readonly ImageToDownload[];
  readonly leftOut: readonly { readonly name: string; readonly error: StorageError }[];
}

/** Verifies all files before the first byte is sent, because the reply states the length of the zip. */
const gather = async (
  { files, fileErrors }: StoredFiles,
  rows: readonly ImageToDownload[],
  pace: Pace,
): Promise<Gathered> => {
  const zipped: ZippedFile[] = [];
  const sent: ImageToDownload[] = [];
  const leftOut: { name: string; error: StorageError }[] = [];
  for (const [index, row] of rows.entries()) {
    const sha256 = row.original_sha256 ?? row.sha256;
    const name = nameInZip(row, index + 1);
    try {
      const sizeBytes = await fileErrors.watch(sha256, () => files.verify(sha256, pace));
      zipped.push({ name, sizeBytes, modifiedAt: row.created_at, open: () => files.openRange(sha256) });
      sent.push(row);
    } catch (error) {
      if (!(error instanceof StorageError) || !isFileError(error)) throw error;
      leftOut.push({ name, error });
    }
  }
  return { zipped, sent, leftOut };
};

const leftOutFile = (leftOut: Gathered['leftOut']): ZippedFile => {
  const text = ['file,reason', ...leftOut.map(({ name, error }) => `${name},${error.code}`), ''].join('\r\n');
  const open = async () => Readable.from([Buffer.from(text)]);
  return { name: leftOutName, sizeBytes: Buffer.byteLength(text), modifiedAt: new Date(), open };
};

/**
 * Registers the download of images as one zip of their original files. Each image is logged before the first byte is sent. Damaged or missing
 * files are left out and listed in the zip; with none left the reply is an error.
 */
export const downloadRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog } = deps;

  bind(server, binding, imageDownload, async ({ principal, body, reply }) => {
    const ids = [...new Set(body.imageUIDs)];
    const rows = await imagesToDownload(db, ids);
    if (rows.length !== ids.length) throw new ProblemError('not-found');
    for (const row of rows) requireAccessible(principal, row);
    const whileConnected: Pace = async () => {
      if (reply.raw.destroyed) throw new Error('the client has gone');
    };
    const { zipped, sent, leftOut } = await gather(deps, rows, whileConnected);
    const [first] = leftOut;
    if (first && sent.length === 0) throw first.error;
    const detail = [body.recipient, body.purpose].filter(Boolean).join(': ') || null;
    await accessLog.note(
      ...sent.map((row) => ({
        accountId: principal.accountId,
        customerId: row.customer_id,
        patientId: row.patient_id,
        action: 'image.downloaded' as const,
        objectId: row.id,
        detail,
      })),
    );
    const { stream, sizeBytes } = zipFiles(first ? [...zipped, leftOutFile(leftOut)] : zipped);
    return reply
      .headers({
        'cache-control': 'private, no-store',
        'content-disposition': 'attachment; filename="images.zip"',
        'content-length': sizeBytes,
        [leftOutHeader]: leftOut.length,
        'x-content-type-options': 'nosniff',
      })
      .type('application/zip')
      .send(stream);
  });
};
