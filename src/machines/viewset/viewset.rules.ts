import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

/**
 * One change of placement. It names the image, its source and the image displaced at the target, so that it never applies to an image
 * that the user did not see.
 */
export type Operation =
  | {
      readonly kind: 'mount';
      readonly imageUid: string;
      /** `elsewhere`: an image of the patient that is neither in a slot nor in the tray of this viewset. */
      readonly from: 'tray' | 'elsewhere';
      readonly to: number;
      readonly displaced: string | null;
    }
  | { readonly kind: 'unmount'; readonly imageUid: string; readonly from: number }
  | {
      readonly kind: 'move';
      readonly imageUid: string;
      readonly from: number;
      readonly to: number;
      readonly displaced: string | null;
    }
  /** From a slot of another viewset, which receives the displaced image. */
  | {
      readonly kind: 'move-in';
      readonly imageUid: string;
      readonly viewsetId: string;
      readonly from: number;
      readonly to: number;
      readonly displaced: string | null;
    };

/** A change of placement requested by the user. */
export type PlacementRequest =
  | { readonly type: 'image.mounted'; readonly imageUid: string; readonly itemIndex: number }
  | { readonly type: 'image.unmounted'; readonly itemIndex: number }
  /** `to` null: from its slot to the end of the tray. */
  | { readonly type: 'image.reordered'; readonly from: number; readonly to: number | null }
  /** From slot `from` of another viewset of the patient. */
  | {
      readonly type: 'image.moved-in';
      readonly imageUid: string;
      readonly viewsetId: string;
      readonly from: number;
      readonly itemIndex: number;
    };

const slotOf = ({ viewSetItems }: Viewset, itemIndex: number): ViewsetItem | undefined =>
  viewSetItems.find((item) => item.itemIndex === itemIndex);

const holds = (viewset: Viewset, itemIndex: number, imageUid: string | null): boolean => {
  const slot = slotOf(viewset, itemIndex);
  return slot !== undefined && (slot.activeImage?.uid ?? null) === imageUid;
};

const inTray = ({ detachedImages }: Viewset, imageUid: string): boolean =>
  detachedImages.some(({ uid }) => uid === imageUid);

const slotOfImage = ({ viewSetItems }: Viewset, imageUid: string): ViewsetItem | undefined =>
  viewSetItems.find(({ activeImage }) => activeImage?.uid === imageUid);

const unmountOf = (viewset: Viewset, from: number): Operation | null => {
  const imageUid = slotOf(viewset, from)?.activeImage?.uid;
  return imageUid === undefined ? null : { kind: 'unmount', imageUid, from };
};

const moveOf = (viewset: Viewset, from: number, to: number): Operation | null => {
  const imageUid = slotOf(viewset, from)?.activeImage?.uid;
  const target = slotOf(viewset, to);
  if (imageUid === undefined || !target || from === to) return null;
  return { kind: 'move', imageUid, from, to, displaced: target.activeImage?.uid ?? null };
};

const mountOf = (viewset: Viewset, imageUid: string, to: number): Operation | null => {
  const target = slotOf(viewset, to);
  if (!target) return null;
  const mountedIn = slotOfImage(viewset, imageUid);
  if (mountedIn) return moveOf(viewset, mountedIn.itemIndex, to);
  const from = inTray(viewset, imageUid) ? 'tray' : 'elsewhere';
  return { kind: 'mount', imageUid, from, to, displaced: target.activeImage?.uid ?? null };
};

/** Returns the operation for a request; null if it has no effect. Mounting an image that is in a slot moves it. */
export const operationOf = (shown: Viewset | null, request: PlacementRequest): Operation | null => {
  if (!shown) return null;
  switch (request.type) {
    case 'image.mounted':
      return mountOf(shown, request.imageUid, request.itemIndex);
    case 'image.unmounted':
      return unmountOf(shown, request.itemIndex);
    case 'image.reordered':
      return request.to === null ? unmountOf(shown, request.from) : moveOf(shown, request.from, request.to);
    case 'image.moved-in': {
      const { imageUid, viewsetId, from, itemIndex: to } = request;
      const target = slotOf(shown, to);
      if (!target || viewsetId === shown.viewSetUuid || slotOfImage(shown, imageUid)) return null;
      return { kind: 'move-in', imageUid, viewsetId, from, to, displaced: target.activeImage?.uid ?? null };
    }
  }
};

/** Returns the request that reverses an operation; null for a move from another viewset. */
export const inverseOf = (operation: Operation): PlacementRequest | null => {
  switch (operation.kind) {
    case 'mount': {
      const { displaced, to } = operation;
      if (displaced === null) return { type: 'image.unmounted', itemIndex: to };
      return { type: 'image.mounted', imageUid: displaced, itemIndex: to };
    }
    case 'unmount':
      return { type: 'image.mounted', imageUid: operation.imageUid, itemIndex: operation.from };
    case 'move':
      return { type: 'image.reordered', from: operation.to, to: operation.from };
    case 'move-in':
      return null;
  }
};

/** Returns whether all images are still where the operation expects them. */
export const isPossible = (viewset: Viewset, operation: Operation): boolean => {
  switch (operation.kind) {
    case 'mount':
      return (
        holds(viewset, operation.to, operation.displaced) &&
        !slotOfImage(viewset, operation.imageUid) &&
        (operation.from === 'elsewhere' || inTray(viewset, operation.imageUid))
      );
    case 'move':
      return holds(viewset, operation.from, operation.imageUid) && holds(viewset, operation.to, operation.displaced);
    case 'unmount':
      return holds(viewset, operation.from, operation.imageUid);
    case 'move-in':
      return holds(viewset, operation.to, operation.displaced) && !slotOfImage(viewset, operation.imageUid);
  }
};

/** Returns whether the viewset already shows the result of the operation (its reply may have been lost). */
export const isDone = (viewset: Viewset, operation: Operation): boolean => {
  switch (operation.kind) {
    case 'mount':
    case 'move-in':
      return holds(viewset, operation.to, operation.imageUid);
    case 'move':
      return holds(viewset, operation.to, operation.imageUid) && holds(viewset, operation.from, operation.displaced);
    case 'unmount':
      return !slotOfImage(viewset, operation.imageUid) && inTray(viewset, operation.imageUid);
  }
};

type SlotContent = Pick<ViewsetItem, 'activeImage' | 'display' | 'displayVersion'>;
const nothing: SlotContent = { activeImage: null, display: null, displayVersion: 0 };
const contentOf = (slot: ViewsetItem | undefined): SlotContent =>
  slot ? { activeImage: slot.activeImage, display: slot.display, displayVersion: slot.displayVersion } : nothing;

/** Sets the content of slots. The display moves with the image; teeth, rotation and flip belong to the slot. */
const withContent = (viewset: Viewset, change: ReadonlyMap<number, SlotContent>): Viewset => ({
  ...viewset,
  viewSetItems: viewset.viewSetItems.map((item) => {
    const content = change.get(item.itemIndex);
    return content ? { ...item, ...content } : item;
  }),
});

const detached = (image: ImageInfo | null): readonly ImageInfo[] => (image ? [{ ...image, viewsetId: null }] : []);

const mounted = (viewset: Viewset, imageUid: string, to: number): Viewset => {
  const image = viewset.detachedImages.find(({ uid }) => uid === imageUid);
  // An image that is not in the tray is known only from the archive's reply.
  if (!image) return viewset;
  const content = { ...nothing, activeImage: { ...image, viewsetId: viewset.viewSetUuid } };
  const occupant = slotOf(viewset, to)?.activeImage ?? null;
  return {
    ...withContent(viewset, new Map([[to, content]])),
    detachedImages: [...viewset.detachedImages.filter(({ uid }) => uid !== imageUid), ...detached(occupant)],
  };
};

const withOperation = (viewset: Viewset, operation: Operation): Viewset => {
  if (!isPossible(viewset, operation)) return viewset;
  switch (operation.kind) {
    case 'mount':
      return mounted(viewset, operation.imageUid, operation.to);
    case 'move':
      return withContent(
        viewset,
        new Map([
          [operation.to, contentOf(slotOf(viewset, operation.from))],
          [operation.from, contentOf(slotOf(viewset, operation.to))],
        ]),
      );
    case 'unmount': {
      const image = slotOf(viewset, operation.from)?.activeImage ?? null;
      return {
        ...withContent(viewset, new Map([[operation.from, nothing]])),
        detachedImages: [...viewset.detachedImages, ...detached(image)],
      };
    }
    // The image is known only from the reply.
    case 'move-in':
      return viewset;
  }
};

/** Returns the viewset with pending operations applied. Operations that are no longer possible are skipped. */
export const applied = (confirmed: Viewset, pending: readonly Operation[]): Viewset =>
  pending.reduce(withOperation, confirmed);

/** Returns whether all pending operations are still possible in sequence. */
export const areAllPossible = (confirmed: Viewset, pending: readonly Operation[]): boolean =>
  pending.every((operation, index) => isPossible(applied(confirmed, pending.slice(0, index)), operation));

/**
 * Splits operations stored by an earlier session: `again` are still possible, `lost` are no longer possible because of other changes.
 * Operations already done are left out.
 */
export const restorable = (
  shown: Viewset,
  operations: readonly Operation[],
): { readonly again: readonly Operation[]; readonly lost: readonly Operation[] } =>
  operations.reduce<{ readonly again: readonly Operation[]; readonly lost: readonly Operation[] }>(
    ({ again, lost }, operation) => {
      const now = applied(shown, again);
      if (isDone(now, operation)) return { again, lost };
      return isPossible(now, operation)
        ? { again: [...again, operation], lost }
        : { again, lost: [...lost, operation] };
    },
    { again: [], lost: [] },
  );

export interface Selection {
  /** By `itemIndex`. */
  readonly slot: number | null;
  readonly trayImage: string | null;
}

export const nothingSelected: Selection = { slot: null, trayImage: null };

/** Returns the next empty slot in capture order after `itemIndex`, wrapping around; null if all are filled. */
export const nextFreeSlot = ({ viewSetItems }: Viewset, itemIndex: number): number | null => {
  const order = viewSetItems.find((item) => item.itemIndex === itemIndex)?.order ?? 0;
  const free = viewSetItems
    .filter(({ activeImage }) => activeImage === null)
    .sort((one, other) => one.order - other.order);
  return (free.find((item) => item.order > order) ?? free[0])?.itemIndex ?? null;
};

/** Returns the selection after an operation: mounting advances to the next free slot and tray image, moving follows the image. */
export const selectionAfter = (selection: Selection, shown: Viewset, operation: Operation): Selection => {
  switch (operation.kind) {
    case 'mount': {
      const slot = nextFreeSlot(applied(shown, [operation]), operation.to) ?? operation.to;
      if (selection.trayImage !== operation.imageUid) return { ...selection, slot };
      const tray = shown.detachedImages.map(({ uid }) => uid);
      return { slot, trayImage: tray[tray.indexOf(operation.imageUid) + 1] ?? null };
    }
    case 'move':
      return selection.slot === operation.from ? { ...selection, slot: operation.to } : selection;
    case 'move-in':
      return { ...selection, slot: operation.to };
    case 'unmount':
      return selection;
  }
};
