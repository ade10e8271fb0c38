import type { ToothNumber } from '../recipe.ts';

/** A root seen from the cheek. Positive sideways is distal. Millimetres. */
export interface RootForm {
  /** Centre at the furcation and at the apex, from the axis of the tooth. */
  readonly start: number;
  readonly tip: number;
  readonly width: number;
  /** From the neck to the apex. */
  readonly length: number;
  /** Thickness along the beam at the furcation. */
  readonly depth: number;
  /** How far the middle of the root bows to the distal. */
  readonly bow: number;
  /** True for a root behind the others (palatal root), which overlaps them. */
  readonly behind?: boolean;
}

/** Average sizes of a permanent tooth in millimetres (Wheeler, "Dental Anatomy", tables of measurements). */
export interface ToothForm {
  readonly crownWidth: number;
  readonly crownHeight: number;
  readonly neckWidth: number;
  /** Thickness along the beam at the crown's equator and at the incisal or occlusal end. */
  readonly crownDepth: number;
  readonly edgeDepth: number;
  readonly kind: 'incisor' | 'canine' | 'premolar' | 'molar';
  /** Where roots part, from the neck; `null` for one root. */
  readonly furcation: number | null;
  readonly roots: readonly RootForm[];
}

const single = (width: number, length: number, depth: number, bow = 0.3): readonly RootForm[] => [
  { start: 0, tip: 0.5, width, length, depth, bow },
];

const UPPER: Record<string, ToothForm> = {
  1: {
    kind: 'incisor',
    crownWidth: 8.6,
    crownHeight: 10.5,
    neckWidth: 6.8,
    crownDepth: 6.6,
    edgeDepth: 2.5,
    furcation: null,
    roots: single(6.4, 13.5, 6.2, 0.1),
  },
  2: {
    kind: 'incisor',
    crownWidth: 6.6,
    crownHeight: 9.2,
    neckWidth: 4.9,
    crownDepth: 5.8,
    edgeDepth: 2.3,
    furcation: null,
    roots: single(4.7, 13.2, 5.4, 0.2),
  },
  3: {
    kind: 'canine',
    crownWidth: 7.6,
    crownHeight: 10,
    neckWidth: 5.7,
    crownDepth: 7.6,
    edgeDepth: 2.9,
    furcation: null,
    roots: single(5.5, 17, 7, 0.3),
  },
  4: {
    kind: 'premolar',
    crownWidth: 7.1,
    crownHeight: 8.4,
    neckWidth: 5,
    crownDepth: 9,
    edgeDepth: 7,
    furcation: null,
    roots: single(4.8, 14, 7.6, 0.3),
  },
  5: {
    kind: 'premolar',
    crownWidth: 6.9,
    crownHeight: 8.2,
    neckWidth: 5,
    crownDepth: 9,
    edgeDepth: 7,
    furcation: null,
    roots: single(4.8, 14, 7.6, 0.5),
  },
  6: {
    kind: 'molar',
    crownWidth: 10.2,
    crownHeight: 7.5,
    neckWidth: 8,
    crownDepth: 10.6,
    edgeDepth: 8.6,
    furcation: 4,
    roots: [
      { start: -1.8, tip: -2.4, width: 3.9, length: 12.3, depth: 5.4, bow: -0.9 },
      { start: 1.8, tip: 2.9, width: 3.7, length: 11.8, depth: 4.8, bow: 0.1 },
      { start: 0.1, tip: 0.4, width: 4.4, length: 13.2, depth: 4.6, bow: 0, behind: true },
    ],
  },
  7: {
    kind: 'molar',
    crownWidth: 9.2,
    crownHeight: 7.1,
    neckWidth: 7.2,
    crownDepth: 10.4,
    edgeDepth: 8.2,
    furcation: 4.6,
    roots: [
      { start: -1.6, tip: -1.1, width: 3.5, length: 11.8, depth: 5, bow: -0.3 },
      { start: 1.6, tip: 2, width: 3.4, length: 11.2, depth: 4.6, bow: 0.4 },
      { start: 0.1, tip: 0.7, width: 3.9, length: 12.2, depth: 4.4, bow: 0.2, behind: true },
    ],
  },
  8: {
    kind: 'molar',
    crownWidth: 8.5,
    crownHeight: 6.5,
    neckWidth: 6.5,
    crownDepth: 9.6,
    edgeDepth: 7.4,
    furcation: null,
    roots: single(6.1, 10.8, 7.8, 1.2),
  },
};

const LOWER: Record<string, ToothForm> = {
  1: {
    kind: 'incisor',
    crownWidth: 5.3,
    crownHeight: 9,
    neckWidth: 3.7,
    crownDepth: 5.6,
    edgeDepth: 2,
    furcation: null,
    roots: single(3.6, 12.6, 5.2, 0.1),
  },
  2: {
    kind: 'incisor',
    crownWidth: 5.8,
    crownHeight: 9.4,
    neckWidth: 4,
    crownDepth: 5.8,
    edgeDepth: 2.1,
    furcation: null,
    roots: single(3.9, 14, 5.4, 0.2),
  },
  3: {
    kind: 'canine',
    crownWidth: 7,
    crownHeight: 11,
    neckWidth: 5.4,
    crownDepth: 7.2,
    edgeDepth: 2,
    furcation: null,
    roots: single(5.2, 15.8, 6.8, 0.3),
  },
  4: {
    kind: 'premolar',
    crownWidth: 7,
    crownHeight: 8.5,
    neckWidth: 5,
    crownDepth: 7.4,
    edgeDepth: 5,
    furcation: null,
    roots: single(4.8, 14, 6.4, 0.3),
  },
  5: {
    kind: 'premolar',
    crownWidth: 7.1,
    crownHeight: 8,
    neckWidth: 5.1,
    crownDepth: 8,
    edgeDepth: 6,
    furcation: null,
    roots: single(4.9, 14.5, 6.8, 0.5),
  },
  6: {
    kind: 'molar',
    crownWidth: 11.2,
    crownHeight: 7.6,
    neckWidth: 9,
    crownDepth: 10.2,
    edgeDepth: 8.2,
    furcation: 3.2,
    roots: [
      { start: -2.25, tip: -2.1, width: 4.3, length: 14, depth: 8, bow: -1 },
      { start: 2.25, tip: 2.9, width: 4, length: 13, depth: 7.4, bow: -0.1 },
    ],
  },
  7: {
    kind: 'molar',
    crownWidth: 10.5,
    crownHeight: 7.1,
    neckWidth: 8.1,
    crownDepth: 10,
    edgeDepth: 8,
    furcation: 3.6,
    roots: [
      { start: -2, tip: -1.1, width: 3.9, length: 13.2, depth: 7.6, bow: -0.5 },
      { start: 2, tip: 2.3, width: 3.7, length: 12.6, depth: 7, bow: 0.3 },
    ],
  },
  8: {
    kind: 'molar',
    crownWidth: 10,
    crownHeight: 6.8,
    neckWidth: 7.5,
    crownDepth: 9.4,
    edgeDepth: 7.2,
    furcation: 5,
    roots: [
      { start: -1.8, tip: 0.2, width: 3.6, length: 11.4, depth: 7, bow: -0.1 },
      { start: 1.8, tip: 2.4, width: 3.4, length: 10.8, depth: 6.4, bow: 0.9 },
    ],
  },
};

export const isUpper = (tooth: ToothNumber): boolean => tooth[0] === '1' || tooth[0] === '2';

/** True for the patient's right side (quadrants 1 and 4), which lies on the viewer's left. */
export const isRight = (tooth: ToothNumber): boolean => tooth[0] === '1' || tooth[0] === '4';

export const formOf = (tooth: ToothNumber): ToothForm => {
  const form = (isUpper(tooth) ? UPPER : LOWER)[tooth.charAt(1)];
  if (form === undefined) throw new RangeError(`${tooth} is not a permanent tooth`);
  return form;
};

const RIGHT_TO_LEFT = ['8', '7', '6', '5', '4', '3', '2', '1'] as const;
const LEFT_TO_RIGHT = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

/** The teeth of a jaw from the viewer's left to right, which is the patient's right to left. */
export const ARCH: Record<'upper' | 'lower', readonly ToothNumber[]> = {
  upper: [...RIGHT_TO_LEFT.map((place) => `1${place}` as const), ...LEFT_TO_RIGHT.map((place) => `2${place}` as const)],
  lower: [...RIGHT_TO_LEFT.map((place) => `4${place}` as const), ...LEFT_TO_RIGHT.map((place) => `3${place}` as const)],
};
