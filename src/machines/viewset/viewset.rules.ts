import type { ImageInfo } from '../../../contract/images.ts';
import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';

/**
 * One change of what hangs where, as a person meant it: it names the image, where it was and what hung at the goal, so that it is never done
 * to another image than the one that was seen.
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
  | {
      readonly kind: 'move-out';
      readonly imageUid: string;
      readonly from: number;
      readonly viewsetId: string;
      readonly to: number;
    };

/** What a person asked for. */
export type Wish =
  | { readonly type: 'image.mounted'; readonly imageUid: string; readonly itemIndex: number }
  | { readonly type: 'image.unmounted'; readonly itemIndex: number }
  /** `to` null: out of its slot, to the end of the tray. */
  | { readonly type: 'image.reordered'; readonly from: number; readonly to: number | null }
  | {
      readonly type: 'image.moved-out';
      readonly from: number;
      readonly viewsetId: string;
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
  const hangsIn = slotOfImage(viewset, imageUid);
  if (hangsIn) return moveOf(viewset, hangsIn.itemIndex, to);
  const from = inTray(viewset, imageUid) ? 'tray' : 'elsewhere';
  return { kind: 'mount', imageUid, from, to, displaced: target.activeImage?.uid ?? null };
};

/** What a wish means for the viewset that is shown; null when it means nothing there. Mounting an image that hangs already moves it. */
export const operationOf = (shown: Viewset | null, wish: Wish): Operation | null => {
  if (!shown) return null;
  switch (wish.type) {
    case 'image.mounted':
      return mountOf(shown, wish.imageUid, wish.itemIndex);
    case 'image.unmounted':
      return unmountOf(shown, wish.itemIndex);
    case 'image.reordered':
      return wish.to === null ? unmountOf(shown, wish.from) : moveOf(shown, wish.from, wish.to);
    case 'image.moved-out': {
      const imageUid = slotOf(shown, wish.from)?.activeImage?.uid;
      if (imageUid === undefined || wish.viewsetId === shown.viewSetUuid) return null;
      return { kind: 'move-out', imageUid, from: wish.from, viewsetId: wish.viewsetId, to: wish.itemIndex };
    }
  }
};

/** Is everything still where it was when the operation was meant? */
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
    case 'move-out':
      return holds(viewset, operation.from, operation.imageUid);
  }
};

/** Does this show what the operation asked for? Then it was done, whoever heard the answer. */
export const isDone = (viewset: Viewset, operation: Operation): boolean => {
  switch (operation.kind) {
    case 'mount':
      return holds(viewset, operation.to, operation.imageUid);
    case 'move':
      return holds(viewset, operation.to, operation.imageUid) && holds(viewset, operation.from, operation.displaced);
    case 'unmount':
      return !slotOfImage(viewset, operation.imageUid) && inTray(viewset, operation.imageUid);
    case 'move-out':
      return !slotOfImage(viewset, operation.imageUid) && !inTray(viewset, operation.imageUid);
  }
};

type Hung = Pick<ViewsetItem, 'activeImage' | 'display' | 'displayVersion'>;
const nothing: Hung = { activeImage: null, display: null, displayVersion: 0 };
const hungIn = (slot: ViewsetItem | undefined): Hung =>
  slot ? { activeImage: slot.activeImage, display: slot.display, displayVersion: slot.displayVersion } : nothing;

/** Hangs something in slots. How an image is shown goes with it; teeth, turn and flip stay with the slot. */
const withHung = (viewset: Viewset, change: ReadonlyMap<number, Hung>): Viewset => ({
  ...viewset,
  viewSetItems: viewset.viewSetItems.map((item) => {
    const hung = change.get(item.itemIndex);
    return hung ? { ...item, ...hung } : item;
  }),
});

const detached = (image: ImageInfo | null): readonly ImageInfo[] => (image ? [{ ...image, viewsetId: null }] : []);

const mounted = (viewset: Viewset, imageUid: string, to: number): Viewset => {
  const image = viewset.detachedImages.find(({ uid }) => uid === imageUid);
  // An image from elsewhere is not known here: the archive's reply brings it.
  if (!image) return viewset;
  const hung = { ...nothing, activeImage: { ...image, viewsetId: viewset.viewSetUuid } };
  const occupant = slotOf(viewset, to)?.activeImage ?? null;
  return {
    ...withHung(viewset, new Map([[to, hung]])),
    detachedImages: [...viewset.detachedImages.filter(({ uid }) => uid !== imageUid), ...detached(occupant)],
  };
};

const withOperation = (viewset: Viewset, operation: Operation): Viewset => {
  if (!isPossible(viewset, operation)) return viewset;
  switch (operation.kind) {
    case 'mount':
      return mounted(viewset, operation.imageUid, operation.to);
    case 'move':
      return withHung(
        viewset,
        new Map([
          [operation.to, hungIn(slotOf(viewset, operation.from))],
          [operation.from, hungIn(slotOf(viewset, operation.to))],
        ]),
      );
    case 'unmount': {
      const image = slotOf(viewset, operation.from)?.activeImage ?? null;
      return {
        ...withHung(viewset, new Map([[operation.from, nothing]])),
        detachedImages: [...viewset.detachedImages, ...detached(image)],
      };
    }
    // What comes back from a filled slot of the other viewset is not known here before the reply.
    case 'move-out':
      return withHung(viewset, new Map([[operation.from, nothing]]));
  }
};

/** The viewset as it will be when the archive has agreed to all that is pending. An operation that has become impossible changes nothing. */
export const applied = (truth: Viewset, pending: readonly Operation[]): Viewset => pending.reduce(withOperation, truth);

/** Can all that is pending still be done to this truth, one after the other? */
export const areAllPossible = (truth: Viewset, pending: readonly Operation[]): boolean =>
  pending.every((operation, index) => isPossible(applied(truth, pending.slice(0, index)), operation));

/**
 * What of operations that were kept since an earlier sign-in can be done now: those that were done already are left out, `lost` are those that
 * somebody else's changes have made impossible.
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

/** The next slot without an image in capture order, after that of `itemIndex`, from the first again after the last. */
export const nextFreeSlot = ({ viewSetItems }: Viewset, itemIndex: number): number | null => {
  const order = viewSetItems.find((item) => item.itemIndex === itemIndex)?.order ?? 0;
  const free = viewSetItems
    .filter(({ activeImage }) => activeImage === null)
    .sort((one, other) => one.order - other.order);
  return (free.find((item) => item.order > order) ?? free[0])?.itemIndex ?? null;
};

/** What is selected after an operation on `shown`: mounting goes on to the next free slot and the next image of the tray; else it goes along. */
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
    case 'unmount':
    case 'move-out':
      return selection;
  }
};
