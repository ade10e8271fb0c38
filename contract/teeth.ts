import { z } from 'zod';

/**
 * Teeth by ISO 3950 (FDI): quadrants 1 upper right, 2 upper left, 3 lower left, 4 lower right; deciduous 5 to 8 in the same turn.
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

/** ISO 3950 number -> wire code. Throws RangeError for what is no tooth. */
export const toWireTooth = (iso: number): WireTooth => {
  if (!allTeeth.includes(iso)) throw new RangeError(`${iso} is not an ISO 3950 tooth`);
  const digit = Math.floor(iso / 10);
  const name = wireNames.find((key) => fdiOfWire[key].permanent === digit || fdiOfWire[key].deciduous === digit);
  if (!name) throw new RangeError(`${iso} has no quadrant`);
  return { quadrant: wireQuadrants[name], position: iso % 10, deciduous: digit > 4 };
};

/** Wire code -> ISO 3950 number. Throws RangeError for what is no tooth. */
export const fromWireTooth = (wire: WireTooth): number => {
  const name = wireNames.find((key) => wireQuadrants[key] === wire.quadrant);
  const iso = name ? (wire.deciduous ? fdiOfWire[name].deciduous : fdiOfWire[name].permanent) * 10 + wire.position : 0;
  if (!allTeeth.includes(iso))
    throw new RangeError(`quadrant ${wire.quadrant}, position ${wire.position} is not a tooth`);
  return iso;
};
