import { imageKindOf } from './image-kinds.ts';
import { sideOf } from './teeth.ts';

/** The patient's side at the left and at the right edge; null where it is not known. */
export interface Sides {
  readonly left: 'R' | 'L' | null;
  readonly right: 'R' | 'L' | null;
}

export const noSides: Sides = { left: null, right: null };

/** Returns the one side that teeth are on; null for none or both. */
const onlySideOf = (teeth: readonly number[]): 'R' | 'L' | null => {
  const [side, ...others] = new Set(teeth.map(sideOf));
  return side && others.length === 0 ? side : null;
};

interface SlotTeeth {
  readonly x: number;
  readonly width: number;
  readonly teeth: readonly number[];
}

/** Returns the sides of a mount, from where its slots have the teeth of each side; unknown unless both sides have slots apart. */
export const mountSides = (slots: readonly SlotTeeth[]): Sides => {
  const centres = (side: 'R' | 'L') =>
    slots.filter(({ teeth }) => onlySideOf(teeth) === side).map(({ x, width }) => x + width / 2);
  const [right, left] = [centres('R'), centres('L')];
  if (right.length === 0 || left.length === 0) return noSides;
  if (Math.max(...right) < Math.min(...left)) return { left: 'R', right: 'L' };
  if (Math.max(...left) < Math.min(...right)) return { left: 'L', right: 'R' };
  return noSides;
};

interface SidedImage {
  readonly modality: string;
  readonly teeth: readonly number[];
  readonly laterality: 'L' | 'R' | 'B' | null;
  /** Turned or mirrored against the file. */
  readonly turned: boolean;
}

/**
 * Returns the sides of an image alone: of a panoramic image as acquired, facing the patient, both; of others the one side that its teeth, or the
 * file, name. A turned image has none: whether that corrects it or not is not known.
 */
export const imageSides = ({ modality, teeth, laterality, turned }: SidedImage): Sides => {
  if (turned) return noSides;
  if (imageKindOf(modality, teeth) === 'panoramic') return { left: 'R', right: 'L' };
  const named = laterality === 'R' || laterality === 'L' ? laterality : null;
  const side = teeth.length > 0 ? onlySideOf(teeth) : named;
  return { left: side === 'R' ? 'R' : null, right: side === 'L' ? 'L' : null };
};
