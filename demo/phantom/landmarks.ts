import type { StandingTooth } from './arch-layout.ts';
import { curveThrough, type Point, smoothStep, tableOf } from './curve.ts';
import type { Field } from './field.ts';
import { axesOf } from './paint-tooth.ts';
import type { Random } from './random.ts';
import { formOf } from './tooth-form.ts';

export const bell = (distance: number, width: number): number => {
  const share = distance / width;
  return share > 3 || share < -3 ? 0 : Math.exp(-share * share);
};

/** Adds `amount(x, y)` millimetres-of-dentine everywhere in a box given in millimetres. */
export const lay = (
  field: Field,
  box: readonly [left: number, top: number, right: number, bottom: number],
  amount: (x: number, y: number) => number,
): void => {
  const { width, height, mmPerSample, absorption } = field;
  const edge = (mm: number, limit: number) => Math.max(0, Math.min(limit, Math.round(mm / mmPerSample)));
  const [left, top, right, bottom] = [
    edge(box[0], width),
    edge(box[1], height),
    edge(box[2], width),
    edge(box[3], height),
  ];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const at = row * width + column;
      absorption[at] = Math.max(0, (absorption[at] ?? 0) + amount(column * mmPerSample, row * mmPerSample));
    }
  }
};

const apexOf = ({ tooth, placement }: StandingTooth): Point => {
  const { axisX, axisY, sideX } = axesOf(placement);
  const length = Math.max(...formOf(tooth).roots.map((root) => root.length)) * placement.scale;
  return [placement.x + axisX * length + sideX * placement.skew * length, placement.y + axisY * length];
};

const size = (field: Field): { wide: number; high: number } => ({
  wide: field.width * field.mmPerSample,
  high: field.height * field.mmPerSample,
});

/** Floor of the maxillary sinus over the molars, with the root of the cheek bone above it. */
const sinus = (field: Field, row: readonly StandingTooth[], random: Random): void => {
  const { wide, high } = size(field);
  const heights: Record<string, number> = { 4: -6, 5: -1.5, 6: 1.4, 7: 0.6, 8: -0.4 };
  const points = row
    .filter(({ tooth }) => Number(tooth.charAt(1)) >= 4)
    .map((standing): Point => {
      const [x, y] = apexOf(standing);
      return [x, y + (heights[standing.tooth.charAt(1)] ?? 0) + random.between(-0.8, 0.8)];
    })
    .sort((one, other) => one[0] - other[0]);
  if (points.length < 2) return;
  const front = row.find(({ tooth }) => tooth.endsWith('3'));
  const all =
    front === undefined ? points : [...points, [apexOf(front)[0], -6] as const].sort((one, other) => one[0] - other[0]);
  const floor = tableOf(curveThrough(all), 0, field.mmPerSample, field.width + 1);
  lay(field, [0, 0, wide, high * 0.62], (x, y) => {
    const below = y - (floor[Math.round(x / field.mmPerSample)] ?? 0);
    return below > 1 ? 0 : -1.25 * smoothStep(0.1, -0.5, below) + 0.95 * bell(below - 0.1, 0.22);
  });
  const molar = row.find(({ tooth }) => tooth.endsWith('6'));
  if (molar === undefined) return;
  const distal = molar.placement.right ? -1 : 1;
  const [x0] = apexOf(molar);
  const middle = x0 + distal * random.between(0.5, 2.5);
  const end = random.between(4, 6.5);
  lay(field, [middle - 9, 0, middle + 9, end + 2], (x, y) => {
    const off = (x - middle) / 6.2;
    const rim = end - y - 7 * off * off;
    return 1.6 * smoothStep(-0.3, 3.5, rim) + 1.5 * bell(rim - 0.4, 0.55);
  });
};

/** Canal of the lower jaw under the molars, ending in the mental foramen, and the oblique ridge. */
const mandibularCanal = (field: Field, row: readonly StandingTooth[], random: Random): void => {
  const { wide, high } = size(field);
  const back = row.filter(({ tooth }) => Number(tooth.charAt(1)) >= 5);
  if (back.length === 0) return;
  const drop: Record<string, number> = { 5: 2.6, 6: 4.6, 7: 3.4, 8: 1.4 };
  const points = back
    .map((standing): Point => {
      const [x, y] = apexOf(standing);
      return [x, y + (drop[standing.tooth.charAt(1)] ?? 3) + random.between(-0.4, 0.4)];
    })
    .sort((one, other) => one[0] - other[0]);
  const middle = tableOf(curveThrough(points), 0, field.mmPerSample, field.width + 1);
  const premolar = back.find(({ tooth }) => tooth.endsWith('5'));
  const right = back[0]?.placement.right ?? true;
  const foramen = premolar === undefined ? null : apexOf(premolar)[0] + (right ? 2 : -2);
  const half = random.between(1.2, 1.6);
  lay(field, [0, high * 0.45, wide, high], (x, y) => {
    const away = Math.abs(y - (middle[Math.round(x / field.mmPerSample)] ?? 0));
    const present = foramen === null ? 1 : smoothStep(-0.5, 1.5, right ? foramen - x : x - foramen);
    if (away > 3 || present === 0) return 0;
    return present * (0.55 * bell(away - half - 0.2, 0.25) - 0.85 * smoothStep(half, half - 0.7, away));
  });
  if (foramen !== null) {
    const y0 = middle[Math.round(foramen / field.mmPerSample)] ?? high;
    lay(
      field,
      [foramen - 3, y0 - 3, foramen + 3, y0 + 3],
      (x, y) => -1.3 * smoothStep(1.1, 0.4, Math.hypot((x - foramen) / 1.7, (y - y0) / 1.3)),
    );
  }
  const last = back.find(({ tooth }) => tooth.endsWith('7'));
  if (last === undefined) return;
  const distal = right ? -1 : 1;
  lay(field, [0, high * 0.1, wide, high], (x, y) => {
    const past = (x - last.placement.x) * distal;
    const line = last.placement.y + 5.5 - past * 0.45;
    return past < -9 ? 0 : 0.9 * smoothStep(-9, 2, past) * bell(y - line, 1.5);
  });
};

/** Nasal floor, spine, septum, suture and incisive foramen above the upper incisors. */
const nose = (field: Field, row: readonly StandingTooth[], random: Random): void => {
  const centrals = row.filter(({ tooth }) => tooth.endsWith('1'));
  if (centrals.length < 2) return;
  const { high } = size(field);
  const middle = centrals.reduce((sum, { placement }) => sum + placement.x, 0) / centrals.length;
  const neck = centrals[0]?.placement.y ?? high;
  const floor = neck - 19 - random.between(0, 2.5);
  lay(field, [0, 0, middle + 20, neck - 4], (x, y) => {
    const off = Math.abs(x - middle);
    const edge = floor + 2.2 - 0.035 * (off - 7) ** 2 + 0.9 * bell(off, 2.2);
    const below = y - edge;
    const cavity = below > 1 ? 0 : -1.7 * smoothStep(0.2, -0.7, below) + 0.9 * bell(below - 0.1, 0.3);
    const septum = 1.7 * bell(off, 0.9) * smoothStep(1.5, -1, below);
    const spine =
      1.5 *
      smoothStep(2.6 * (1 - (y - floor) / 4.5), 0, off) *
      smoothStep(4.5, 1, y - floor) *
      smoothStep(-1, 0.5, y - floor);
    const suture = y < floor + 3 ? 0 : -0.55 * bell(off, 0.16) + 0.28 * bell(off - 0.4, 0.18);
    const foramen = -0.9 * smoothStep(1.15, 0.3, Math.hypot(off / 1.5, (y - neck + 8.5) / 3));
    return cavity + septum + spine + suture + foramen;
  });
  // Soft tissue of the nose over the upper part, and of the lip over the crowns.
  lay(
    field,
    [0, 0, middle + 30, high],
    (x, y) =>
      0.7 * smoothStep(1.06, 0.9, Math.hypot((x - middle) / 11.5, (y - floor + 5) / 13)) +
      0.35 * smoothStep(neck + 4.6, neck + 3.8, y + 0.01 * (x - middle) ** 2),
  );
};

/** Genial tubercles with the lingual foramen, and the mental ridges, below the lower incisors. */
const chin = (field: Field, row: readonly StandingTooth[], random: Random): void => {
  const centrals = row.filter(({ tooth }) => tooth.endsWith('1'));
  if (centrals.length < 2) return;
  const { wide, high } = size(field);
  const middle = centrals.reduce((sum, { placement }) => sum + placement.x, 0) / centrals.length;
  const neck = centrals[0]?.placement.y ?? 0;
  const level = neck + 20 + random.between(-0.5, 1);
  lay(field, [0, neck + 8, wide, high], (x, y) => {
    const off = Math.abs(x - middle);
    const ring = Math.hypot(x - middle, y - level);
    const ridge = level - 3.4 + off * 0.42;
    return (
      1.1 * bell(ring - 0.85, 0.45) - 1.1 * bell(ring, 0.35) + 0.9 * bell(y - ridge, 1.2) * smoothStep(1.5, 4, off)
    );
  });
};

/** The anatomy around the teeth that a periapical image of the region shows. */
export const paintLandmarks = (
  field: Field,
  row: readonly StandingTooth[],
  centred: readonly string[],
  random: Random,
): void => {
  const upper = row[0]?.placement.upper ?? true;
  const posterior = centred.some((tooth) => Number(tooth.charAt(1)) >= 4);
  if (posterior) (upper ? sinus : mandibularCanal)(field, row, random);
  else (upper ? nose : chin)(field, row, random);
};
