import type { CephalometricRecipe, ToothNumber } from '../recipe.ts';
import { standRow } from './arch-layout.ts';
import { paintBone } from './bone.ts';
import { type Point, smoothStep } from './curve.ts';
import { paintRow } from './dentition.ts';
import { expose } from './exposure.ts';
import { type Field, fieldOf, soften } from './field.ts';
import { paintCheek } from './intra-oral.ts';
import { burnIn, DEMO_LABEL } from './label.ts';
import { bell, lay } from './landmarks.ts';
import { mouthOf } from './mouth.ts';
import { randomFrom } from './random.ts';
import { type Region, regionOf } from './region.ts';

/** Height of the picture, mm; the face looks to the right. */
const HEIGHT_MM = 240;
const MM_PER_SAMPLE = 0.27;

const VAULT: readonly Point[] = [
  [170, 84],
  [179, 72],
  [183, 54],
  [175, 32],
  [152, 14],
  [114, 6],
  [74, 11],
  [43, 32],
  [28, 64],
  [31, 96],
  [46, 118],
  [64, 127],
  [82, 126],
  [95, 118],
  [103, 104],
  [108, 92],
  [116, 88],
  [128, 79],
  [148, 76],
  [162, 80],
];
const MAXILLA: readonly Point[] = [
  [170, 82],
  [176, 90],
  [180, 100],
  [173, 110],
  [180, 120],
  [186, 124],
  [181, 132],
  [183, 152],
  [168, 156],
  [140, 156],
  [130, 142],
  [131, 124],
  [130, 106],
  [140, 92],
  [156, 86],
];
const MANDIBLE: readonly Point[] = [
  [99, 101],
  [104, 96],
  [109, 100],
  [109, 108],
  [114, 113],
  [119, 113],
  [123, 106],
  [127, 112],
  [129, 126],
  [134, 140],
  [150, 146],
  [182, 142],
  [181, 158],
  [178, 168],
  [184, 180],
  [180, 190],
  [168, 191],
  [148, 184],
  [128, 176],
  [111, 166],
  [103, 152],
  [101, 132],
  [99, 112],
];
const PROFILE: readonly Point[] = [
  [150, 4],
  [182, 22],
  [191, 48],
  [190, 70],
  [184, 82],
  [190, 96],
  [201, 110],
  [204, 117],
  [197, 122],
  [193, 125],
  [198, 135],
  [194, 142],
  [197, 150],
  [190, 162],
  [195, 178],
  [188, 196],
  [164, 204],
  [146, 212],
  [140, 232],
  [142, 262],
  [28, 262],
  [34, 206],
  [36, 150],
  [20, 112],
  [14, 66],
  [32, 22],
  [72, -2],
  [114, -6],
];

const addShell = (field: Field, region: Region, inner: number, shell: number, thickness: number): void => {
  const { absorption } = field;
  for (let at = 0; at < absorption.length; at++) {
    const depth = region[at] ?? 0;
    if (depth <= 0) continue;
    const edge = smoothStep(0, 0.7, depth);
    absorption[at] =
      (absorption[at] ?? 0) + edge * (inner + shell * Math.exp(-(((depth - thickness) / thickness) ** 2)));
  }
};

const block = (x: number, y: number, halfWide: number, halfHigh: number): number =>
  ((Math.abs(x) / halfWide) ** 4 + (Math.abs(y) / halfHigh) ** 4) ** 0.25;

const paintSkullBase = (field: Field, wide: number): void => {
  lay(field, [0, 0, wide, HEIGHT_MM], (x, y) => {
    // Sella, anterior and posterior base, the petrous bone, palate, sinuses and orbit.
    const sella = Math.hypot((x - 112) / 6, (y - 88) / 5);
    const petrous = block(x - 92, y - 104, 15, 10);
    const base =
      bell(y - 79 - 0.06 * (130 - x) - 0.004 * (150 - x) ** 2 * (x < 128 ? 0.4 : 0), 1.3) *
      smoothStep(114, 124, x) *
      smoothStep(168, 160, x);
    const clivus = bell((x - 104 + (y - 100) * 0.55) / 1.2, 2.4) * smoothStep(90, 95, y) * smoothStep(122, 114, y);
    const palate = bell(y - 124 - 0.02 * (x - 160), 1.4) * smoothStep(131, 135, x) * smoothStep(188, 182, x);
    const antrum = Math.hypot((x - 153) / 17, (y - 109) / 13);
    const frontal = Math.hypot((x - 176) / 5, (y - 68) / 11);
    const orbit = Math.hypot((x - 159) / 15, (y - 93) / 13);
    const zygoma = bell((x - 148 - 0.35 * (y - 108)) / 1.5, 1.6) * smoothStep(92, 98, y) * smoothStep(124, 116, y);
    const mastoid = block(x - 80, y - 120, 11, 13);
    return (
      1.5 * smoothStep(1.25, 0.3, Math.hypot((x - 130) / 28, (y - 103) / 26)) +
      1.9 * smoothStep(1.25, 0.3, petrous) +
      0.9 * smoothStep(1.3, 0.2, mastoid) +
      1.5 * base +
      1.3 * clivus +
      1.1 * bell((sella - 1) * 5, 0.9) * smoothStep(83, 87, y) -
      0.6 * smoothStep(1, 0.7, sella) +
      1.5 * palate -
      0.9 * smoothStep(1.05, 0.85, antrum) +
      0.6 * bell((antrum - 1) * 14, 1) -
      0.9 * smoothStep(1, 0.8, frontal) +
      0.8 * bell((orbit - 1) * 12, 1) +
      1.5 * zygoma
    );
  });
};

const paintNeck = (field: Field): void => {
  lay(field, [40, 116, 156, HEIGHT_MM], (x, y) => {
    let added = 0;
    for (let level = 0; level < 6; level++) {
      const cy = 137 + level * 19.5;
      const cx = 88 - level * 1.6 + 0.25 * level * level;
      const body = block(x - cx - 0.12 * (y - cy), y - cy, 9, level === 0 ? 5.5 : 7.6);
      added += 2.3 * smoothStep(1.06, 0.86, body) + 0.9 * bell((body - 0.94) * 9, 0.7);
      const arch = block(x - cx + 22 + 0.3 * (y - cy), y - cy - 3, 13, 3.6);
      added += 1.7 * smoothStep(1.15, 0.4, arch);
    }
    const airway = x - 113 + 0.05 * (y - 120);
    added -= 0.85 * smoothStep(7, 4, Math.abs(airway)) * smoothStep(116, 128, y);
    added += 1.3 * smoothStep(1.1, 0.7, Math.hypot((x - 139 - (y - 208) * 0.4) / 13, (y - 208) / 3.4));
    return added;
  });
  // Ear rod of the head holder.
  lay(field, [86, 94, 104, 112], (x, y) => 9 * bell(Math.hypot(x - 95, y - 103) - 3.6, 0.7));
};

const POSTERIOR: Record<'upper' | 'lower', readonly ToothNumber[]> = {
  upper: ['17', '16', '15', '14', '13'],
  lower: ['47', '46', '45', '44', '43'],
};

/** Draws a lateral skull image: 0..4095, bright where dense, the face to the viewer's right. */
export const drawCephalometric = (recipe: CephalometricRecipe): Uint16Array => {
  const { columns, rows } = recipe;
  const wide = (HEIGHT_MM * columns) / rows;
  const random = randomFrom('cephalometric', recipe.seed);
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const field = fieldOf(wide, HEIGHT_MM, MM_PER_SAMPLE);
  const soft = regionOf(field, PROFILE);
  addShell(field, regionOf(field, VAULT), 1.5, 2.3, 1.7);
  const plane = 148.5;
  const painted = (['upper', 'lower'] as const).map((jaw) => {
    const upper = jaw === 'upper';
    const side = standRow(
      {
        jaw,
        centredOn: [upper ? '15' : '45'],
        centreX: upper ? 157 : 158.5,
        widthMm: wide,
        scale: 0.98,
        edgeAt: () => plane + (upper ? -0.2 : 0.4),
      },
      mouth,
    ).filter(({ tooth }) => POSTERIOR[jaw].includes(tooth));
    const canine = side[side.length - 1];
    const front = side.slice(-1).map((standing) => ({
      tooth: upper ? ('12' as const) : ('42' as const),
      placement: {
        ...standing.placement,
        x: upper ? 179 : 177.5,
        y: upper ? plane - 8 : plane + 7.6,
        lean: upper ? 0.36 : 0.28,
        skew: 0,
      },
    }));
    return paintRow(field, canine === undefined ? side : [...side, ...front], mouth, 2.2);
  });
  const outlines = [MAXILLA, MANDIBLE] as const;
  paintBone(
    field,
    painted.map(({ jaw }, index) => {
      const outline = regionOf(field, outlines[index] ?? MAXILLA);
      // The crest runs along the row of teeth only; behind it the outline alone bounds the jaw.
      const behind: Point = index === 0 ? [118, 200] : [118, 20];
      return {
        ...jaw,
        crest: [behind, [129, index === 0 ? 142 : 138], ...jaw.crest],
        outline: index === 0 ? outline.map((depth) => depth / 6) : outline,
        ...(index === 1 ? { plate: 1.6 } : {}),
      };
    }),
    [],
    random,
  );
  paintSkullBase(field, wide);
  paintNeck(field);
  const { absorption } = field;
  for (let at = 0; at < absorption.length; at++) {
    const depth = soft[at] ?? 0;
    absorption[at] = depth <= 0 ? 0.12 : Math.max(0.2, absorption[at] ?? 0) + 0.6 + 1.7 * smoothStep(0, 26, depth);
  }
  paintCheek(field, 0.5, random);
  soften(field);
  const pixels = expose(field, { columns, rows, maximum: 4095, latitude: 6.6, noise: 0.008 }, random);
  burnIn({ pixels, columns, rows }, DEMO_LABEL, { bottom: true, right: true, size: 3 }, 3500, 300);
  return pixels;
};
