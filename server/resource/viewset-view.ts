import type { Kysely } from 'kysely';
import type { Viewset } from '../../contract/viewsets.ts';
import type { Schema } from '../db/schema.ts';
import { displaysOfViewset } from '../db/stores/displays.ts';
import { imagesOfStudies } from '../db/stores/images.ts';
import { mountedImagesOfStudy, studiesOfImages, trayOfViewset } from '../db/stores/placements.ts';
import { itemsOfViewset, type ViewsetItemRow, type ViewsetRow } from '../db/stores/viewsets.ts';
import { imageInfosOf } from './image-info.ts';
import type { SessionThumbLinks } from './thumb-links.ts';
import { viewsetItemView } from './viewset-slots.ts';

const defaultDisplay = { display: null, version: 0 };

/** How a mount that arrived as a structured display differs from it. */
const arrivalOf = ({ structured_display: display }: ViewsetRow, items: readonly ViewsetItemRow[]): Viewset['arrival'] =>
  display && {
    missing: items.flatMap(({ item_index: itemIndex, image_id, awaited_uid: sopInstanceUid }) =>
      image_id === null && sopInstanceUid !== null ? [{ itemIndex, sopInstanceUid }] : [],
    ),
    notTaken: [...display.notTaken],
  };

/**
 * Returns a viewset as in the contract. Its images may come from any study of the patient. A deleted image leaves its slot empty. The tray
 * holds the study's images that are mounted nowhere, then unmounted images in order.
 */
export const viewsetView = async (db: Kysely<Schema>, links: SessionThumbLinks, row: ViewsetRow): Promise<Viewset> => {
  // Sequential queries: inside a transaction they share a connection.
  const items = await itemsOfViewset(db, row.id);
  const tray = await trayOfViewset(db, row.id);
  const displays = await displaysOfViewset(db, row.id);
  const mountedImages = items.flatMap((item) => item.image_id ?? []);
  const studyIds = new Set([row.study_id, ...(await studiesOfImages(db, [...mountedImages, ...tray]))]);
  const rows = (await imagesOfStudies(db, [...studyIds])).filter((image) => image.patient_id === row.patient_id);
  const mountedElsewhere = await mountedImagesOfStudy(db, row.study_id);

  const images = new Map(imageInfosOf(rows, links).map((image) => [image.uid, image]));
  const away = new Set([...mountedImages, ...tray, ...mountedElsewhere]);
  const loose = rows.filter((one) => one.study_id === row.study_id && one.kind === 'image' && !away.has(one.id));
  const detached = [...loose.map((one) => one.id), ...tray.filter((id) => !mountedImages.includes(id))];
  return {
    viewSetUuid: row.id,
    name: row.name,
    comments: row.comments,
    templateUUID: row.template_id,
    width: row.width,
    height: row.height,
    patientId: row.patient_id,
    studyUid: row.study_uid,
    note: row.note,
    version: row.version,
    viewSetItems: items.map((item) => {
      const image = (item.image_id && images.get(item.image_id)) || null;
      const stored = (image && displays.get(image.uid)) ?? defaultDisplay;
      return viewsetItemView(item, image, { display: stored.display, displayVersion: stored.version });
    }),
    arrival: arrivalOf(row, items),
    detachedImages: detached.flatMap((id) => images.get(id) ?? []),
  };
};
