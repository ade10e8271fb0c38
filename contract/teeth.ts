import { z } from 'zod';

/**
 * Teeth by ISO 3950 (FDI): quadrants 1 upper right, 2 upper left, 3 lower left, 4 lower right; deciduous 5 to 8 in the same order.
 * Nothing else in the program computes teeth.
 */
const quadrant = (digit: number, teeth: number) => Array.from({ length: teeth }, (_, index) => digit * 10 + index + 1);
export const permanentTeeth: readonly number[] = [1, 2, 3, 4].flatMap((digit) => quadrant(digit, 8));
export const deciduousTeeth: readonly number[] = [5, 6, 7, 8].flatMap((digit) => quadrant(digit, 5));
export const allTeeth: readonly number[] = [...permanentTeeth, ...deciduousTeeth];

export const tooth = z
  .number()
  .int()
  .refine((value) => allTeeth.includes(value), 'not an ISO 3950 tooth');

/** The published quadrant codes. They are a wire code and differ from ISO 3950 in the lower jaw: rl 3 is FDI 4, ll 4 is FDI 3. */
export const wireQuadrants = { ru: 1, lu: 2, rl: 3, ll: 4 } as const;
export type WireQuadrant = keyof typeof wireQuadrants;

const fdiOfWire: Readonly<Record<WireQuadrant, { permanent: number; deciduous: number }>> = {
  ru: { permanent: 1, deciduous: 5 },
  lu: { permanent: 2, deciduous: 6 },
  ll: { permanent: 3, deciduous: 7 },
  rl: { permanent: 4, deciduous: 8 },
};

export interface WireTooth {
  readonly quadrant: (typeof wireQuadrants)[WireQuadrant];
  /** 1 (central incisor) to 8 (third molar); 1 to 5 for deciduous teeth. */
  readonly position: number;
  readonly deciduous: boolean;
}

const wireNames = Object.keys(wireQuadrants) as WireQuadrant[];

/** Converts an ISO 3950 number to the wire code. Throws RangeError for an invalid tooth. */
export const toWireTooth = (iso: number): WireTooth => {
  if (!allTeeth.includes(iso)) throw new RangeError(`${iso} is not an ISO 3950 tooth`);
  const digit = Math.floor(iso / 10);
  const name = wireNames.find((key) => fdiOfWire[key].permanent === digit || fdiOfWire[key].deciduous === digit);
  if (!name) throw new RangeError(`${iso} has no quadrant`);
  return { quadrant: wireQuadrants[name], position: iso % 10, deciduous: digit > 4 };
};

/** Converts a wire code to the ISO 3950 number. Throws RangeError for an invalid tooth. */
export const fromWireTooth = (wire: WireTooth): number => {
  const name = wireNames.find((key) => wireQuadrants[key] === wire.quadrant);
  const iso = name ? (wire.deciduous ? fdiOfWire[name].deciduous : fdiOfWire[name].permanent) * 10 + wire.position : 0;
  if (!allTeeth.includes(iso))
    throw new RangeError(`quadrant ${wire.quadrant}, position ${wire.position} is not a tooth`);
  return iso;
};

export type Jaw = 'upper' | 'lower';

/** Returns the jaw of a tooth. Throws RangeError for an invalid tooth. */
export const jawOf = (iso: number): Jaw => (successorOf(iso) < 30 ? 'upper' : 'lower');

/** Returns the patient's side of a tooth. */
export const sideOf = (iso: number): 'R' | 'L' => ([1, 4, 5, 8].includes(Math.floor(iso / 10)) ? 'R' : 'L');

/** Tooth notations. The archive stores ISO 3950; the others are for display. */
export const toothNotations = ['fdi', 'universal', 'palmer'] as const;
export type ToothNotation = (typeof toothNotations)[number];

/**
 * As if facing the patient, from the patient's right to the left: the upper row, then the lower one.
 * Universal numbers run along the upper row from the right and back along the lower one.
 */
const rowOf = (right: number, left: number, count: number): readonly number[] => [
  ...quadrant(right, count).toReversed(),
  ...quadrant(left, count),
];
export const permanentRows: readonly (readonly number[])[] = [rowOf(1, 2, 8), rowOf(4, 3, 8)];
export const deciduousRows: readonly (readonly number[])[] = [rowOf(5, 6, 5), rowOf(8, 7, 5)];

const roundTheMouth = ([upper = [], lower = []]: readonly (readonly number[])[]) => [...upper, ...lower.toReversed()];
const universalNames: ReadonlyMap<number, string> = new Map([
  ...roundTheMouth(permanentRows).map((iso, index) => [iso, String(index + 1)] as const),
  ...roundTheMouth(deciduousRows).map((iso, index) => [iso, String.fromCharCode(65 + index)] as const),
]);

/** Palmer: the number or letter, and the corner of the cross that bounds its quadrant. */
const palmerName = (iso: number): string => {
  const position = iso % 10;
  const sign = iso > 50 ? String.fromCharCode(64 + position) : String(position);
  const corner = (Math.floor(iso / 10) - 1) % 4;
  return [`${sign}┘`, `└${sign}`, `┌${sign}`, `${sign}┐`][corner] ?? sign;
};

/** Converts an ISO 3950 number to a notation. Throws RangeError for an invalid tooth. */
export const toothName = (iso: number, notation: ToothNotation): string => {
  if (!allTeeth.includes(iso)) throw new RangeError(`${iso} is not an ISO 3950 tooth`);
  if (notation === 'palmer') return palmerName(iso);
  return (notation === 'universal' && universalNames.get(iso)) || String(iso);
};

const isoNumbers: Readonly<Record<ToothNotation, ReadonlyMap<string, number>>> = {
  fdi: new Map(allTeeth.map((iso) => [toothName(iso, 'fdi'), iso])),
  universal: new Map(allTeeth.map((iso) => [toothName(iso, 'universal'), iso])),
  palmer: new Map(allTeeth.map((iso) => [toothName(iso, 'palmer'), iso])),
};

/** Converts a tooth of a notation to its ISO 3950 number. Throws RangeError for an invalid tooth. */
export const toothOf = (name: string, notation: ToothNotation): number => {
  const iso = isoNumbers[notation].get(name.trim().toUpperCase());
  if (iso === undefined) throw new RangeError(`no tooth of this name in ${notation}`);
  return iso;
};

/** The four rows of a tooth chart from above: deciduous teeth between the permanent ones. */
export const chartRows: readonly (readonly number[])[] = [
  ...permanentRows.slice(0, 1),
  ...deciduousRows,
  ...permanentRows.slice(1),
];

const isDeciduous = (iso: number): boolean => deciduousTeeth.includes(iso);

/** Returns the permanent tooth at the place of a tooth: 15 for 55; a permanent tooth itself. Throws RangeError for an invalid tooth. */
export const successorOf = (iso: number): number => {
  if (!allTeeth.includes(iso)) throw new RangeError(`${iso} is not an ISO 3950 tooth`);
  return isDeciduous(iso) ? iso - 40 : iso;
};

/** Sextants in the order of ISO 3950 (areas 03 to 08), named by the patient's side. */
export const sextants = [
  'upper-right',
  'upper-front',
  'upper-left',
  'lower-left',
  'lower-front',
  'lower-right',
] as const;
export type Sextant = (typeof sextants)[number];

/** Returns the sextant of a tooth: canines and incisors are the front. Throws RangeError for an invalid tooth. */
export const sextantOf = (iso: number): Sextant => {
  const permanent = successorOf(iso);
  const isFront = permanent % 10 <= 3;
  if (permanent < 30) return isFront ? 'upper-front' : permanent < 20 ? 'upper-right' : 'upper-left';
  return isFront ? 'lower-front' : permanent < 40 ? 'lower-left' : 'lower-right';
};
