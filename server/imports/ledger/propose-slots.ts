import { bestAssignment } from './best-assignment.ts';

/** What a file says of where its image belongs. */
export interface ImageToPlace {
  readonly id: string;
  readonly modality: string;
  /** ISO 3950 */
  readonly teeth: readonly number[];
  readonly laterality: 'L' | 'R' | 'B' | null;
  /** Which jaw it shows; null when it does not say. */
  readonly jaw: Jaw | null;
  readonly acquiredAt: string | null;
  readonly instanceNumber: number | null;
}

export interface SlotToFill {
  readonly itemIndex: number;
  /** Capture order, from 1. */
  readonly order: number;
  readonly teeth: readonly number[];
}

export type Jaw = 'upper' | 'lower';

/** Modalities that a template's images may have, the proper one first; the next is taken only where there is none of the one before. */
const modalities: Readonly<Record<string, readonly (readonly string[])[]>> = {
  IO: [['IO'], ['CR', 'DX', 'RG', 'OT', 'SC']],
  PX: [['PX'], ['DX', 'CR', 'OT']],
  DX: [['DX', 'CR'], ['OT']],
  XC: [['XC'], ['OT', 'ES', 'GM']],
};

export interface TemplateToFill {
  readonly modality: string;
  readonly slots: readonly SlotToFill[];
}

/** The images that go with a template's modality. One of intra-oral images that names no teeth at all is for anything. */
const fitting = ({ modality, slots }: TemplateToFill, images: readonly ImageToPlace[]): readonly ImageToPlace[] => {
  if (modality === 'IO' && slots.every((slot) => slot.teeth.length === 0)) return images;
  const choices = modalities[modality] ?? [[modality]];
  for (const choice of choices) {
    const found = images.filter((image) => choice.includes(image.modality));
    if (found.length > 0) return found;
  }
  return [];
};

const jawOf = (tooth: number): Jaw => ([1, 2, 5, 6].includes(Math.floor(tooth / 10)) ? 'upper' : 'lower');
const sideOf = (tooth: number): 'R' | 'L' => ([1, 4, 5, 8].includes(Math.floor(tooth / 10)) ? 'R' : 'L');

const jawsOf = (teeth: readonly number[]): string => [...new Set(teeth.map(jawOf))].sort().join();
const sidesOf = (teeth: readonly number[]): ReadonlySet<string> => new Set(teeth.map(sideOf));

/**
 * How well the teeth agree: twice the common ones over all of both (Dice), from 0 to 1. 0 as well when one shows both jaws and the other does not: a
 * bitewing is no periapical view, though they share teeth.
 */
const agreement = (one: readonly number[], other: readonly number[]): number => {
  if (jawsOf(one) !== jawsOf(other)) return 0;
  const common = one.filter((tooth) => other.includes(tooth)).length;
  return (2 * common) / (one.length + other.length);
};

/** Whether a file that names no teeth may hang in a slot, by its side and jaw. */
const mayHang = ({ laterality, jaw }: ImageToPlace, slot: SlotToFill): boolean => {
  if (slot.teeth.length === 0) return true;
  const sides = sidesOf(slot.teeth);
  if (laterality === 'B' && sides.size === 1) return false;
  if ((laterality === 'L' || laterality === 'R') && !(sides.size === 1 && sides.has(laterality))) return false;
  return jaw === null || jawsOf(slot.teeth) === jaw;
};

const ofTaking = (one: ImageToPlace, other: ImageToPlace): number => {
  const text = (value: string | null) => value ?? '\uffff';
  const number = (value: number | null) => value ?? Number.MAX_SAFE_INTEGER;
  const [early, late] = [text(one.acquiredAt), text(other.acquiredAt)];
  if (early !== late) return early < late ? -1 : 1;
  return number(one.instanceNumber) - number(other.instanceNumber) || (one.id < other.id ? -1 : 1);
};

/** More images than a mount is chosen from: of a CT, say. */
const mostImages = 500;

/** By teeth: the assignment with the greatest agreement in all; of equal ones, that of the order in which images were taken. */
const byTeeth = (
  slots: readonly SlotToFill[],
  images: readonly ImageToPlace[],
): ReadonlyMap<SlotToFill, ImageToPlace> => {
  const known = images.filter((image) => image.teeth.length > 0);
  const marked = slots.filter((slot) => slot.teeth.length > 0);
  const gain = known.map((image, rank) =>
    marked.map((slot, place) => {
      const agreed = agreement(image.teeth, slot.teeth);
      // Small enough that no sum of them outweighs one tooth; earlier images first, and in the order of the slots.
      return agreed === 0 ? null : agreed - 1e-6 * rank - 1e-8 * Math.abs(rank - place);
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
 * Which image goes to which slot of a template, by what the files say: teeth first, then side and jaw, then the order in which they were taken
 * against the capture order of the template. Never to a slot that contradicts its teeth. The same files give the same answer in any order.
 * @returns item index -> id of the image
 */
export const proposeSlots = (template: TemplateToFill, all: readonly ImageToPlace[]): Record<string, string> => {
  const images = fitting(template, all).toSorted(ofTaking).slice(0, mostImages);
  const slots = template.slots.toSorted((one, other) => one.order - other.order || one.itemIndex - other.itemIndex);
  const filled = new Map(byTeeth(slots, images));
  const placed = new Set([...filled.values()]);
  const hang = (image: ImageToPlace, suits: (slot: SlotToFill) => boolean) => {
    const slot = slots.find((one) => !filled.has(one) && suits(one));
    if (!slot) return;
    filled.set(slot, image);
    placed.add(image);
  };
  const says = ({ laterality, jaw }: ImageToPlace) => Number(laterality !== null) + Number(jaw !== null);
  for (const told of [2, 1, 0])
    for (const image of images)
      if (image.teeth.length === 0 && says(image) === told) hang(image, (slot) => mayHang(image, slot));
  for (const image of images) if (!placed.has(image)) hang(image, (slot) => slot.teeth.length === 0);
  return Object.fromEntries([...filled].map(([slot, image]) => [String(slot.itemIndex), image.id]));
};
