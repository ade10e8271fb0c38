import type { FastifyInstance } from 'fastify';
import { templates, type Viewset, viewsetGet } from '../../contract/viewsets.ts';
import { imagesOfStudies } from '../db/stores/images.ts';
import { allTemplates } from '../db/stores/templates.ts';
import { findViewset, itemsOfViewset, type ViewsetItemRow } from '../db/stores/viewsets.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { imageInfosOf } from './image-info.ts';
import { inReach } from './patient-in-reach.ts';

const slotOf = (row: ViewsetItemRow): Omit<Viewset['viewSetItems'][number], 'activeImage'> => ({
  itemIndex: row.item_index,
  order: row.capture_order,
  xPos: row.x_pos,
  yPos: row.y_pos,
  width: row.width,
  height: row.height,
  rotation: row.rotation,
  horizontalFlip: row.horizontal_flip,
  teeth: row.teeth,
  description: row.description,
  display: null,
  displayVersion: 0,
});

export const viewsetRoutes = (
  server: FastifyInstance,
  { db, binding, accessLog, thumbLinks }: ResourceDependencies,
): void => {
  bind(server, binding, viewsetGet, async ({ principal, params }) => {
    const row = inReach(principal, await findViewset(db, params.id));
    const [items, rows] = await Promise.all([itemsOfViewset(db, row.id), imagesOfStudies(db, [row.study_id])]);
    const images = imageInfosOf(rows, thumbLinks);
    const byId = new Map(images.map((image) => [image.uid, image]));
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: 'viewset.opened',
      objectId: row.id,
    });
    return {
      viewSetUuid: row.id,
      name: row.name,
      comments: row.comments,
      templateUUID: row.template_id,
      width: row.width,
      height: row.height,
      patientId: row.patient_id,
      studyUid: row.study_uid,
      version: row.version,
      viewSetItems: items.map((item) => ({
        ...slotOf(item),
        activeImage: (item.image_id && byId.get(item.image_id)) || null,
      })),
      // Images of the study that hang in no viewset at all.
      detachedImages: images.filter((image) => image.viewsetId === null),
    };
  });

  bind(server, binding, templates, async () => {
    const rows = await allTemplates(db);
    return rows.map((row) => ({
      uuid: row.id,
      name: row.name,
      width: row.width,
      height: row.height,
      isFavorite: row.is_favorite,
      modality: row.modality,
      viewSetItems: row.items,
    }));
  });
};
