import type { z } from 'zod';
import type { MountedSlot, newSlots, ViewsetItem } from '../../contract/viewsets.ts';
import { slotOfItem } from '../db/stores/viewset-slots.ts';
import type { filledItemsOfStudies, ViewsetItemRow } from '../db/stores/viewsets.ts';
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

type StoredDisplay = Pick<ViewsetItem, 'display' | 'displayVersion'>;
type FilledItemRow = Awaited<ReturnType<typeof filledItemsOfStudies>>[number];

const displayedSlot = (row: ViewsetItemRow, stored: StoredDisplay) => {
  const slot = slotOfItem(row);
  return {
    ...slot,
    rotation: stored.display?.rotation ?? slot.rotation,
    horizontalFlip: stored.display?.horizontalFlip ?? slot.horizontalFlip,
    ...stored,
  };
};

/** Returns a slot with its image as in the contract: the user's rotation, else that of the slot. */
export const viewsetItemView = (
  row: ViewsetItemRow,
  activeImage: ViewsetItem['activeImage'],
  stored: StoredDisplay,
): ViewsetItem => ({ ...displayedSlot(row, stored), activeImage });

/** Returns a filled slot by the UID of its image as in the contract. */
export const mountedSlotView = (row: FilledItemRow): MountedSlot => ({
  ...displayedSlot(row, { display: row.display, displayVersion: row.display_version ?? 0 }),
  imageUid: row.mounted_id,
});
