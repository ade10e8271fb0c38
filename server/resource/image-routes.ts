import type { FastifyInstance } from 'fastify';
import { getImage, thumbnail } from '../../contract/images.ts';
import { findImage } from '../db/stores/images.ts';
import { Refusal } from '../refusal.ts';
import { bind, bindOpen } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';
import { sendStored } from './send-stored.ts';
import { sendThumbnail } from './send-thumbnail.ts';

export const imageRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, files, accessLog, thumbLinks, thumbnails } = deps;

  bind(server, binding, getImage, async ({ principal, query, request, reply }) => {
    const row = inReach(principal, await findImage(db, query.imageUID));
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: 'image.opened',
      objectId: row.id,
    });
    // Names stand in the header of the file: it must not stay behind on the disk of a shared workstation.
    const cacheControl = 'private, no-store';
    const body = { sha256: row.sha256, sizeBytes: row.size_bytes, contentType: 'application/dicom', cacheControl };
    return sendStored(files, body, request, reply);
  });

  // No patient data but the picture itself is in here; the listing that handed out the link is in the access log.
  bindOpen(server, binding, thumbnail, async ({ query, request, reply }) => {
    if (!thumbLinks.isValid(query)) throw new Refusal('link-expired');
    const row = await findImage(db, query.imageUID);
    if (!row) throw new Refusal('not-found');
    if (row.kind === 'document') throw new Refusal('image-has-no-pixels');
    const picture = thumbnails.of(row.sha256);
    const name = `${row.sha256}-${thumbnails.version}`;
    return sendThumbnail({ picture, name, expires: query.expires }, request, reply);
  });
};
