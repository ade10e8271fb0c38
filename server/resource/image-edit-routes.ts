import type { FastifyInstance } from 'fastify';
import { imageDelete, imageRestore, imageUpdate } from '../../contract/images.ts';
import { findImage, imagesOfStudies } from '../db/stores/images.ts';
import { updateImage, viewsetsShowing } from '../db/stores/record-edits.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import { binOf } from './bin.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { imageInfosOf } from './image-info.ts';
import { inReach } from './patient-in-reach.ts';

/** Each tooth once, in the order of its number. */
const teethInOrder = (teeth: readonly number[]): number[] => [...new Set(teeth)].sort((one, other) => one - other);

/** What a person knows of an image better than its file, and the way into the recycle bin and back. */
export const imageEditRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news, thumbLinks } = deps;
  const bin = binOf(deps);

  bind(server, binding, imageUpdate, async ({ principal, body }) => {
    const row = inReach(principal, await findImage(db, body.uid));
    const edited = await updateImage(
      db,
      { id: row.id, version: body.version },
      { comments: body.imageComment || null, teeth: body.teeth && teethInOrder(body.teeth) },
    );
    if (!edited) throw new Refusal('conflict');
    const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: 'image.edited',
      objectId: row.id,
    });
    await news.patientChanged(record);
    await news.viewsetsChanged(record, await viewsetsShowing(db, row));
    const images = imageInfosOf(await imagesOfStudies(db, [row.study_id]), thumbLinks);
    const image = images.find(({ uid }) => uid === row.id);
    if (!image) throw new Refusal('not-found');
    return image;
  });

  bind(server, binding, imageDelete, ({ principal, params }) => bin(principal, 'image', params.id, true));
  bind(server, binding, imageRestore, ({ principal, params }) => bin(principal, 'image', params.id, false));
};
