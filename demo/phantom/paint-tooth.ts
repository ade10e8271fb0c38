import type { Field } from './field.ts';
import type { Finding, ToothSample } from './findings.ts';
import { ACROSS_COUNT, ROWS_PER_MM, type RootTable, TABLE_ABOVE_MM, type ToothShape } from './tooth-shape.ts';

/** Attenuation per millimetre against dentine. */
export const ATTENUATION = { enamel: 2, dentine: 1, pulp: 0.3 } as const;

/** Where a tooth stands on the receptor, in millimetres from the top left corner. */
export interface Placement {
  /** Middle of the neck. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** Lean of the apex towards distal, radians. */
  readonly lean: number;
  /** How much further the roots lean than the crown: sideways shift per length below the neck. */
  readonly skew: number;
  readonly upper: boolean;
  /** Patient's right side: distal is to the left. */
  readonly right: boolean;
}

/** The unit vectors of a placement: towards distal and towards the apex. */
export const axesOf = ({ lean, upper, right }: Placement) => {
  const distal = right ? -1 : 1;
  const apical = upper ? -1 : 1;
  return {
    sideX: distal * Math.cos(lean),
    sideY: -apical * Math.sin(lean),
    axisX: distal * Math.sin(lean),
    axisY: apical * Math.cos(lean),
  };
};

/** Section of a rounded body: a circle when `boxy` is 0, a box with round edges when 1. `share` is 0 in the middle, 1 at the edge. */
const section = (share: number, boxy: number): number => {
  const square = share * share;
  if (square >= 1) return 0;
  const round = Math.sqrt(1 - square);
  return boxy === 0 ? round : round + (Math.sqrt(1 - square * square * Math.abs(share)) - round) * boxy;
};

const crest = (below: number, rounding: number): number => {
  if (below <= 0) return 0;
  if (below >= rounding) return 1;
  const rest = 1 - below / rounding;
  return Math.sqrt(1 - rest * rest);
};

const rootAt = (root: RootTable, row: number, across: number): number => {
  const half = root.half[row] ?? 0;
  return half === 0 ? 0 : section((across - (root.centre[row] ?? 0)) / half, 0) * (root.depth[row] ?? 0);
};

const canalAt = (root: RootTable, row: number, across: number): number => {
  const half = root.canalHalf[row] ?? 0;
  return half === 0 ? 0 : section((across - (root.centre[row] ?? 0)) / half, 0) * (root.canalDepth[row] ?? 0);
};

/** Thickness of the tooth, its dentine core and its pulp on the ray through a point of the tooth. */
const measure = (shape: ToothShape, across: number, along: number, sample: ToothSample): number => {
  const row = Math.round((along + TABLE_ABOVE_MM) * ROWS_PER_MM);
  const split = shape.form.furcation ?? 0;
  const front = shape.form.kind === 'incisor' || shape.form.kind === 'canine';
  let outer = 0;
  let core = 0;
  let pulp = 0;
  const half = shape.crownHalf[row] ?? 0;
  const body = shape.body[row] ?? 0;
  if (half > 0 && body > 0) {
    const boxy = shape.boxy[row] ?? 0;
    const depth = shape.crownDepth[row] ?? 0;
    let upper = 1;
    let inner = 1;
    let chamber = 1;
    if (along < -1) {
      const share = Math.max(-1, Math.min(1, across / (shape.form.crownWidth / 2)));
      const index = Math.round(((share + 1) / 2) * (ACROSS_COUNT - 1));
      const rounding = front ? 0.7 : 1.5;
      const buccal = along - (shape.buccalTop[index] ?? 0);
      const lingual = along - (shape.lingualTop[index] ?? 0);
      const drop = shape.coreDrop[index] ?? 0;
      upper = (crest(buccal, rounding) + crest(lingual, rounding)) / 2;
      inner = (crest(buccal - drop, rounding) + crest(lingual - drop, rounding)) / 2;
    }
    const pulpHalf = shape.pulpHalf[row] ?? 0;
    if (pulpHalf > 0 && Math.abs(across) < pulpHalf) {
      const index = Math.round((across / pulpHalf / 2 + 0.5) * (ACROSS_COUNT - 1));
      chamber = crest(along - (shape.pulpTop[index] ?? 0), 1.6);
      pulp = section(across / pulpHalf, 0.15) * (shape.pulpDepth[row] ?? 0) * chamber;
    }
    const enamel = shape.enamelSide[row] ?? 0;
    outer = section(across / half, boxy) * depth * upper * body;
    const coreHalf = shape.coreHalf[row] ?? 0;
    core =
      coreHalf > 0
        ? section(across / coreHalf, boxy) * Math.max(0, depth - (front ? 2.3 : 1.3) * enamel) * inner * body
        : 0;
    if (enamel === 0) core = outer;
  }
  if (along > split - 2.1) {
    let front = 0;
    let behind = 0;
    for (const root of shape.roots) {
      if (root.behind) behind += rootAt(root, row, across);
      else front = Math.max(front, rootAt(root, row, across));
      pulp += canalAt(root, row, across);
    }
    const roots = Math.cbrt(front ** 3 + behind ** 3) * (1 - body);
    outer += roots;
    core += roots;
  }
  sample.outer = outer;
  sample.core = Math.min(core, outer);
  return Math.min(pulp, core * 0.8);
};

/** Adds a tooth to what the beam meets, with its findings, and marks where its roots are. */
export const paintTooth = (
  field: Field,
  shape: ToothShape,
  placement: Placement,
  findings: readonly Finding[],
): void => {
  const { width, height, mmPerSample, absorption, roots, cover } = field;
  const { x, y, scale, skew } = placement;
  const { sideX, sideY, axisX, axisY } = axesOf(placement);
  const crownEnd = -shape.form.crownHeight - 0.3;
  const rootEnd = Math.max(...shape.roots.map((root) => root.length)) + 0.2;
  const extent = (shape.form.crownWidth / 2 + 2 + Math.abs(skew) * rootEnd) * scale;
  const ends = [crownEnd * scale, rootEnd * scale];
  const left = Math.min(...ends.map((end) => x + axisX * end)) - extent;
  const right = Math.max(...ends.map((end) => x + axisX * end)) + extent;
  const top = Math.min(...ends.map((end) => y + axisY * end)) - extent * Math.abs(sideY) - 0.5;
  const bottom = Math.max(...ends.map((end) => y + axisY * end)) + extent * Math.abs(sideY) + 0.5;
  const firstColumn = Math.max(0, Math.floor(left / mmPerSample));
  const lastColumn = Math.min(width - 1, Math.ceil(right / mmPerSample));
  const firstRow = Math.max(0, Math.floor(top / mmPerSample));
  const lastRow = Math.min(height - 1, Math.ceil(bottom / mmPerSample));
  const sample: ToothSample = { across: 0, along: 0, outer: 0, core: 0, absorption: 0 };
  for (let row = firstRow; row <= lastRow; row++) {
    const dy = row * mmPerSample - y;
    for (let column = firstColumn; column <= lastColumn; column++) {
      const dx = column * mmPerSample - x;
      const along = (dx * axisX + dy * axisY) / scale;
      if (along < crownEnd || along > rootEnd) continue;
      const across = (dx * sideX + dy * sideY) / scale - (along > 0 ? along * skew : 0);
      const pulp = measure(shape, across, along, sample);
      if (sample.outer <= 0) continue;
      sample.across = across;
      sample.along = along;
      sample.absorption =
        ATTENUATION.enamel * (sample.outer - sample.core) +
        ATTENUATION.dentine * (sample.core - pulp) +
        ATTENUATION.pulp * pulp;
      for (const finding of findings) finding(sample);
      if (sample.absorption <= 0) continue;
      const at = row * width + column;
      absorption[at] = (absorption[at] ?? 0) + sample.absorption;
      if (along > -0.4) {
        roots[at] = 1;
        cover[at] = Math.max(cover[at] ?? 0, Math.min(1, sample.outer / 4));
      }
    }
  }
};
