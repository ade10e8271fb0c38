import type { Transaction } from 'kysely';
import type { Placement } from '../../domain/placement.ts';
import type { Schema } from '../schema.ts';
import { addToTray, liveImages, mountImages, removeFromTray, trayOfViewset } from './placements.ts';
import { itemsOfViewset } from './viewsets.ts';

/** Placement in a locked viewset, and the slots whose image is in the recycle bin. */
export interface StoredPlacement {
  readonly placement: Placement;
  readonly deletedImages: ReadonlyMap<number, string>;
}

export const readPlacement = async (transaction: Transaction<Schema>, viewsetId: string): Promise<StoredPlacement> => {
  const items = await itemsOfViewset(transaction, viewsetId);
  const live = await liveImages(
    transaction,
    items.flatMap((item) => item.image_id ?? []),
  );
  const shown = (image: string | null) => (image !== null && live.has(image) ? image : null);
  const deletedImages = items.flatMap(({ item_index, image_id }) =>
    image_id !== null && !live.has(image_id) ? [[item_index, image_id] as const] : [],
  );
  return {
    placement: {
      slots: new Map(items.map((item) => [item.item_index, shown(item.image_id)])),
      tray: await trayOfViewset(transaction, viewsetId),
    },
    deletedImages: new Map(deletedImages),
  };
};

/**
 * Writes the changed slots. When a slot with a deleted image is filled, that image goes to the tray, where it appears when restored.
 * @returns whether anything has changed
 */
export const writePlacement = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  before: StoredPlacement,
  after: Placement,
): Promise<boolean> => {
  const slots = new Map([...after.slots].filter(([index, image]) => before.placement.slots.get(index) !== image));
  const filled = [...slots].filter(([, image]) => image !== null).map(([index]) => index);
  const pushedOut = filled.flatMap((index) => before.deletedImages.get(index) ?? []);
  const left = before.placement.tray.filter((image) => !after.tray.includes(image));
  const came = after.tray.filter((image) => !before.placement.tray.includes(image));
  await removeFromTray(transaction, viewsetId, [...left, ...pushedOut]);
  await mountImages(transaction, viewsetId, slots);
  await addToTray(transaction, viewsetId, [...came, ...pushedOut]);
  return slots.size > 0;
};
