import type { FastifyInstance } from 'fastify';
import { imageDelete, imageRestore, imageUpdate } from '../../contract/images.ts';
import { findImage, imagesOfStudies } from '../db/stores/images.ts';
import { updateImage, viewsetsShowing } from '../db/stores/record-edits.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { imageInfosOf } from './image-info.ts';
import { accessTo } from './record-access.ts';
import { createSetDeleted } from './set-deleted.ts';

/** Returns each tooth once, by number. */
const teethInOrder = (teeth: readonly number[]): number[] => [...new Set(teeth)].sort((one, other) => one - other);

/** Registers the routes that edit, delete and restore images. */
export const imageEditRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events, thumbLinks } = deps;
  const setDeleted = createSetDeleted(deps);

  bind(server, binding, imageUpdate, async ({ principal, body }) => {
    const row = requireAccessible(principal, await findImage(db, body.uid));
    const edited = await updateImage(
      db,
      { id: row.id, version: body.version, accountId: principal.accountId },
      { comments: body.imageComment || null, teeth: body.teeth && teethInOrder(body.teeth) },
    );
    if (!edited) throw new ProblemError('conflict');
    const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
    await accessLog.note(accessTo(principal, row, 'image.edited'));
    await events.patientChanged(record);
    await events.viewsetImagesChanged(record, await viewsetsShowing(db, row));
    const images = imageInfosOf(await imagesOfStudies(db, [row.study_id]), thumbLinks.of(principal));
    const image = images.find(({ uid }) => uid === row.id);
    if (!image) throw new ProblemError('not-found');
    return image;
  });

  bind(server, binding, imageDelete, ({ principal, params }) => setDeleted(principal, 'image', params.id, true));
  bind(server, binding, imageRestore, ({ principal, params }) => setDeleted(principal, 'image', params.id, false));
};
