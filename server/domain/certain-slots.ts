import { agreement, type CandidateImage, proposeSlots, type TemplateSlot } from '../../contract/propose-slots.ts';
import { jawOf, sideOf } from '../../contract/teeth.ts';

/** A slot of a mount. */
export interface MountSlot extends TemplateSlot {
  readonly isFree: boolean;
}

export interface MountSlots {
  readonly modality: string;
  readonly slots: readonly MountSlot[];
}

/** Returns the slot that agrees more with the teeth of an image than every other; null when none does, or when the mount takes no such image. */
const bestSlot = (mount: MountSlots, image: CandidateImage): MountSlot | null => {
  if (Object.keys(proposeSlots(mount, [image])).length === 0) return null;
  const [best, next] = mount.slots
    .map((slot) => ({ slot, agreed: agreement(image.teeth, slot.teeth) }))
    .toSorted((one, other) => other.agreed - one.agreed);
  return best && best.agreed > (next?.agreed ?? 0) ? best.slot : null;
};

/**
 * Returns the images that can be mounted without a user: their teeth are known, one slot fits them best, it is free, and no other image competes for it.
 * @returns item index -> image id
 */
export const certainSlots = (mount: MountSlots, images: readonly CandidateImage[]): Record<string, string> => {
  const best = images.map((image) => ({ id: image.id, slot: bestSlot(mount, image) }));
  return Object.fromEntries(
    [...Map.groupBy(best, ({ slot }) => slot)].flatMap(([slot, [first, ...others]]) =>
      slot?.isFree && first && others.length === 0 ? [[String(slot.itemIndex), first.id] as const] : [],
    ),
  );
};

const areBoth = (sides: readonly unknown[]): boolean => sides.length === 0 || new Set(sides).size === 2;

/** Returns whether an image shows both jaws and sides as far as its file tells: panoramic units also take bitewings and joints. */
export const isWholePanorama = ({ modality, teeth, laterality, jaw }: CandidateImage): boolean =>
  modality === 'PX' &&
  jaw === null &&
  (laterality === null || laterality === 'B') &&
  areBoth(teeth.map(jawOf)) &&
  areBoth(teeth.map(sideOf));
