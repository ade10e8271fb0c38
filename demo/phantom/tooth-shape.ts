import { clamp, curveThrough, mix, smoothStep } from './curve.ts';
import type { Random } from './random.ts';
import type { RootForm, ToothForm } from './tooth-form.ts';

/** Rows of a shape table per millimetre along the tooth. */
export const ROWS_PER_MM = 16;
/** The tables begin this far above the neck, towards the crown, and end this far below it. */
export const TABLE_ABOVE_MM = 13;
const TABLE_BELOW_MM = 20;
/** Above the furcation the trunk turns from one body into lobes over this length. */
const LOBES_ABOVE_MM = 2;
const ROW_COUNT = (TABLE_ABOVE_MM + TABLE_BELOW_MM) * ROWS_PER_MM;

/** One root, row by row along the tooth (mm from the axis); half width 0 where there is none. */
export interface RootTable {
  readonly centre: Float32Array;
  readonly half: Float32Array;
  readonly depth: Float32Array;
  readonly canalHalf: Float32Array;
  readonly canalDepth: Float32Array;
  readonly behind: boolean;
  readonly length: number;
}

/** A tooth as tables over its long axis; `across` is over the width of the crown, -1 to 1. */
export interface ToothShape {
  readonly form: ToothForm;
  readonly crownHalf: Float32Array;
  readonly crownDepth: Float32Array;
  /** 1 where the section is a rounded box (crown), 0 where it is round (neck). */
  readonly boxy: Float32Array;
  /** Enamel on the sides and faces. */
  readonly enamelSide: Float32Array;
  readonly coreHalf: Float32Array;
  readonly pulpHalf: Float32Array;
  readonly pulpDepth: Float32Array;
  /** Share of one body, against separate roots. */
  readonly body: Float32Array;
  /** Upper end of the cheek and tongue halves of the crown, of the enamel core below it, and of the pulp; negative. */
  readonly buccalTop: Float32Array;
  readonly lingualTop: Float32Array;
  readonly coreDrop: Float32Array;
  readonly pulpTop: Float32Array;
  readonly roots: readonly RootTable[];
}

export const ACROSS_COUNT = 129;

const rows = (value: (along: number) => number): Float32Array =>
  Float32Array.from({ length: ROW_COUNT }, (_, row) => value(row / ROWS_PER_MM - TABLE_ABOVE_MM));

const across = (value: (share: number) => number): Float32Array =>
  Float32Array.from({ length: ACROSS_COUNT }, (_, index) => value((index / (ACROSS_COUNT - 1)) * 2 - 1));

const CROWN_OUTLINE = {
  incisor: [
    [0, 0],
    [0.2, 0.22],
    [0.45, 0.62],
    [0.75, 0.95],
    [0.9, 1],
    [1, 0.98],
  ],
  canine: [
    [0, 0],
    [0.2, 0.3],
    [0.42, 0.75],
    [0.6, 1],
    [0.8, 0.92],
    [1, 0.8],
  ],
  premolar: [
    [0, 0],
    [0.18, 0.22],
    [0.4, 0.72],
    [0.6, 1],
    [0.8, 0.9],
    [1, 0.62],
  ],
  molar: [
    [0, 0],
    [0.15, 0.2],
    [0.38, 0.75],
    [0.6, 1],
    [0.8, 0.88],
    [1, 0.55],
  ],
} as const;

/** Height lost between cusp tip and the place across the crown, mm. */
const cuspDrop = (kind: ToothForm['kind'], share: number, lingual: boolean, wear: number): number => {
  const side = Math.abs(share);
  const remaining = 1 - 0.65 * wear;
  if (kind === 'incisor') return 0.25 * remaining * (1 - Math.cos(share * 3)) + 1.3 * side ** 9;
  if (kind === 'canine') return (2.3 * side ** 1.25 + 0.3 * side ** 8) * mix(1, 0.45, wear) + (lingual ? 0.5 : 0);
  if (kind === 'premolar') return (1.9 * side ** 1.5 + 0.5 * side ** 6) * remaining + (lingual ? 0.8 : 0);
  const shifted = lingual ? share * 0.92 + 0.05 : share;
  const waves = 0.5 + 0.5 * Math.cos((Math.PI * shifted) / 0.46);
  return (1.25 * waves ** 1.2 + 0.9 * side ** 6) * remaining + (lingual ? 0.45 : 0);
};

const pulpDepthOf = ({ kind, crownDepth }: ToothForm): number => crownDepth * (kind === 'molar' ? 0.34 : 0.27);

const rootTable = (
  root: RootForm,
  from: number,
  joined: boolean,
  pulp: number,
  bend: number,
  chamberDepth: number,
): RootTable => {
  const share = (along: number) => clamp((along - from) / (root.length - from), 0, 1);
  const inside = (along: number) => along >= from - (from > 0 ? LOBES_ABOVE_MM : 0) && along <= root.length;
  const half = (along: number) => {
    if (!inside(along)) return 0;
    const t = share(along);
    const taper = 1 - 0.3 * t - 0.28 * t * t;
    return (root.width / 2) * taper * Math.sqrt(Math.max(0, 1 - t ** 9));
  };
  // Roots of one furcation open with a rounded arch: each is narrowed on its inner side just below it.
  const arch = (along: number) => (joined ? 0.34 * Math.sqrt(clamp((along - from) / 1.8, 0, 1)) : 0);
  const inner = root.start > 0 ? 1 : -1;
  return {
    centre: rows((along) => {
      const t = share(along);
      return (
        mix(root.start, root.tip + bend, t ** 1.3) +
        root.bow * 4 * t * (1 - t) * 0.5 +
        bend * t ** 3 +
        (inner * arch(along)) / 2
      );
    }),
    half: rows((along) => Math.max(0, half(along) - arch(along) / 2)),
    depth: rows(
      (along) =>
        root.depth *
        mix(1, 0.5, share(along) ** 1.4) *
        (root.behind === true ? mix(0.85, 1, smoothStep(from, from + 4, along)) : 1),
    ),
    canalHalf: rows((along) => {
      if (!inside(along) || along > root.length - 0.5 || (from === 0 && along <= 0)) return 0;
      const entry = from > 0 ? smoothStep(from - LOBES_ABOVE_MM, from + 0.8, along) : 1;
      const wide = from > 0 ? 0.42 : root.width * 0.15;
      return wide * mix(1, 0.3, share(along) ** 0.7) * mix(0.6, 1, pulp) * entry;
    }),
    canalDepth: rows((along) => mix(chamberDepth, 0.9, share(along) ** 0.6) * mix(0.7, 1, pulp)),
    behind: root.behind === true,
    length: root.length,
  };
};

/** The tables of one tooth with its individual size and bend. `wear` 0..1, `pulp` the share of the young pulp left. */
export const shapeOf = (form: ToothForm, random: Random, wear: number, pulp: number): ToothShape => {
  const { kind, crownHeight, crownWidth, neckWidth, furcation } = form;
  const height = crownHeight * (1 - 0.08 * wear);
  const outline = curveThrough(CROWN_OUTLINE[kind]);
  const front = kind === 'incisor' || kind === 'canine';
  const toTop = (along: number) => clamp(-along / height, 0, 1);
  const split = furcation ?? 0;
  const roots = form.roots.map((root) => {
    const length = root.length * random.between(0.93, 1.07);
    const bend = random.normal() * 0.3;
    const width = furcation === null ? neckWidth : root.width;
    return rootTable(
      { ...root, length, width },
      furcation === null ? 0 : split,
      furcation !== null && root.behind !== true,
      pulp,
      bend,
      furcation === null ? pulpDepthOf(form) : root.behind === true ? 0.7 : 1.15,
    );
  });
  const bodyEnd = furcation === null ? 0 : split;
  const outerAt = (along: number): number => {
    if (along <= 0) return mix(neckWidth / 2, crownWidth / 2, outline(toTop(along)));
    if (furcation === null) return 0;
    const outer = form.roots
      .filter((root) => root.behind !== true)
      .map((root) => Math.abs(root.start) + root.width / 2);
    return mix(neckWidth / 2, Math.max(...outer), along / split);
  };
  const enamelFull = front ? 0.95 : 1.2;
  const enamelSide = (along: number) => (along >= 0 ? 0 : enamelFull * smoothStep(0, 0.55, toTop(along) + 0.06));
  const pulpTopAt = -height * (kind === 'molar' ? 0.34 : front ? 0.5 : 0.42) * mix(0.6, 1, pulp);
  const chamberEnd = furcation === null ? 0 : split - 0.3;
  return {
    form,
    crownHalf: rows((along) => (along > bodyEnd ? 0 : outerAt(along))),
    crownDepth: rows((along) => {
      const edge = front ? toTop(along) ** 1.8 : Math.max(0, toTop(along) - 0.5) * 2;
      const neck =
        form.roots.reduce((sum, root) => sum + (root.behind === true || form.roots.length > 1 ? 0 : root.depth), 0) ||
        form.crownDepth * 0.86;
      const depth = mix(neck, form.crownDepth, smoothStep(0, 0.35, toTop(along)));
      return mix(depth, form.edgeDepth, edge);
    }),
    boxy: rows((along) => smoothStep(-0.05, 0.5, toTop(along)) * (front ? 0.75 : 1)),
    enamelSide: rows(enamelSide),
    coreHalf: rows((along) => (along > bodyEnd ? 0 : outerAt(along) - enamelSide(along) * 1.05)),
    pulpHalf: rows((along) => {
      if (along > chamberEnd) return 0;
      const young = mix(0.6, 1, pulp);
      if (furcation !== null) return neckWidth * mix(0.25, 0.19, clamp((along + 2) / (chamberEnd + 2), 0, 1)) * young;
      return neckWidth * 0.15 * young * (1 - 0.25 * clamp(-along / 4, 0, 1));
    }),
    pulpDepth: rows((along) => {
      const floor = furcation === null ? 1 : smoothStep(chamberEnd, chamberEnd - 1.6, along);
      return along > chamberEnd ? 0 : pulpDepthOf(form) * mix(0.7, 1, pulp) * floor;
    }),
    body: rows((along) =>
      furcation === null ? (along <= 0 ? 1 : 0) : 1 - smoothStep(split - LOBES_ABOVE_MM, split + 0.2, along),
    ),
    buccalTop: across((share) => -height + cuspDrop(kind, share, false, wear)),
    lingualTop: across((share) => -height + cuspDrop(kind, share, true, wear)),
    coreDrop: across(
      (share) => (front ? 1.7 : 1.9 - 0.7 * (0.5 + 0.5 * Math.cos((Math.PI * share) / 0.46))) * (1 - 0.4 * wear),
    ),
    pulpTop: across((share) => {
      const horn = kind === 'molar' ? 1.1 * (1 - Math.cos(share * 4.6)) * 0.5 : 0.6 * (1 - Math.abs(share) * 2);
      return pulpTopAt - horn * pulp;
    }),
    roots,
  };
};
