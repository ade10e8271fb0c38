import type { z } from 'zod';
import type { newSlots, ViewsetItem } from '../../contract/viewsets.ts';
import { slotOfItem } from '../db/stores/viewset-slots.ts';
import type { ViewsetItemRow } from '../db/stores/viewsets.ts';
import type { StoredSlot } from '../domain/stored-slot.ts';

/** Returns user-drawn slots: index and order follow the list. */
export const drawnSlots = (slots: z.output<typeof newSlots>): StoredSlot[] =>
  slots.map((slot, index) => ({
    ...slot,
    itemIndex: index,
    order: index + 1,
    horizontalFlip: false,
    description: null,
  }));

/** Returns a slot with its image as in the contract: the user's rotation, else that of the slot. */
export const viewsetItemView = (
  row: ViewsetItemRow,
  activeImage: ViewsetItem['activeImage'],
  stored: Pick<ViewsetItem, 'display' | 'displayVersion'>,
): ViewsetItem => {
  const slot = slotOfItem(row);
  return {
    ...slot,
    rotation: stored.display?.rotation ?? slot.rotation,
    horizontalFlip: stored.display?.horizontalFlip ?? slot.horizontalFlip,
    activeImage,
    ...stored,
  };
};
