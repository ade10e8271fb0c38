import type { Insertable } from 'kysely';
import type { z } from 'zod';
import type { newSlots, ViewsetItem } from '../../contract/viewsets.ts';
import type { StoredSlot, ViewsetItemTable } from '../db/schema.ts';
import type { ViewsetItemRow } from '../db/stores/viewsets.ts';

/** A slot of a template as an empty slot of a viewset. */
export const viewsetItemOf = (viewsetId: string, slot: StoredSlot): Insertable<ViewsetItemTable> => ({
  viewset_id: viewsetId,
  item_index: slot.itemIndex,
  capture_order: slot.order,
  x_pos: slot.xPos,
  y_pos: slot.yPos,
  width: slot.width,
  height: slot.height,
  rotation: slot.rotation,
  horizontal_flip: slot.horizontalFlip,
  teeth: slot.teeth,
  description: slot.description,
  image_id: null,
});

/** The slot of a viewset by itself, without what hangs there. */
export const slotOfItem = (row: ViewsetItemRow): StoredSlot => ({
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
});

/** Slots that a person drew: index and order follow the place in the list. */
export const drawnSlots = (slots: z.output<typeof newSlots>): StoredSlot[] =>
  slots.map((slot, index) => ({
    ...slot,
    itemIndex: index,
    order: index + 1,
    horizontalFlip: false,
    description: null,
  }));

/** A slot with its image as the contract shows it: turned as a person left it there, else as the slot asks. */
export const viewsetItemView = (
  row: ViewsetItemRow,
  activeImage: ViewsetItem['activeImage'],
  kept: Pick<ViewsetItem, 'display' | 'displayVersion'>,
): ViewsetItem => {
  const slot = slotOfItem(row);
  return {
    ...slot,
    rotation: kept.display?.rotation ?? slot.rotation,
    horizontalFlip: kept.display?.horizontalFlip ?? slot.horizontalFlip,
    activeImage,
    ...kept,
  };
};
