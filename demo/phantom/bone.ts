import { curveThrough, type Point, smoothStep, tableOf } from './curve.ts';
import { distanceFrom } from './distance.ts';
import type { Field } from './field.ts';
import { clouds, TILE, trabeculae } from './noise.ts';
import type { Random } from './random.ts';

/** One jaw on the receptor. Millimetres from the top left corner. */
export interface Jaw {
  readonly upper: boolean;
  /** Edge of the bone between the teeth, by rising x. */
  readonly crest: readonly Point[];
  /** How coarse the meshes are: 1 for the upper jaw, larger for the lower. */
  readonly mesh: number;
  /** Depth of each sample inside the outline of the jaw, mm; without it the jaw fills the receptor. */
  readonly outline?: Float32Array;
  /** Thickness of the plate along the outline, mm. */
  readonly plate?: number;
}

/** A dark zone in the bone, such as an inflammation at an apex. */
export interface Lesion {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Draws bone between and behind the roots, with crest, periodontal space and lamina dura, and the gum over it. */
export const paintBone = (field: Field, jaws: readonly Jaw[], lesions: readonly Lesion[], random: Random): void => {
  const { width, height, mmPerSample, absorption, roots, cover } = field;
  const distance = distanceFrom(roots, width, height);
  const struts = trabeculae();
  const cloud = clouds();
  for (const jaw of jaws) {
    const crestAt = tableOf(curveThrough(jaw.crest), 0, mmPerSample, width);
    const side = jaw.upper ? -1 : 1;
    const offset = Math.floor(random.next() * TILE * TILE);
    const pitch = (0.055 * jaw.mesh) / mmPerSample;
    for (let row = 0; row < height; row++) {
      const y = row * mmPerSample;
      const strutRow = ((Math.round(row / pitch) + (offset >> 9)) & (TILE - 1)) * TILE;
      const cloudRow = ((row >> 1) & (TILE - 1)) * TILE;
      for (let column = 0; column < width; column++) {
        const deep = side * (y - (crestAt[column] ?? 0));
        if (deep < -5) continue;
        const at = row * width + column;
        const within = jaw.outline?.[at] ?? 99;
        const mass = cloud[cloudRow + (((column >> 1) + offset) & (TILE - 1))] ?? 0;
        let added = 0.55 * smoothStep(-3.6, -1, deep) * (1 + 0.1 * mass) * (within < 3 ? within / 3 : 1);
        const hidden = cover[at] ?? 0;
        // In front of a root the edge of the thin outer plate shows as a slow change only.
        const bone = smoothStep(-0.15 - 0.4 * hidden, 0.45 + 3 * hidden, deep) * (within < 1 ? within : 1);
        if (bone > 0) {
          const away = (distance[at] ?? 0) * mmPerSample;
          const strut = struts[strutRow + ((Math.round(column / pitch) + offset) & (TILE - 1))] ?? 0;
          const stout = 0.62 + 0.38 * smoothStep(0, 9, deep);
          const spongy = (2.5 + 0.42 * mass + (0.36 + 0.09 * mass) * strut) * (1 - 0.75 * hidden);
          added += bone * stout * (1.35 + spongy);
          if (away > 0 && away < 1.2) {
            const ligament = Math.exp(-(((away - 0.1) / 0.11) ** 2));
            const lamina = Math.exp(-(((away - 0.36) / 0.15) ** 2));
            added += bone * (lamina * (0.95 + 0.25 * mass) - ligament * (1.05 + 0.25 * mass));
          }
          if (deep < 1.2 && away > 0.2)
            added += 0.7 * Math.exp(-(((deep - 0.3) / 0.25) ** 2)) * smoothStep(0.25, 0.6, away);
          if (within < 8 && jaw.plate !== undefined)
            added += bone * 2.2 * Math.exp(-(((within - jaw.plate * 0.5) / jaw.plate) ** 2));
          for (const lesion of lesions) {
            const off = Math.hypot(column * mmPerSample - lesion.x, y - lesion.y) / lesion.radius;
            if (off < 1.4)
              added -= bone * (2.1 * smoothStep(1.15, 0.55, off) - 0.45 * Math.exp(-(((off - 1.2) / 0.1) ** 2)));
          }
        }
        absorption[at] = (absorption[at] ?? 0) + added;
      }
    }
  }
};
