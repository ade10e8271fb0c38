import type { IntraOralRecipe } from '../recipe.ts';
import { type StandingTooth, standRow } from './arch-layout.ts';
import { paintBone } from './bone.ts';
import { paintRow } from './dentition.ts';
import { expose } from './exposure.ts';
import { type Field, fieldOf, soften } from './field.ts';
import { burnIn, DEMO_LABEL } from './label.ts';
import { paintLandmarks } from './landmarks.ts';
import { mouthOf } from './mouth.ts';
import { clouds, TILE } from './noise.ts';
import { type Random, randomFrom } from './random.ts';
import { isRight, isUpper } from './tooth-form.ts';

/** The long side of a size 2 receptor, mm. */
export const RECEPTOR_LONG_MM = 36;
const MM_PER_SAMPLE = 0.055;

export const paintCheek = (field: Field, amount: number, random: Random): void => {
  const cloud = clouds();
  const offset = Math.floor(random.next() * TILE * TILE);
  const { width, height, absorption } = field;
  for (let row = 0; row < height; row++) {
    const cloudRow = ((row >> 2) & (TILE - 1)) * TILE;
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      absorption[at] =
        (absorption[at] ?? 0) + amount * (1 + 0.12 * (cloud[cloudRow + (((column >> 2) + offset) & (TILE - 1))] ?? 0));
    }
  }
};

const standBitewing = (
  recipe: IntraOralRecipe,
  widthMm: number,
  heightMm: number,
  random: Random,
): readonly (readonly StandingTooth[])[] => {
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const uppers = recipe.teeth.filter(isUpper);
  const lowers = recipe.teeth.filter((tooth) => !isUpper(tooth));
  const distal = recipe.teeth.every(isRight) ? -1 : 1;
  const gap = random.between(0.3, 1);
  const slope = random.between(0.03, 0.07);
  const level = heightMm / 2 + random.between(-1, 1);
  const spee = (x: number) => {
    const back = distal * (x - widthMm / 2);
    return level - slope * back - 0.0022 * back * back * Math.sign(back);
  };
  const scale = 1.04;
  const shift = random.between(-0.8, 0.8);
  return [
    standRow(
      {
        jaw: 'upper',
        centredOn: uppers,
        centreX: widthMm / 2 + shift,
        widthMm,
        scale,
        edgeAt: (x) => spee(x) - gap / 2,
      },
      mouth,
    ),
    standRow(
      {
        jaw: 'lower',
        centredOn: lowers,
        centreX: widthMm / 2 + shift - distal * 1.6,
        widthMm,
        scale,
        edgeAt: (x) => spee(x) + gap / 2,
      },
      mouth,
    ),
  ];
};

const standPeriapical = (
  recipe: IntraOralRecipe,
  widthMm: number,
  heightMm: number,
  random: Random,
): readonly (readonly StandingTooth[])[] => {
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const upper = recipe.teeth.every(isUpper);
  const margin = random.between(1.8, 3);
  const tilt = random.between(-0.035, 0.035);
  const edge = upper ? heightMm - margin : margin;
  const edgeAt = (x: number) => edge + tilt * (x - widthMm / 2);
  return [
    standRow(
      {
        jaw: upper ? 'upper' : 'lower',
        centredOn: recipe.teeth,
        centreX: widthMm / 2 + random.between(-0.8, 0.8),
        widthMm,
        scale: 1.03,
        edgeAt,
      },
      mouth,
    ),
  ];
};

/** Leaves a corner outside the circular beam: nothing reached the receptor there, so it stays clear. */
const cutCone = (field: Field, random: Random): void => {
  const { width, height, mmPerSample, absorption } = field;
  const right = random.chance(0.5);
  const centreX = width * mmPerSample * (right ? 0.27 : 0.73);
  const centreY = height * mmPerSample * random.between(0.35, 0.65);
  const radius = width * mmPerSample * 0.56;
  for (let at = 0; at < absorption.length; at++) {
    const away = Math.hypot((at % width) * mmPerSample - centreX, Math.floor(at / width) * mmPerSample - centreY);
    if (away > radius) absorption[at] = (absorption[at] ?? 0) + Math.min(40, (away - radius) * 30);
  }
};

/** Draws a periapical or bitewing image: values 0..4095, bright where dense, row by row from the top left. */
export const drawIntraOral = (recipe: IntraOralRecipe): Uint16Array => {
  const { columns, rows } = recipe;
  const random = randomFrom('exposure', recipe.seed);
  const mmPerPixel = RECEPTOR_LONG_MM / Math.max(columns, rows);
  const widthMm = columns * mmPerPixel;
  const heightMm = rows * mmPerPixel;
  const field = fieldOf(widthMm, heightMm, MM_PER_SAMPLE);
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const standing =
    recipe.view === 'bitewing'
      ? standBitewing(recipe, widthMm, heightMm, random)
      : standPeriapical(recipe, widthMm, heightMm, random);
  const painted = standing.map((row) => paintRow(field, row, mouth, row[0]?.placement.upper ? 1 : 1.25));
  paintBone(
    field,
    painted.map(({ jaw }) => jaw),
    painted.flatMap(({ lesions }) => lesions),
    random,
  );
  const [first] = standing;
  if (recipe.view === 'periapical' && first !== undefined) paintLandmarks(field, first, recipe.teeth, random);
  paintCheek(field, random.between(0.7, 1), random);
  if (recipe.coneCut) cutCone(field, random);
  soften(field);
  const pixels = expose(
    field,
    { columns, rows, maximum: 4095, latitude: random.between(7.2, 8.4), noise: 0.0085 },
    random,
  );
  burnIn(
    { pixels, columns, rows },
    DEMO_LABEL,
    {
      bottom: recipe.view === 'periapical' && !recipe.teeth.every(isUpper),
      size: Math.max(2, Math.round(columns / 650)),
    },
    3500,
    300,
  );
  return pixels;
};
