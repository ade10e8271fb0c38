import type { PanoramicRecipe } from '../recipe.ts';
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
import { mirrored, regionOf } from './region.ts';

/** Width of the layer as the receptor shows it, mm; the height follows the proportions. */
const WIDTH_MM = 300;
const MIDDLE = WIDTH_MM / 2;
const MM_PER_SAMPLE = 0.23;
const SCALE = 1.24;

/** Right half of the lower jaw from the chin along the lower border to the condyle, the notch, the coronoid and back; mm from the middle. */
const MANDIBLE: readonly Point[] = [
  [0, 133],
  [20, 132.5],
  [40, 129.5],
  [60, 124],
  [80, 116],
  [97, 106],
  [107, 94],
  [112, 78],
  [116, 60],
  [121, 47],
  [126, 38],
  [126.5, 30],
  [121, 26],
  [114, 28],
  [111, 37],
  [106, 45.5],
  [99, 46],
  [94, 38],
  [89, 31],
  [85, 34],
  [83.5, 48],
  [84, 62],
  [81, 74],
  [72, 81],
  [42, 87],
  [18, 90],
  [0, 91],
];

const MAXILLA: readonly Point[] = [
  [0, 88],
  [30, 87],
  [66, 82],
  [90, 74],
  [95, 58],
  [90, 38],
  [78, 22],
  [56, 8],
  [24, 0],
  [0, 0],
];
/** Depth of the transition from the upper jaw to the face, mm. */
const MAXILLA_FADE = 15;

/** Structures on both sides of the face, mirrored: `out` is the distance from the middle. */
const paintSide = (field: Field, side: -1 | 1, high: number, lift: number): void => {
  const laySide = (
    inner: number,
    top: number,
    outer: number,
    bottom: number,
    amount: (out: number, y: number) => number,
  ) => {
    const edges = [MIDDLE + side * inner, MIDDLE + side * outer];
    lay(field, [Math.min(...edges), top, Math.max(...edges), bottom], (x, y) => amount((x - MIDDLE) * side, y));
  };
  // Maxillary sinus: wider towards the side, its floor between the roots.
  laySide(14, 16, 92, 68, (out, y) => {
    const share = Math.hypot((out - 52) / 30, (y - 42 - lift - 0.04 * (out - 52)) / 18.5);
    return -1.05 * smoothStep(1.06, 0.9, share) + 0.75 * bell((share - 1) * 24, 1.2);
  });
  // Zygomatic process and arch.
  laySide(52, 24, 134, 66, (out, y) => {
    const centre = 51 - 0.1 * (out - 60) - 0.0018 * (out - 90) ** 2;
    const half = 6 - 0.035 * (out - 52);
    const away = Math.abs(y - centre);
    return (
      smoothStep(52, 72, out) *
      smoothStep(134, 112, out) *
      (0.75 * smoothStep(half, half - 3, away) + 0.55 * bell(away - half + 1.2, 1))
    );
  });
  laySide(10, 0, 92, 30, (out, y) => {
    const share = Math.hypot((out - 50) / 33, (y + 4) / 24);
    return 0.85 * bell((share - 1) * 28, 1.7) * smoothStep(92, 70, out);
  });
  // Airway behind the tongue, over the ramus.
  laySide(56, 36, 116, high, (out, y) => {
    const centre = 92 - 0.22 * (y - 50);
    return -0.65 * smoothStep(11, 3, Math.abs(out - centre)) * smoothStep(38, 70, y) * smoothStep(146, 112, y);
  });
  laySide(8, high - 26, 66, high, (out, y) => {
    const centre = high - 7 - 0.006 * (out - 24) ** 2;
    return 0.9 * smoothStep(4, 1, Math.abs(y - centre)) * smoothStep(8, 22, out) * smoothStep(66, 48, out);
  });
  // Neck vertebrae at the edge of the layer.
  laySide(118, 0, 150, high, (out, y) => {
    const wave = Math.cos(((y - 18) / 19) * 2 * Math.PI);
    return (
      smoothStep(128 + 2 * wave, 140 + 2 * wave, out) * smoothStep(12, 44, y) * (1 + 0.35 * smoothStep(0, 0.9, wave))
    );
  });
  // Canal of the lower jaw, from the ramus to the mental foramen.
  laySide(40, 50, 102, high, (out, y) => {
    const centre = out > 84 ? 104.5 - (out - 84) * 2.6 : 119.5 - 0.0066 * Math.max(0, out - 36) ** 2;
    const away = Math.abs(y - centre) / (out > 84 ? 2.4 : 1);
    return (
      smoothStep(40, 44, out) *
      smoothStep(102, 96, out) *
      (0.45 * bell(away - 2.1, 0.5) - 0.65 * smoothStep(2, 1, away))
    );
  });
};

/** Nose, palate and the gap over the tongue, and the veil of spine and soft tissue. */
const paintMiddle = (field: Field, high: number, lift: number): void => {
  lay(field, [MIDDLE - 84, 0, MIDDLE + 84, 74], (x, y) => {
    const off = Math.abs(x - MIDDLE);
    const half = 7.5 + 0.13 * y - 0.004 * Math.max(0, y - 40) ** 2;
    const tall = smoothStep(55, 50, y) * smoothStep(2, 22, y);
    const nose = smoothStep(half + 1, half - 2, off) * tall;
    const wall = bell(off - half - 0.4, 1) * tall;
    const septum = bell(x - MIDDLE - 0.6 * Math.sin(y / 8), 1.2) * smoothStep(54, 48, y) * smoothStep(4, 24, y);
    const concha = bell(off - half + 4.5, 2.6) * bell(y - 43, 7);
    const palate = bell(y - 56 - lift + 0.0011 * off * off, 1.1) * smoothStep(84, 60, off);
    const ghost = bell(y - 50 - lift + 0.0016 * off * off, 2.2) * smoothStep(80, 40, off);
    const tongueGap = bell(y - 61.5 + 0.0012 * off * off, 2.4) * smoothStep(74, 40, off);
    return -1.25 * nose + 0.7 * wall + 1.1 * septum + 0.9 * concha + 1.2 * palate + 0.5 * ghost - 0.55 * tongueGap;
  });
  // The spine stands behind the front teeth and shows as a broad pale veil; the rest of the head fades to its edges.
  lay(field, [0, 0, WIDTH_MM, high], (x, y) => {
    const off = Math.abs(x - MIDDLE);
    const head = smoothStep(158, 104, Math.hypot(off * 0.95, Math.max(0, y - 80) * 1.3));
    return 0.9 * bell(off, 34) * smoothStep(26, 84, y) + 1.35 * head;
  });
};

/** Draws a panoramic image: 0 to 4095 or 65535, bright where dense, patient's right on the viewer's left. */
export const drawPanoramic = (recipe: PanoramicRecipe): Uint16Array => {
  const { columns, rows, bitsStored } = recipe;
  const high = (WIDTH_MM * rows) / columns;
  const random = randomFrom('panoramic', recipe.seed);
  const mouth = mouthOf(recipe.mouth, recipe.age);
  const field = fieldOf(WIDTH_MM, high, MM_PER_SAMPLE);
  const smile = random.between(0.001, 0.0015);
  const edge = (x: number) => 83 - smile * (x - MIDDLE) ** 2;
  const open = (x: number) => 1.3 + 1.4 * bell(x - MIDDLE, 30);
  const upper = standRow(
    {
      jaw: 'upper',
      centredOn: ['11', '21'],
      centreX: MIDDLE,
      widthMm: WIDTH_MM,
      scale: SCALE,
      edgeAt: (x) => edge(x) - open(x) / 2,
    },
    mouth,
  );
  const lower = standRow(
    {
      jaw: 'lower',
      centredOn: ['41', '31'],
      centreX: MIDDLE,
      widthMm: WIDTH_MM,
      scale: SCALE * 1.04,
      edgeAt: (x) => edge(x) + open(x) / 2,
    },
    mouth,
  );
  const top = paintRow(field, upper, mouth, 2.1);
  const bottom = paintRow(field, lower, mouth, 2.4);
  const rising = [...bottom.jaw.crest];
  const first = rising[0] ?? [MIDDLE - 70, 90];
  const last = rising[rising.length - 1] ?? [MIDDLE + 70, 90];
  // Behind the last tooth the bone rises along the front of the ramus.
  const crest: readonly Point[] = [[first[0] - 1.2, -60], ...rising, [last[0] + 1.2, -60]];
  paintBone(
    field,
    [
      { ...top.jaw, outline: regionOf(field, mirrored(MAXILLA, MIDDLE)).map((depth) => depth / MAXILLA_FADE) },
      { ...bottom.jaw, crest, outline: regionOf(field, mirrored(MANDIBLE, MIDDLE)), plate: 1.7 },
    ],
    [...top.lesions, ...bottom.lesions],
    random,
  );
  const lift = random.between(-1.5, 1.5);
  paintSide(field, -1, high, lift);
  paintSide(field, 1, high, lift + random.between(-1, 1));
  paintMiddle(field, high, lift);
  paintCheek(field, 0.9, random);
  soften(field);
  const maximum = bitsStored === 16 ? 65535 : 4095;
  const pixels = expose(field, { columns, rows, maximum, latitude: random.between(7, 8), noise: 0.008 }, random);
  burnIn(
    { pixels, columns, rows },
    DEMO_LABEL,
    { bottom: true, size: 4 },
    Math.round(maximum * 0.86),
    Math.round(maximum * 0.07),
  );
  burnIn({ pixels, columns, rows }, 'R', { size: 9 }, Math.round(maximum * 0.97), Math.round(maximum * 0.05));
  burnIn(
    { pixels, columns, rows },
    'L',
    { size: 9, right: true },
    Math.round(maximum * 0.97),
    Math.round(maximum * 0.05),
  );
  return pixels;
};
