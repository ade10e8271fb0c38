import { clamp, smoothStep } from './curve.ts';
import type { ToothState } from './mouth.ts';
import { randomFrom } from './random.ts';
import { ACROSS_COUNT, ROWS_PER_MM, TABLE_ABOVE_MM, type ToothShape } from './tooth-shape.ts';

/** One sample of a tooth. `across` is millimetres from the axis, positive distal; `along` from the neck, positive to the apex. */
export interface ToothSample {
  across: number;
  along: number;
  /** Thickness of the whole tooth and of its dentine core on this ray, mm. */
  outer: number;
  core: number;
  absorption: number;
}

/** Changes `sample.absorption` as treatment or disease would. */
export type Finding = (sample: ToothSample) => void;

/** Returns the row of the shape tables. */
const rowAt = (along: number): number => Math.round((along + TABLE_ABOVE_MM) * ROWS_PER_MM);
/** Returns where the crown begins, mm along the axis. */
const topAt = (shape: ToothShape, across: number): number => {
  const offset = clamp(across / (shape.form.crownWidth / 2), -1, 1);
  return shape.buccalTop[Math.round(((offset + 1) / 2) * (ACROSS_COUNT - 1))] ?? 0;
};
/** Returns 1 inside and 0 outside a surface, with a soft edge of a tenth of a millimetre. `distance` is positive inside, mm. */
const inside = (distance: number): number => clamp(distance / 0.1 + 0.5, 0, 1);

/** A box in the chewing surface that extends to the filled sides; in front teeth, a spot at the side. */
const amalgamOrComposite = (shape: ToothShape, state: ToothState): Finding | null => {
  const { restoration } = state;
  if (restoration?.kind !== 'filling') return null;
  const random = randomFrom('filling', state.shape);
  const { crownWidth, crownHeight, kind } = shape.form;
  const metal = restoration.material === 'amalgam';
  const front = kind === 'incisor' || kind === 'canine';
  const half = crownWidth * random.between(0.17, 0.29);
  const floorDepth = random.between(1, 2.1);
  const boxFloor = -crownHeight * random.between(0.18, 0.42);
  const boxFrom = crownWidth * random.between(0.26, 0.34);
  const slope = random.between(-0.08, 0.08);
  const phase = random.between(0, 6);
  const pit = random.between(-0.6, 0.6);
  // Without cusps the surface of the filling lies in the groove, below the tips that stand in front of and behind it.
  const surface = random.chance(0.3) ? -99 : -crownHeight + random.between(0.5, 1);
  return (sample) => {
    const { across, along, outer } = sample;
    if (outer <= 0.3 || along > 0) return;
    const wobble = 0.06 * Math.sin(along * 2.1 + phase) + 0.04 * Math.sin(across * 2.7 + phase);
    const below = Math.min(along - topAt(shape, across) - 0.1, along - surface - 0.02 * across * across);
    const floor = -crownHeight + 1 + floorDepth + slope * across + 0.12 * Math.cos((across - pit) * 1.1);
    let filled = 0;
    if (!front) {
      const extent = (across > 0 ? restoration.distal : restoration.mesial) ? boxFrom + 0.3 : half;
      const waist = extent + wobble + 0.12 * below;
      filled = Math.min(inside(below), inside(floor - along), inside(waist - Math.abs(across)));
    }
    const side = across > 0 ? restoration.distal : restoration.mesial;
    if (side) {
      const box = front
        ? inside(
            crownWidth * 0.2 -
              Math.hypot((Math.abs(across) - crownWidth * 0.46) * 1.1, (along + crownHeight * 0.5) * 0.62),
          )
        : Math.min(
            inside(Math.abs(across) - boxFrom + wobble - 0.1 * (along - boxFloor)),
            inside(boxFloor - along + wobble),
            inside(below),
          );
      filled = Math.max(filled, box);
    }
    sample.absorption += filled * (metal ? 34 * Math.min(1, outer / 2.5) : Math.min(outer * 0.5, 3.4));
  };
};

/** Covers the tooth down to the margin: zirconia as a whole, metal with a ceramic layer. */
const crown = (shape: ToothShape, state: ToothState): Finding | null => {
  const { restoration } = state;
  if (restoration?.kind !== 'crown') return null;
  const margin = -0.35 + 0.1 * (randomFrom('crown', state.shape).next() - 0.5);
  const zirconia = restoration.material === 'zirconia';
  const { crownWidth } = shape.form;
  return (sample) => {
    const { along, across, outer, core } = sample;
    const edge = margin - 0.5 * (across / crownWidth) ** 2 - along;
    if (edge < -0.1) return;
    const covered = inside(edge);
    sample.absorption = zirconia
      ? sample.absorption + covered * Math.min(outer * 4.5, 26)
      : sample.absorption + covered * (outer * 0.35 + 36 * clamp(core / 2.2, 0, 1));
  };
};

/** A notch from the contact surface through the enamel, and a cavity in the dentine behind it. */
const caries = (shape: ToothShape, state: ToothState): Finding | null => {
  if (state.caries === null) return null;
  const sign = state.caries === 'distal' ? 1 : -1;
  const random = randomFrom('caries', state.shape);
  const level = -shape.form.crownHeight * random.between(0.36, 0.46);
  const row = rowAt(level);
  const surface = shape.crownHalf[row] ?? 0;
  const enamel = shape.enamelSide[row] ?? 1;
  const deep = state.cariesDepth;
  const spread = 0.35 + 1.5 * deep;
  return (sample) => {
    const inward = surface - sample.across * sign;
    const off = sample.along - level;
    if (inward < -0.8 || inward > enamel + spread * 1.3 || Math.abs(off) > 2.2) return;
    const extent = enamel * (0.55 + deep);
    const notch =
      smoothStep(0, 0.4, 0.85 * (1 - (0.6 * inward) / extent) - Math.abs(off)) *
      smoothStep(0.25, -0.25, inward - extent);
    const cavity =
      deep > 0.35
        ? smoothStep(1.1, 0.2, Math.hypot((inward - enamel * 0.9) / spread, off / (spread * 0.85))) *
          (inward > enamel * 0.7 ? 1 : 0.5)
        : 0;
    sample.absorption *= 1 - Math.min(0.62, 0.4 * notch + 0.5 * deep * cavity);
  };
};

/** Fills the root canals almost to the apex, with a metal post in one of them. */
const rootFilling = (shape: ToothShape, state: ToothState): Finding | null => {
  if (!state.rootFilled) return null;
  const random = randomFrom('root filling', state.shape);
  const fills = shape.roots.map((root) => ({
    root,
    end: root.length - random.between(0.6, 1.7),
    wide: random.between(0.9, 1.15),
  }));
  const from = shape.form.furcation === null ? -0.5 : shape.form.furcation - 1.6;
  const post = state.post ? { root: random.chance(0.5) ? 0 : shape.roots.length - 1, end: random.between(6, 8) } : null;
  return (sample) => {
    const { along, across, outer } = sample;
    if (along < from - 2 || outer < 0.2) return;
    fills.forEach(({ root, end, wide }, index) => {
      const row = rowAt(Math.max(along, shape.form.furcation ?? 0));
      const off = Math.abs(across - (root.centre[row] ?? 0));
      const half = (0.5 - 0.26 * clamp(along / root.length, 0, 1)) * wide;
      const filled = Math.min(inside(half - off), inside(along - from), inside(end - along));
      sample.absorption += 7.5 * filled * Math.sqrt(Math.max(0.2, 1 - (off / (half + 0.1)) ** 2));
      if (post?.root === index)
        sample.absorption += 34 * Math.min(inside(0.62 - off), inside(post.end - along), inside(along + 2.2));
    });
  };
};

/** The findings of a tooth in drawing order. */
export const findingsOf = (shape: ToothShape, state: ToothState): readonly Finding[] =>
  [caries, rootFilling, amalgamOrComposite, crown]
    .map((find) => find(shape, state))
    .filter((finding) => finding !== null);
