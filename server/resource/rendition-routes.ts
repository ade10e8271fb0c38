import type { FastifyInstance } from 'fastify';
import { rendition } from '../../contract/images.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { findImage } from '../db/stores/images.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';

const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof DicomProblem)) return error;
  return new Refusal(error.code === 'no-such-frame' ? 'not-found' : 'image-not-readable');
};

export const renditionRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, renditions } = deps;

  bind(server, binding, rendition, async ({ principal, query, reply }) => {
    const row = inReach(principal, await findImage(db, query.imageUID));
    if (row.kind === 'document') throw new Refusal('image-has-no-pixels');
    if (query.frame > row.frames) throw new Refusal('not-found');
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: 'image.opened',
      objectId: row.id,
    });
    const bytes = await renditions.of(row.sha256, query.frame, query.level).catch((error: unknown) => {
      throw refusalOf(error);
    });
    // It names nobody, but it is somebody's picture: it must not stay behind on the disk of a shared workstation.
    reply.headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
    return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
};
