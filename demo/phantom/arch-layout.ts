import type { ToothNumber } from '../recipe.ts';
import { clamp } from './curve.ts';
import type { Mouth } from './mouth.ts';
import type { Placement } from './paint-tooth.ts';
import { randomFrom } from './random.ts';
import { ARCH, formOf, isRight, isUpper } from './tooth-form.ts';

export interface StandingTooth {
  readonly tooth: ToothNumber;
  readonly placement: Placement;
}

export interface Row {
  readonly jaw: 'upper' | 'lower';
  /** The teeth in the middle of the picture. */
  readonly centredOn: readonly ToothNumber[];
  /** Position of their middle, mm from the left. */
  readonly centreX: number;
  readonly widthMm: number;
  readonly scale: number;
  /** Height of the chewing edge at x, mm from the top. */
  readonly edgeAt: (x: number) => number;
}

/** Lean of the apex towards distal, degrees, by place in the quadrant. */
const LEAN: Record<'upper' | 'lower', readonly number[]> = {
  upper: [0, 2, 5, 7, 3, 3, 2, 5, 10],
  lower: [0, 0, 1, 4, 4, 6, 9, 12, 16],
};
/** Distance of an edge from the occlusal plane, mm. */
const SHORT: Record<'upper' | 'lower', readonly number[]> = {
  upper: [0, 0, 0.7, -0.2, 0, 0, 0, 0.2, 0.8],
  lower: [0, 0, 0, -0.3, 0, 0.1, 0, 0, 0.4],
};

/** Arranges the teeth of a jaw side by side, each touching the next, and returns those on the receptor. */
export const standRow = (row: Row, mouth: Mouth): readonly StandingTooth[] => {
  const arch = ARCH[row.jaw];
  const centres = new Map<ToothNumber, number>();
  let x = 0;
  for (const tooth of arch) {
    const width = formOf(tooth).crownWidth * row.scale;
    centres.set(tooth, x + width / 2);
    x += width - randomFrom('contact', mouth.seed, tooth).between(-0.05, 0.25) * row.scale;
  }
  const targets = row.centredOn.map((tooth) => centres.get(tooth) ?? 0);
  const middle = targets.reduce((sum, centre) => sum + centre, 0) / Math.max(1, targets.length);
  return arch.flatMap((tooth) => {
    const form = formOf(tooth);
    const tip = (centres.get(tooth) ?? 0) - middle + row.centreX;
    if (tip < -form.crownWidth * 1.6 || tip > row.widthMm + form.crownWidth * 1.6) return [];
    const random = randomFrom('stand', mouth.seed, tooth);
    const place = Number(tooth.charAt(1));
    const upper = isUpper(tooth);
    const right = isRight(tooth);
    const apical = upper ? -1 : 1;
    const degrees = (LEAN[row.jaw][place] ?? 0) + random.normal() * 1.8;
    const posterior = place >= 4;
    const lean = (clamp(degrees, -8, 24) * (posterior ? 0.3 : 1) * Math.PI) / 180;
    const rise = (form.crownHeight + random.normal() * 0.15) * row.scale;
    const short = (SHORT[row.jaw][place] ?? 0) * row.scale;
    const edge = row.edgeAt(clamp(tip, 0, row.widthMm)) + apical * short;
    const contact = rise * 0.6;
    const distal = right ? -1 : 1;
    return [
      {
        tooth,
        placement: {
          // The crown, not the neck, keeps its place in the row when a tooth leans.
          x: tip + distal * Math.sin(lean) * contact,
          y: edge + apical * rise * Math.cos(lean),
          scale: row.scale,
          lean,
          skew: posterior ? Math.tan((clamp(degrees, -8, 24) * 0.7 * Math.PI) / 180) : 0,
          upper,
          right,
        },
      },
    ];
  });
};
