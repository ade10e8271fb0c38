import type { FastifyInstance } from 'fastify';
import { rendition } from '../../contract/images.ts';
import { findImage } from '../db/stores/images.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';
import { sendRendition } from './send-rendition.ts';

export const renditionRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, renditions } = deps;

  bind(server, binding, rendition, async ({ principal, query, reply }) => {
    const row = requireAccessible(principal, await findImage(db, query.imageUID));
    if (row.kind === 'document') throw new ProblemError('image-has-no-pixels');
    if (query.frame > row.frames) throw new ProblemError('not-found');
    await accessLog.note(accessTo(principal, row, 'image.opened'));
    return sendRendition(renditions.of(row.sha256, query.frame, query.level), reply);
  });
};
