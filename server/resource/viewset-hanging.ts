import type { Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { hangImages, layInTray, liveImages, takeFromTray, trayOfViewset } from '../db/stores/hangings.ts';
import { findImage, type ImageRow } from '../db/stores/images.ts';
import { itemsOfViewset, type ViewsetRow } from '../db/stores/viewsets.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import type { Hanging } from './hanging.ts';
import { inReach } from './patient-in-reach.ts';

/** What hangs in a locked viewset, and which slots keep an image that lies in the recycle bin. */
export interface HangingNow {
  readonly hanging: Hanging;
  readonly kept: ReadonlyMap<number, string>;
}

export const hangingOf = async (transaction: Transaction<Schema>, viewsetId: string): Promise<HangingNow> => {
  const items = await itemsOfViewset(transaction, viewsetId);
  const live = await liveImages(
    transaction,
    items.flatMap((item) => item.image_id ?? []),
  );
  const shown = (image: string | null) => (image !== null && live.has(image) ? image : null);
  const kept = items.flatMap(({ item_index, image_id }) =>
    image_id !== null && !live.has(image_id) ? [[item_index, image_id] as const] : [],
  );
  return {
    hanging: {
      slots: new Map(items.map((item) => [item.item_index, shown(item.image_id)])),
      tray: await trayOfViewset(transaction, viewsetId),
    },
    kept: new Map(kept),
  };
};

/**
 * Writes what has changed. A slot that kept an image of the recycle bin and is filled now sends it to the tray, where it is found when it
 * is restored.
 * @returns whether anything has changed
 */
export const writeHanging = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  before: HangingNow,
  after: Hanging,
): Promise<boolean> => {
  const slots = new Map([...after.slots].filter(([index, image]) => before.hanging.slots.get(index) !== image));
  const filled = [...slots].filter(([, image]) => image !== null).map(([index]) => index);
  const pushedOut = filled.flatMap((index) => before.kept.get(index) ?? []);
  const left = before.hanging.tray.filter((image) => !after.tray.includes(image));
  const came = after.tray.filter((image) => !before.hanging.tray.includes(image));
  await takeFromTray(transaction, viewsetId, [...left, ...pushedOut]);
  await hangImages(transaction, viewsetId, slots);
  await layInTray(transaction, viewsetId, [...came, ...pushedOut]);
  return slots.size > 0;
};

/**
 * An image that may hang in this viewset.
 * @throws Refusal 'not-found', 'image-of-another-patient', 'image-has-no-pixels' for a document
 */
export const imageForViewset = async (
  transaction: Transaction<Schema>,
  principal: Principal,
  viewset: Pick<ViewsetRow, 'patient_id'>,
  imageId: string,
): Promise<ImageRow> => {
  const image = inReach(principal, await findImage(transaction, imageId));
  if (image.patient_id !== viewset.patient_id) throw new Refusal('image-of-another-patient');
  if (image.kind === 'document') throw new Refusal('image-has-no-pixels');
  return image;
};
