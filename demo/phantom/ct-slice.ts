import type { CtRecipe } from '../recipe.ts';
import { mix, smoothStep } from './curve.ts';
import { burnIn, DEMO_LABEL } from './label.ts';
import { mouthOf } from './mouth.ts';
import { clouds, TILE, trabeculae } from './noise.ts';
import { randomFrom } from './random.ts';
import { ARCH, formOf } from './tooth-form.ts';

/** Side of the reconstructed square, mm. */
const FIELD_MM = 160;
const AIR = -1000;
const FAT = -90;
const MUSCLE = 55;
const CORTEX = 1350;
const MARROW = 250;

interface RootSection {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly enamel: boolean;
  readonly metal: boolean;
}

/** The middle of the dental arch of the lower jaw: y(x), mm from the middle of the picture, forward is up. */
const archAt = (x: number): number => -44 + 0.0125 * x * x + 0.0000088 * x ** 4;

/** Place beside the middle after that many millimetres along the arch. */
const acrossAfter = (length: number): number => {
  let x = 0;
  for (let walked = 0; walked < Math.abs(length); walked += 0.25)
    x += 0.25 / Math.hypot(1, 0.025 * x + 0.0000352 * x ** 3);
  return Math.sign(length) * x;
};

/** Sections of the teeth that a level cuts; `level` 0 at the lower border, 1 at the chewing edge. */
const sectionsAt = (level: number, recipe: CtRecipe): readonly RootSection[] => {
  if (level < 0.3) return [];
  const mouth = mouthOf(recipe.mouth, recipe.age);
  let along = -62;
  return ARCH.lower.flatMap((tooth) => {
    const form = formOf(tooth);
    const middle = along + form.crownWidth / 2;
    along += form.crownWidth;
    const state = mouth.teeth.get(tooth);
    const x = acrossAfter(middle);
    if (state === undefined || state.presence === 'missing') return [];
    const deep = smoothStep(0.3, 0.7, level);
    const crown = level > 0.74;
    const radius = crown ? form.crownWidth * 0.46 : mix(1, form.neckWidth * 0.42, deep);
    const metal = state.presence === 'implant' || (crown && state.restoration?.kind === 'crown');
    return [{ x, y: archAt(x), radius, enamel: crown, metal }];
  });
};

const toothAt = (sections: readonly RootSection[], x: number, y: number, under: number): number => {
  let value = under;
  for (const { x: cx, y: cy, radius, enamel, metal } of sections) {
    const away = Math.hypot(x - cx, y - cy);
    if (away > radius + 0.8) continue;
    if (away > radius) value = enamel ? value : mix(value, 80, 0.6);
    else if (metal) value = 3000;
    else if (enamel && away > radius - 1.2) value = 2600;
    else value = away < radius * 0.22 ? 350 : 1650;
  }
  return value;
};

/**
 * Draws an axial slice of the lower jaw in Hounsfield units, seen from the feet: patient's right on the viewer's left,
 * the face up. `NaN` outside the circular field of reconstruction.
 */
export const drawCtSlice = (recipe: CtRecipe): Float32Array => {
  const { columns, rows, slice, sliceCount } = recipe;
  const level = sliceCount > 1 ? slice / (sliceCount - 1) : 0.5;
  const random = randomFrom('ct', recipe.seed, slice);
  const sections = sectionsAt(level, recipe);
  const struts = trabeculae();
  const cloud = clouds();
  const offset = Math.floor(random.next() * TILE * TILE);
  const half = mix(6.5, 5.2, level) + 0.4;
  const cortex = mix(3, 1.5, level);
  const boneTop = 1 - smoothStep(0.7, 0.8, level);
  const lift = mix(4, 0, level);
  const pixels = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const y = ((row + 0.5) / rows - 0.5) * FIELD_MM;
    for (let column = 0; column < columns; column++) {
      const x = ((column + 0.5) / columns - 0.5) * FIELD_MM;
      const at = row * columns + column;
      if (Math.hypot(x, y) > FIELD_MM / 2 - 0.5) {
        pixels[at] = Number.NaN;
        continue;
      }
      const tile = ((row * 2) & (TILE - 1)) * TILE + ((column * 2 + offset) & (TILE - 1));
      const mass = cloud[tile] ?? 0;
      const skin = 1 - Math.hypot(x / 66, (y - 6) / (y < 6 ? 66 : 78));
      let value = AIR;
      if (skin > 0) {
        value = skin < 0.035 ? 30 : skin < 0.13 + 0.02 * mass ? FAT + 12 * mass : MUSCLE + 10 * mass;
        const archY = archAt(x) + lift;
        // Distance from the arch, corrected for its slope where it runs backwards.
        const slope = 0.025 * x + 0.0000352 * x ** 3;
        const off = Math.abs(y - archY) / Math.hypot(1, slope);
        const back = smoothStep(42, 34, y);
        if (off < half && back > 0.5) {
          const shell = half - off;
          const marrow = MARROW + 120 * (struts[tile] ?? 0) + 60 * mass;
          const bone = shell < cortex ? CORTEX + 60 * mass : mix(CORTEX, marrow, smoothStep(cortex, cortex + 1, shell));
          const canal = level > 0.15 && level < 0.5 && Math.abs(x) > 24 && off < 1.2 ? 60 : bone;
          value = mix(value, canal, boneTop);
        }
        if (y > archY + half && Math.abs(x) < 24 && y < 16)
          value = mix(value, MUSCLE + 14 * Math.sin(x * 1.3) + 8 * mass, 0.7);
        const airway = Math.hypot(x / 13, (y - 27) / 5.5);
        if (airway < 1) value = AIR;
        const vertebra = Math.hypot(x / 14, (y - 50) / 9);
        if (vertebra < 1) value = vertebra > 0.86 ? 850 : MARROW + 90 * (struts[tile] ?? 0);
        const cord = Math.hypot(x / 11, (y - 66) / 8);
        if (cord < 1.28) value = cord < 1 ? 25 : 900;
      }
      pixels[at] = toothAt(sections, x, y - lift, value) + 22 * random.normal();
    }
  }
  const label = new Int16Array(columns * rows);
  burnIn({ pixels: label, columns, rows }, DEMO_LABEL, { size: 1, bottom: true, margin: 6 }, 2, 1);
  label.forEach((mark, at) => {
    if (mark !== 0) pixels[at] = mark === 2 ? 2400 : AIR;
  });
  return pixels;
};
