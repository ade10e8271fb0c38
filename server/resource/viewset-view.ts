import type { Kysely } from 'kysely';
import type { Viewset } from '../../contract/viewsets.ts';
import type { Schema } from '../db/schema.ts';
import { displaysOfViewset } from '../db/stores/displays.ts';
import { hungImagesOfStudy, studiesOfImages, trayOfViewset } from '../db/stores/hangings.ts';
import { imagesOfStudies } from '../db/stores/images.ts';
import { itemsOfViewset, type ViewsetRow } from '../db/stores/viewsets.ts';
import { imageInfosOf } from './image-info.ts';
import type { ThumbLinks } from './thumb-links.ts';
import { viewsetItemView } from './viewset-slots.ts';

const notKept = { display: null, version: 0 };

/**
 * A viewset as the contract shows it. Its images may come from any study of the patient. An image in the recycle bin leaves its slot
 * empty. The tray begins with the images of the study that hang nowhere and ends with what was unmounted last.
 */
export const viewsetView = async (db: Kysely<Schema>, links: ThumbLinks, row: ViewsetRow): Promise<Viewset> => {
  // One after the other: inside a transaction they share a connection.
  const items = await itemsOfViewset(db, row.id);
  const tray = await trayOfViewset(db, row.id);
  const displays = await displaysOfViewset(db, row.id);
  const hung = items.flatMap((item) => item.image_id ?? []);
  const studyIds = new Set([row.study_id, ...(await studiesOfImages(db, [...hung, ...tray]))]);
  const rows = (await imagesOfStudies(db, [...studyIds])).filter((image) => image.patient_id === row.patient_id);
  const hungSomewhere = await hungImagesOfStudy(db, row.study_id);

  const images = new Map(imageInfosOf(rows, links).map((image) => [image.uid, image]));
  const away = new Set([...hung, ...tray, ...hungSomewhere]);
  const loose = rows.filter((one) => one.study_id === row.study_id && one.kind === 'image' && !away.has(one.id));
  const detached = [...loose.map((one) => one.id), ...tray.filter((id) => !hung.includes(id))];
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
    viewSetItems: items.map((item) => {
      const image = (item.image_id && images.get(item.image_id)) || null;
      const kept = (image && displays.get(image.uid)) ?? notKept;
      return viewsetItemView(item, image, { display: kept.display, displayVersion: kept.version });
    }),
    detachedImages: detached.flatMap((id) => images.get(id) ?? []),
  };
};
