import type { ImageInfo } from '../../contract/images.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import type { Operation } from '../../src/machines/viewset/viewset.rules.ts';

/**
 * The image in each slot, and the tray. These tests use it as their archive and as a second implementation of the rules of the machine.
 */
export interface Placement {
  readonly slots: Readonly<Record<number, string | null>>;
  readonly tray: readonly string[];
}

const image = (uid: string): ImageInfo => ({ uid, viewsetId: null }) as unknown as ImageInfo;

/** A viewset with that placement and only the fields that the rules use. Capture order runs against the indices. */
export const viewsetOf = (id: string, version: number, { slots, tray }: Placement): Viewset => {
  const indices = Object.keys(slots).map(Number);
  return {
    viewSetUuid: id,
    version,
    patientId: 'patient',
    viewSetItems: indices.map((itemIndex) => ({
      itemIndex,
      order: indices.length - itemIndex,
      teeth: [itemIndex + 11],
      display: null,
      displayVersion: 0,
      activeImage: slots[itemIndex] ? image(slots[itemIndex]) : null,
    })),
    detachedImages: tray.map(image),
  } as unknown as Viewset;
};

export const placementOf = ({ viewSetItems, detachedImages }: Viewset): Placement => ({
  slots: Object.fromEntries(viewSetItems.map((item) => [item.itemIndex, item.activeImage?.uid ?? null])),
  tray: detachedImages.map(({ uid }) => uid),
});

export const imagesOf = ({ slots, tray }: Placement): readonly string[] => [
  ...Object.values(slots).filter((uid) => uid !== null),
  ...tray,
];

/** Applies an operation by the rules of contract/viewsets.ts; returns null when it is rejected. */
export const applyOperation = ({ slots, tray }: Placement, operation: Operation): Placement | null => {
  const { imageUid } = operation;
  switch (operation.kind) {
    case 'mount': {
      const occupant = slots[operation.to];
      if (occupant === undefined) return null;
      const at = Object.keys(slots).find((index) => slots[Number(index)] === imageUid);
      if (at !== undefined) return { slots: { ...slots, [at]: occupant, [operation.to]: imageUid }, tray };
      const left = tray.filter((uid) => uid !== imageUid);
      return { slots: { ...slots, [operation.to]: imageUid }, tray: occupant ? [...left, occupant] : left };
    }
    case 'unmount':
      if (slots[operation.from] !== imageUid) return null;
      return { slots: { ...slots, [operation.from]: null }, tray: [...tray, imageUid] };
    case 'move': {
      const occupant = slots[operation.to];
      if (slots[operation.from] !== imageUid || occupant === undefined) return null;
      return { slots: { ...slots, [operation.from]: occupant, [operation.to]: imageUid }, tray };
    }
    case 'move-in':
      if (slots[operation.to] === undefined || Object.values(slots).includes(imageUid)) return null;
      return { slots: { ...slots, [operation.to]: imageUid }, tray };
  }
};
