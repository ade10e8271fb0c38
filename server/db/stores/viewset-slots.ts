import type { Insertable } from 'kysely';
import type { StoredSlot } from '../../domain/stored-slot.ts';
import type { ViewsetItemTable } from '../schema.ts';
import type { ViewsetItemRow } from './viewsets.ts';

/** Returns an empty viewset slot for a template slot. */
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

/** Returns a viewset slot without its image. */
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
