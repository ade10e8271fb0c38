import type { FastifyInstance } from 'fastify';
import { imageDownload } from '../../contract/gallery.ts';
import { type ImageToDownload, imagesToDownload } from '../db/stores/downloads.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { FileStore } from '../storage/file-store.ts';
import { type ZippedFile, zipFiles } from '../storage/zip-files.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';

/** `2026-03-12_IO_001.dcm`: nothing of the patient, whatever the file was called. */
const nameInZip = (row: ImageToDownload, place: number): string => {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(row.acquired_at ?? row.study_date ?? '')?.[0] ?? 'undated';
  const modality = row.modality.toUpperCase().replace(/[^A-Z0-9]+/g, '') || 'OT';
  const picture = /\.png$/i.test(row.file_name) ? 'png' : 'jpg';
  return `${day}_${modality}_${String(place).padStart(3, '0')}.${row.original_sha256 === null ? 'dcm' : picture}`;
};

/** @throws Refusal 'image-not-readable' when the store does not hold the file */
const zippedFileOf = async (files: FileStore, row: ImageToDownload, index: number): Promise<ZippedFile> => {
  const sha256 = row.original_sha256 ?? row.sha256;
  const sizeBytes = await files.sizeOf(sha256);
  if (sizeBytes === null) throw new Refusal('image-not-readable');
  return {
    ...{ name: nameInZip(row, index + 1), sizeBytes, modifiedAt: row.created_at },
    open: () => files.openRange(sha256),
  };
};

/** Many images as the files that they came as, in one zip. Each is in the access log before the first byte goes out. */
export const downloadRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, files, accessLog } = deps;

  bind(server, binding, imageDownload, async ({ principal, body, reply }) => {
    const ids = [...new Set(body.imageUIDs)];
    const rows = await imagesToDownload(db, ids);
    if (rows.length !== ids.length) throw new Refusal('not-found');
    for (const row of rows) inReach(principal, row);
    const zipped: ZippedFile[] = [];
    for (const [index, row] of rows.entries()) zipped.push(await zippedFileOf(files, row, index));
    await accessLog.note(
      ...rows.map((row) => ({
        accountId: principal.accountId,
        customerId: row.customer_id,
        patientId: row.patient_id,
        action: 'image.downloaded' as const,
        objectId: row.id,
      })),
    );
    const { stream, sizeBytes } = zipFiles(zipped);
    return reply
      .headers({
        'cache-control': 'private, no-store',
        'content-disposition': 'attachment; filename="images.zip"',
        'content-length': sizeBytes,
        'x-content-type-options': 'nosniff',
      })
      .type('application/zip')
      .send(stream);
  });
};
