import type { ToothNumber } from '../recipe.ts';
import { randomFrom } from './random.ts';
import { ARCH, isUpper } from './tooth-form.ts';

export type Surface = 'mesial' | 'distal';

export type Restoration =
  | {
      readonly kind: 'filling';
      readonly material: 'amalgam' | 'composite';
      readonly mesial: boolean;
      readonly distal: boolean;
    }
  | { readonly kind: 'crown'; readonly material: 'metal-ceramic' | 'zirconia' };

/** Treatment and disease of one tooth. */
export interface ToothState {
  readonly presence: 'tooth' | 'implant' | 'missing';
  readonly restoration: Restoration | null;
  readonly rootFilled: boolean;
  readonly post: boolean;
  readonly caries: Surface | null;
  /** 0 reaches half through the enamel, 1 is deep in dentine. */
  readonly cariesDepth: number;
  /** Radius of a dark zone around the apex, mm. */
  readonly apicalLesionMm: number;
  /** Seed of the individual shape. */
  readonly shape: string;
}

export interface Mouth {
  readonly teeth: ReadonlyMap<ToothNumber, ToothState>;
  /** Crest of the bone below the neck of the teeth, mm; 1.2 is healthy. */
  readonly boneLossMm: number;
  /** 0..1 */
  readonly wear: number;
  /** Remaining fraction of the young pulp, 0..1. */
  readonly pulp: number;
  readonly seed: number;
}

const positionOf = (tooth: ToothNumber): number => Number(tooth.charAt(1));

/** How often a tooth is filled, crowned or lost, against the first molar. */
const BURDEN: Record<number, number> = { 1: 0.25, 2: 0.3, 3: 0.15, 4: 0.5, 5: 0.75, 6: 1, 7: 0.85, 8: 0.4 };

const stateOf = (seed: number, age: number, tooth: ToothNumber): ToothState => {
  const random = randomFrom('tooth', seed, tooth);
  const at = positionOf(tooth);
  const burden = (BURDEN[at] ?? 0.3) * (at <= 3 && !isUpper(tooth) ? 0.4 : 1);
  const years = Math.max(0, age - 16) / 60;
  const lost = at === 8 ? (age < 19 ? 1 : 0.55) : Math.max(0, years - 0.3) * 0.3 * burden;
  const gone = random.chance(lost);
  const implanted = gone && at !== 8 && random.chance(0.5);
  const heavy = random.chance(Math.min(0.75, years * 0.75 * burden));
  const crowned = heavy && random.chance(0.35);
  const amalgamYears = age > 42 && random.chance(0.65);
  const filled = !crowned && (heavy || random.chance(Math.min(0.7, (0.1 + years) * burden)));
  const posterior = at >= 4;
  const proximal = random.next();
  const filling: Restoration = {
    kind: 'filling',
    material: posterior && amalgamYears ? 'amalgam' : 'composite',
    mesial: posterior ? proximal < 0.6 : proximal < 0.5,
    distal: posterior ? proximal > 0.35 : proximal >= 0.5,
  };
  const rootFilled = (crowned && random.chance(0.6)) || (filled && random.chance(0.1 * burden));
  const caries = !crowned && random.chance(0.1 + 0.1 * burden) ? random.pick(['mesial', 'distal'] as const) : null;
  return {
    presence: gone ? (implanted ? 'implant' : 'missing') : 'tooth',
    restoration: crowned
      ? { kind: 'crown', material: random.chance(0.6) ? 'metal-ceramic' : 'zirconia' }
      : filled
        ? filling
        : null,
    rootFilled,
    post: rootFilled && crowned && random.chance(0.5),
    caries: filled && caries !== null && (caries === 'mesial' ? filling.mesial : filling.distal) ? null : caries,
    cariesDepth: random.next(),
    apicalLesionMm: rootFilled && random.chance(0.3) ? random.between(1.2, 2.6) : 0,
    shape: `${seed}/${tooth}`,
  };
};

/** Returns the mouth of a seed at an age: equal in every image of one patient, so that views of a tooth agree. */
export const mouthOf = (seed: number, age: number): Mouth => {
  const random = randomFrom('mouth', seed);
  const years = Math.max(0, age - 20);
  return {
    teeth: new Map([...ARCH.upper, ...ARCH.lower].map((tooth) => [tooth, stateOf(seed, age, tooth)])),
    boneLossMm: 1.1 + random.between(0.2, 1) * years * 0.045,
    wear: Math.min(1, random.between(0.3, 1) * (age / 80)),
    pulp: Math.max(0.35, 1.05 - age / 110),
    seed,
  };
};
