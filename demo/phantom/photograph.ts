import type { PhotographRecipe } from '../recipe.ts';
import { standRow } from './arch-layout.ts';
import { clamp, mix, smoothStep } from './curve.ts';
import { DEMO_LABEL, eachDot } from './label.ts';
import { mouthOf } from './mouth.ts';
import { clouds, noiseTile, TILE } from './noise.ts';
import { randomFrom } from './random.ts';
import { formOf } from './tooth-form.ts';

type Colour = readonly [red: number, green: number, blue: number];

const WIDTH_MM = 66;

const blend = (from: Colour, to: Colour, share: number): Colour => [
  mix(from[0], to[0], share),
  mix(from[1], to[1], share),
  mix(from[2], to[2], share),
];

const shade = (colour: Colour, factor: number): Colour => [colour[0] * factor, colour[1] * factor, colour[2] * factor];

interface FrontTooth {
  readonly x: number;
  /** Neck and edge, mm from the top. */
  readonly neck: number;
  readonly edge: number;
  readonly half: number;
  readonly pointed: number;
  readonly hue: number;
  /** 1 in front, 0 where the arch has turned to the side. */
  readonly facing: number;
  readonly upper: boolean;
}

/** The teeth as the camera sees them: the arch turns away, so that side teeth are narrow and dark. */
const frontTeeth = (recipe: PhotographRecipe, middle: number, plane: number): readonly FrontTooth[] => {
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const all = (['lower', 'upper'] as const).flatMap((jaw) => {
    const upper = jaw === 'upper';
    const centred = standRow(
      { jaw, centredOn: upper ? ['11', '21'] : ['41', '31'], centreX: 100, widthMm: 200, scale: 1, edgeAt: () => 0 },
      mouth,
    );
    return centred.flatMap(({ tooth, placement }): readonly FrontTooth[] => {
      const form = formOf(tooth);
      const place = Number(tooth.charAt(1));
      if (place > 5 || mouth.teeth.get(tooth)?.presence === 'missing') return [];
      const arc = placement.x - 100;
      const radius = upper ? 31 : 28;
      const angle = clamp(arc / radius, -1.35, 1.35);
      const facing = Math.cos(angle);
      const random = randomFrom('photo tooth', mouth.seed, tooth);
      const x = radius * Math.sin(angle);
      const rise = (upper ? 0.0042 : 0.0034) * x * x;
      const edge = upper ? plane + 1.1 - rise - (place === 2 ? 0.7 : 0) : plane - 1.1 - rise;
      const height = (form.crownHeight - (upper ? 0.4 : 0.8)) * (place >= 4 ? 0.94 : 1) * mix(0.85, 1, facing);
      return [
        {
          x: middle + x,
          neck: upper ? edge - height : edge + height,
          edge: edge + random.normal() * 0.12,
          half: (form.crownWidth / 2) * facing * 1.07,
          pointed: place === 3 ? 1.5 : place >= 4 ? 1.2 : 0.3,
          hue: random.between(-0.3, 0.3) + (place === 3 ? 0.8 : 0),
          facing,
          upper,
        },
      ];
    });
  });
  // Painted from the cheek to the middle, the upper row over the lower, as they stand in front of one another.
  return all.sort((one, other) => Number(one.upper) - Number(other.upper) || one.facing - other.facing);
};

const toothColour = (tooth: FrontTooth, across: number, up: number, texture: number): Colour => {
  const body: Colour = [232 - 3 * tooth.hue, 220 - 5 * tooth.hue, 196 - 9 * tooth.hue];
  const neck: Colour = [214, 190, 150];
  const rim: Colour = [196, 203, 208];
  let colour = blend(body, neck, smoothStep(0.62, 1.05, up) * 0.8);
  colour = blend(colour, rim, 0.5 * smoothStep(0.2, 0.04, up) * (tooth.pointed < 1 ? 1 : 0.4));
  const round = 1 - 0.42 * Math.abs(across) ** 3.2 - 0.12 * smoothStep(0.7, 1, up);
  const shine =
    Math.exp(-(((across + 0.22) / 0.16) ** 2) - ((up - 0.55) / 0.2) ** 2) +
    0.5 * Math.exp(-(((across - 0.3) / 0.1) ** 2) - ((up - 0.42) / 0.12) ** 2);
  return blend(
    shade(colour, round * mix(0.32, 1, tooth.facing ** 0.8) * (1 + 0.012 * texture)),
    [255, 255, 252],
    0.55 * shine * tooth.facing,
  );
};

/** Draws a frontal photograph with lip retractors: R G B, 8 bits each. */
export const drawPhotograph = (recipe: PhotographRecipe): Uint8Array => {
  const { columns, rows } = recipe;
  const random = randomFrom('photograph', recipe.seed);
  const mm = WIDTH_MM / columns;
  const heightMm = rows * mm;
  const middle = WIDTH_MM / 2 + random.between(-0.8, 0.8);
  const plane = heightMm * 0.53;
  const teeth = frontTeeth(recipe, middle, plane);
  const cloud = clouds();
  const speck = noiseTile();
  const out = new Uint8Array(columns * rows * 3);
  const offset = Math.floor(random.next() * TILE * TILE);
  for (let row = 0; row < rows; row++) {
    const y = row * mm;
    for (let column = 0; column < columns; column++) {
      const x = column * mm;
      const tile = ((row >> 1) & (TILE - 1)) * TILE + (((column >> 1) + offset) & (TILE - 1));
      const mass = cloud[tile] ?? 0;
      const fine = speck[((row >> 1) & (TILE - 1)) * TILE + ((column >> 1) & (TILE - 1))] ?? 0;
      const off = (x - middle) / 30;
      // Gum: pale pink at the margin, redder towards the cheek, dark at the corners of the mouth.
      const far = Math.abs(y - plane) / (heightMm / 2);
      let colour = blend([224, 150, 146], [188, 84, 86], smoothStep(0.35, 0.95, far + 0.05 * mass));
      colour = shade(colour, (1 - 0.55 * Math.min(1, off ** 4)) * (1 + 0.03 * mass + 0.012 * fine));
      const bite = plane - 0.0038 * (x - middle) ** 2;
      const gape = smoothStep(0, 2.2, 4.6 - 2.2 * Math.abs(off) ** 2 - Math.abs(y - bite));
      colour = blend(colour, [58, 20, 20], 0.92 * gape);
      let cover = 0;
      for (const tooth of teeth) {
        const distance = x - tooth.x;
        if (distance > tooth.half * 1.02 || distance < -tooth.half * 1.02) continue;
        const up = (y - tooth.edge) / (tooth.neck - tooth.edge);
        // The gum bulges over each root and casts a little shadow at its margin.
        if (up > 0.8 && up < 2.1) {
          const bulge = Math.exp(-1.6 * (distance / tooth.half) ** 2) - 0.45;
          colour = shade(
            colour,
            1 + 0.13 * bulge * tooth.facing * smoothStep(2.1, 1.2, up) * smoothStep(0.8, 1.05, up),
          );
        }
        if (up < 0 || up > 1) continue;
        const wide =
          tooth.half *
          (0.84 + 0.16 * smoothStep(1, 0.35, up)) *
          (up < 0.12 ? 0.9 + 0.1 * Math.sqrt(Math.max(0, 1 - ((0.12 - up) / 0.12) ** 2)) : 1);
        const across = distance / Math.max(0.01, wide);
        if (Math.abs(across) >= 1) continue;
        const tip = (tooth.pointed * across * across + 0.5 * across ** 8) / Math.abs(tooth.neck - tooth.edge);
        const margin = 1 - 0.07 * across * across - 0.2 * across ** 6 - up;
        const inside =
          smoothStep(0, 0.05, 1 - Math.abs(across)) * smoothStep(0, 0.02, up - tip) * smoothStep(0, 0.014, margin);
        if (inside > 0) {
          colour = blend(colour, toothColour(tooth, across, up, mass), inside);
          cover = Math.max(cover, inside);
        }
      }
      const vignette = 1.08 - 0.32 * ((x / WIDTH_MM - 0.5) ** 2 + (y / heightMm - 0.5) ** 2) * 2.2;
      const at = (row * columns + column) * 3;
      const light = vignette * (1 + 0.008 * fine * (1 - 0.5 * cover));
      for (let channel = 0; channel < 3; channel++) out[at + channel] = clamp((colour[channel] ?? 0) * light, 0, 255);
    }
  }
  const size = 3;
  eachDot(DEMO_LABEL, (x, y) => {
    for (let dot = 0; dot < size * size; dot++) {
      const column = 18 + x * size + (dot % size);
      const line = rows - 40 + y * size + Math.floor(dot / size);
      out.fill(245, (line * columns + column) * 3, (line * columns + column) * 3 + 3);
    }
  });
  return out;
};
