import type { FastifyInstance } from 'fastify';
import { rendition } from '../../contract/images.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { findImage } from '../db/stores/images.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

const problemErrorOf = (error: unknown): unknown => {
  if (!(error instanceof DicomProblem)) return error;
  return new ProblemError(error.code === 'no-such-frame' ? 'not-found' : 'image-not-readable');
};

export const renditionRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, renditions } = deps;

  bind(server, binding, rendition, async ({ principal, query, reply }) => {
    const row = requireAccessible(principal, await findImage(db, query.imageUID));
    if (row.kind === 'document') throw new ProblemError('image-has-no-pixels');
    if (query.frame > row.frames) throw new ProblemError('not-found');
    await accessLog.note(accessTo(principal, row, 'image.opened'));
    const bytes = await renditions.of(row.sha256, query.frame, query.level).catch((error: unknown) => {
      throw problemErrorOf(error);
    });
    // `no-store`: the picture must not stay in the cache of a shared workstation.
    reply.headers({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' });
    return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
};
