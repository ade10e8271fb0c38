import type { ImageInfo } from '../../../../contract/images.ts';
import { candidatesOf, proposeSlots } from '../../../../contract/propose-slots.ts';
import type { Viewset, ViewsetItem } from '../../../../contract/viewsets.ts';
import type { ViewsetActor } from '../../../machines/viewset/viewset.machine.ts';
import type { PlacementRequest } from '../../../machines/viewset/viewset.rules.ts';
import { inOrder } from '../../ui/slot-neighbours.ts';
import type { Place } from '../../ui/use-drag.ts';
import type { MountTexts } from './mount-texts.ts';

type Box = Pick<ViewsetItem, 'xPos' | 'yPos' | 'width' | 'height'>;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the topmost slot under a point, in mount units. */
export const slotAt = <Item extends Box>(items: readonly Item[], point: Point): Item | null =>
  items.findLast(
    ({ xPos, yPos, width, height }) =>
      point.x >= xPos && point.y >= yPos && point.x < xPos + width && point.y < yPos + height,
  ) ?? null;

export const itemOf = (viewset: Viewset, itemIndex: number | null): ViewsetItem | null =>
  viewset.viewSetItems.find((item) => item.itemIndex === itemIndex) ?? null;

/** Returns the slot in which an image is mounted. */
export const slotOfImage = (viewset: Viewset, imageUid: string): ViewsetItem | null =>
  viewset.viewSetItems.find((item) => item.activeImage?.uid === imageUid) ?? null;

/** Returns the first empty slot in capture order. */
export const firstFree = (viewset: Viewset): ViewsetItem | null =>
  inOrder(viewset.viewSetItems).find((item) => item.activeImage === null) ?? null;

/** Returns which images fit which empty slots by the rule of automatic placement. */
const fittingSlots = (viewset: Viewset, modality: string, images: readonly ImageInfo[]) => {
  const slots = viewset.viewSetItems.filter(({ activeImage }) => activeImage === null);
  const proposed = Object.entries(proposeSlots({ modality, slots }, candidatesOf(images)));
  return proposed.map(([itemIndex, imageUid]) => ({ itemIndex: Number(itemIndex), imageUid }));
};

/** Returns the first empty slot that an image fits by the rule of automatic placement; null when there is none. */
export const firstFitting = (viewset: Viewset, modality: string, image: ImageInfo): ViewsetItem | null => {
  const [place] = fittingSlots(viewset, modality, [image]);
  return place ? itemOf(viewset, place.itemIndex) : null;
};

/** Returns the next filled slot in capture order before or after an image; null when there is none. */
export const filledBeside = (viewset: Viewset, imageUid: string, by: 1 | -1): ViewsetItem | null => {
  const filled = inOrder(viewset.viewSetItems).filter((item) => item.activeImage !== null);
  const at = filled.findIndex((item) => item.activeImage?.uid === imageUid);
  return at < 0 ? null : (filled[at + by] ?? null);
};

/** An image dragged from a slot, from the tray or from the list. */
export interface Dragged {
  readonly image: ImageInfo;
  /** Source slot; null: the tray or the list. */
  readonly from: number | null;
}

/** A slot of another mount of the patient. */
export interface OtherSlot {
  readonly viewsetId: string;
  readonly mountName: string;
  readonly itemIndex: number;
}

/** What the user may do with mounted images. */
export interface MountRights {
  /** Take an image out of its slot. */
  readonly unmount: boolean;
  /** Move an image to another slot. */
  readonly move: boolean;
}

/** All actions on a mount; mouse, touch and keys use the same. */
export interface MountActions {
  /** Mounts a tray image in a slot; null: the selected slot if empty, else the first empty one. */
  readonly mount: (imageUid: string, itemIndex: number | null) => void;
  readonly unmount: (itemIndex: number) => void;
  /** Mounts the tray images in the empty slots that they fit; null while the modality of the mount is not known. */
  readonly placeAll: (() => void) | null;
  /** Moves an image to another slot, and swaps it with an image mounted there. */
  readonly move: (from: number, to: number) => void;
  /** Moves an image from another mount to a slot; an image mounted there goes to the other mount. */
  readonly moveIn: (imageUid: string, source: OtherSlot, to: number) => void;
  /** Moves an image from its current place to a slot or the tray. */
  readonly moveTo: (what: Dragged, target: Place) => void;
}

interface MountActionsOptions {
  readonly actor: Pick<ViewsetActor, 'send'>;
  /** Sends requests as one undoable step. */
  readonly perform: (requests: readonly PlacementRequest[]) => void;
  readonly viewset: Viewset;
  readonly rights: MountRights;
  /** Modality of the mount's template; 'IO' for a mount without one, null while it is not known. */
  readonly modality: string | null;
  readonly slot: number | null;
  readonly trayImage: string | null;
  readonly texts: MountTexts;
  readonly announce: (text: string) => void;
  /** Announces and shows why nothing was done. */
  readonly reject: (text: string) => void;
}

/** Returns the tray image selected after this one is removed. */
const nextInTray = (tray: readonly ImageInfo[], imageUid: string): string | null => {
  const at = tray.findIndex(({ uid }) => uid === imageUid);
  return (tray[at + 1] ?? tray[at - 1])?.uid ?? null;
};

/** Creates the actions that this user has on a viewset; each announces its result or why it did nothing. */
export const createMountActions = (options: MountActionsOptions): MountActions => {
  const { actor, perform, viewset, rights, modality, slot, trayImage, texts, announce, reject } = options;

  const slotFor = (itemIndex: number | null): ViewsetItem | null => {
    if (itemIndex !== null) return itemOf(viewset, itemIndex);
    const selected = itemOf(viewset, slot);
    return selected && !selected.activeImage ? selected : firstFree(viewset);
  };
  const mount = (imageUid: string, itemIndex: number | null) => {
    const item = slotFor(itemIndex);
    if (!item) return reject(texts.noFreeSlot);
    // The image in that slot would be unmounted.
    if (item.activeImage && !rights.unmount) return reject(texts.mayNotUnmount);
    const next = nextInTray(viewset.detachedImages, imageUid);
    perform([{ type: 'image.mounted', imageUid, itemIndex: item.itemIndex }]);
    if (trayImage === imageUid) actor.send({ type: 'tray.selected', imageUid: next });
    announce(item.activeImage ? texts.mountedOver(item) : texts.mounted(item));
  };
  const placeAll = (known: string) => {
    const tray = viewset.detachedImages;
    const proposed = fittingSlots(viewset, known, tray);
    if (proposed.length === 0) return reject(texts.noneFits);
    perform(proposed.map((place) => ({ type: 'image.mounted', ...place })));
    announce(texts.placed(proposed.length, tray.length - proposed.length));
  };
  const unmount = (itemIndex: number) => {
    const item = itemOf(viewset, itemIndex);
    if (!item?.activeImage) return;
    if (!rights.unmount) return reject(texts.mayNotUnmount);
    perform([{ type: 'image.unmounted', itemIndex }]);
    announce(texts.unmounted(item));
  };
  const move = (from: number, to: number) => {
    const [source, target] = [itemOf(viewset, from), itemOf(viewset, to)];
    if (!source?.activeImage || !target || from === to) return;
    if (!rights.move) return reject(texts.mayNotMove);
    perform([{ type: 'image.reordered', from, to }]);
    actor.send({ type: 'slot.selected', itemIndex: to });
    announce(target.activeImage ? texts.swapped(source, target) : texts.moved(source, target));
  };
  const moveIn = (imageUid: string, { viewsetId, mountName, itemIndex: from }: OtherSlot, to: number) => {
    const target = itemOf(viewset, to);
    if (!target) return;
    if (!rights.move) return reject(texts.mayNotMove);
    perform([{ type: 'image.moved-in', imageUid, viewsetId, from, itemIndex: to }]);
    announce(target.activeImage ? texts.swappedIn(mountName, target) : texts.movedIn(mountName, target));
  };
  return {
    mount,
    placeAll: modality === null ? null : () => placeAll(modality),
    unmount,
    move,
    moveIn,
    moveTo: ({ image }, target) => {
      // Another user may have moved it during the drag, so its current slot counts.
      const from = slotOfImage(viewset, image.uid)?.itemIndex ?? null;
      if (target.kind === 'slot')
        return from === null ? mount(image.uid, target.itemIndex) : move(from, target.itemIndex);
      if (from !== null) unmount(from);
    },
  };
};
