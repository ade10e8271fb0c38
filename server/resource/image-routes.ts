import type { FastifyInstance } from 'fastify';
import { getDocument, getImage, thumbnail } from '../../contract/images.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { isVideo } from '../../dicom/transfer-syntax.ts';
import { findImage } from '../db/stores/images.ts';
import { encapsulatedPdfClass } from '../domain/image-classes.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind, bindOpen } from '../route-binding.ts';
import { sendThumbnail } from '../web/send-thumbnail.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';
import { sendStored } from './send-stored.ts';

export const imageRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, files, fileErrors, accessLog, thumbLinks, thumbnails, storedImaging } = deps;

  bind(server, binding, getImage, async ({ principal, query, request, reply }) => {
    const row = requireAccessible(principal, await findImage(db, query.imageUID));
    await accessLog.note(accessTo(principal, row, 'image.opened'));
    // `no-store`: the file's header holds names, which must not stay in the cache of a shared workstation.
    const cacheControl = 'private, no-store';
    reply.header('content-disposition', 'attachment; filename="image.dcm"');
    const body = { sha256: row.sha256, sizeBytes: row.size_bytes, contentType: 'application/dicom', cacheControl };
    return sendStored({ files, fileErrors }, body, request, reply);
  });

  bind(server, binding, getDocument, async ({ principal, query, reply }) => {
    const row = requireAccessible(principal, await findImage(db, query.imageUID));
    const isPdf = row.sop_class_uid === encapsulatedPdfClass;
    if (!isPdf && !isVideo(row.transfer_syntax)) throw new ProblemError('image-not-readable');
    await accessLog.note(accessTo(principal, row, 'image.opened'));
    const read = isPdf ? storedImaging.encapsulatedPdf : storedImaging.storedVideo;
    const { buffer, byteOffset, byteLength } = await read(row.sha256, 'waited-for').catch((error: unknown) => {
      throw error instanceof DicomProblem ? new ProblemError('image-not-readable') : error;
    });
    reply.headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
    reply.header('content-disposition', `inline; filename="${isPdf ? 'document.pdf' : 'video.mp4'}"`);
    return reply.type(isPdf ? 'application/pdf' : 'video/mp4').send(Buffer.from(buffer, byteOffset, byteLength));
  });

  // Not logged: the reply holds no patient data but the picture, and the listing that issued the link is in the access log.
  bindOpen(server, binding, thumbnail, async ({ query, reply }) => {
    if (!(await thumbLinks.isValid(query))) throw new ProblemError('link-expired');
    const row = await findImage(db, query.imageUID);
    if (!row) throw new ProblemError('not-found');
    if (row.kind === 'document') throw new ProblemError('image-has-no-pixels');
    return sendThumbnail(thumbnails.of(row.sha256), reply);
  });
};
