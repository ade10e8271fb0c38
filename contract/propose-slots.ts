import { bestAssignment } from './best-assignment.ts';
import { imageKindOf } from './image-kinds.ts';
import type { ImageInfo } from './images.ts';
import { type Jaw, jawOf, sideOf } from './teeth.ts';

/** The position of an image, according to its file. */
export interface CandidateImage {
  readonly id: string;
  readonly modality: string;
  /** ISO 3950 */
  readonly teeth: readonly number[];
  readonly laterality: 'L' | 'R' | 'B' | null;
  /** Which jaw the image shows; null when unknown. */
  readonly jaw: Jaw | null;
  readonly acquiredAt: string | null;
  readonly instanceNumber: number | null;
}

export interface TemplateSlot {
  readonly itemIndex: number;
  /** Capture order, from 1. */
  readonly order: number;
  readonly teeth: readonly number[];
}

/** Modalities accepted for a template, in order of preference; a fallback is used only when no image has the preferred one. */
const modalities: Readonly<Record<string, readonly (readonly string[])[]>> = {
  IO: [['IO'], ['CR', 'DX', 'RG', 'OT', 'SC']],
  PX: [['PX'], ['DX', 'CR', 'OT']],
  DX: [['DX', 'CR'], ['OT']],
  XC: [['XC'], ['OT', 'ES', 'GM']],
};

export interface TemplateSlots {
  readonly modality: string;
  readonly slots: readonly TemplateSlot[];
}

/** Returns the images that match the template's modality. An intra-oral template without teeth accepts any image. */
const imagesOfModality = (
  { modality, slots }: TemplateSlots,
  images: readonly CandidateImage[],
): readonly CandidateImage[] => {
  if (modality === 'IO' && slots.every((slot) => slot.teeth.length === 0)) return images;
  const choices = modalities[modality] ?? [[modality]];
  for (const choice of choices) {
    const found = images.filter((image) => choice.includes(image.modality));
    if (found.length > 0) return found;
  }
  return [];
};

const jawsOf = (teeth: readonly number[]): string => [...new Set(teeth.map(jawOf))].sort().join();
const sidesOf = (teeth: readonly number[]): ReadonlySet<string> => new Set(teeth.map(sideOf));

/**
 * Returns how well the teeth match: Dice coefficient, 0 to 1. Also 0 when only one of them shows both jaws, because a bitewing is not a periapical
 * image even if they share teeth, and when less than half of the image or of the slot agrees: a second image of the molars is none of the
 * premolars, although both show one tooth.
 */
export const agreement = (one: readonly number[], other: readonly number[]): number => {
  if (jawsOf(one) !== jawsOf(other)) return 0;
  const common = one.filter((tooth) => other.includes(tooth)).length;
  if (2 * common < Math.min(one.length, other.length)) return 0;
  return (2 * common) / (one.length + other.length);
};

/** Returns whether an image without teeth fits a slot by side and jaw. */
const fitsSlot = ({ laterality, jaw }: CandidateImage, slot: TemplateSlot): boolean => {
  if (slot.teeth.length === 0) return true;
  const sides = sidesOf(slot.teeth);
  if (laterality === 'B' && sides.size === 1) return false;
  if ((laterality === 'L' || laterality === 'R') && !(sides.size === 1 && sides.has(laterality))) return false;
  return jaw === null || jawsOf(slot.teeth) === jaw;
};

const byCapture = (one: CandidateImage, other: CandidateImage): number => {
  const text = (value: string | null) => value ?? '\uffff';
  const number = (value: number | null) => value ?? Number.MAX_SAFE_INTEGER;
  const [early, late] = [text(one.acquiredAt), text(other.acquiredAt)];
  if (early !== late) return early < late ? -1 : 1;
  return number(one.instanceNumber) - number(other.instanceNumber) || (one.id < other.id ? -1 : 1);
};

/** Upper limit of candidates, for example for a CT series. */
const maxImages = 500;

/** Assigns by teeth, maximizing the total agreement; ties follow the capture order. */
const byTeeth = (
  slots: readonly TemplateSlot[],
  images: readonly CandidateImage[],
): ReadonlyMap<TemplateSlot, CandidateImage> => {
  const known = images.filter((image) => image.teeth.length > 0);
  const marked = slots.filter((slot) => slot.teeth.length > 0);
  const gain = known.map((image, rank) =>
    marked.map((slot, column) => {
      const agreed = agreement(image.teeth, slot.teeth);
      // Tie-breakers: too small for their sum to outweigh one tooth; earlier images first, in slot order.
      return agreed === 0 ? null : agreed - 1e-6 * rank - 1e-8 * Math.abs(rank - column);
    }),
  );
  const chosen = bestAssignment(gain, marked.length);
  return new Map(
    known.flatMap((image, index) => {
      const slot = marked[chosen[index] ?? -1];
      return slot ? [[slot, image] as const] : [];
    }),
  );
};

/**
 * Proposes a slot of a template for each image: by teeth first, then by side and jaw, then by capture order. Never proposes a slot with contradicting
 * teeth. The result does not depend on the order of the files.
 * @returns item index -> image id
 */
export const proposeSlots = (template: TemplateSlots, all: readonly CandidateImage[]): Record<string, string> => {
  const images = imagesOfModality(template, all).toSorted(byCapture).slice(0, maxImages);
  const slots = template.slots.toSorted((one, other) => one.order - other.order || one.itemIndex - other.itemIndex);
  const filled = new Map(byTeeth(slots, images));
  const placed = new Set([...filled.values()]);
  const fillSlot = (image: CandidateImage, suits: (slot: TemplateSlot) => boolean) => {
    const slot = slots.find((one) => !filled.has(one) && suits(one));
    if (!slot) return;
    filled.set(slot, image);
    placed.add(image);
  };
  const hintsOf = ({ laterality, jaw }: CandidateImage) => Number(laterality !== null) + Number(jaw !== null);
  for (const hintCount of [2, 1, 0])
    for (const image of images)
      if (image.teeth.length === 0 && hintsOf(image) === hintCount) fillSlot(image, (slot) => fitsSlot(image, slot));
  for (const image of images) if (!placed.has(image)) fillSlot(image, (slot) => slot.teeth.length === 0);
  return Object.fromEntries([...filled].map(([slot, image]) => [String(slot.itemIndex), image.id]));
};

/** Returns whether an image is placed automatically: intact, no slice, and acceptable, so that a retake takes the slot and not what it replaces. */
export const isPlaceable = ({ kind, storageFault, grade, seriesModalityValue, teeth }: ImageInfo): boolean =>
  kind === 'image' &&
  storageFault === null &&
  grade?.grade !== 'N' &&
  imageKindOf(seriesModalityValue, teeth) !== 'slice';

/** Returns those images of the archive that are placed automatically. Their jaw is known only by their teeth. */
export const candidatesOf = (images: readonly ImageInfo[]): CandidateImage[] =>
  images.filter(isPlaceable).map((image) => ({
    id: image.uid,
    modality: image.seriesModalityValue,
    teeth: image.teeth,
    laterality: image.laterality,
    jaw: null,
    acquiredAt: image.imageAcquiredDate,
    instanceNumber: image.number,
  }));
