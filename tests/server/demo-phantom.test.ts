import { afterAll, describe, expect, it } from 'vitest';
import { createDrawPool } from '../../demo/draw-pool.ts';
import { fixtureRecipe } from '../../demo/fixtures.ts';
import { distanceFrom } from '../../demo/phantom/distance.ts';
import { drawIntraOral } from '../../demo/phantom/intra-oral.ts';
import { drawRadiograph } from '../../demo/radiograph.ts';
import type { IntraOralRecipe, Recipe, ToothNumber } from '../../demo/recipe.ts';

const shot = (
  view: IntraOralRecipe['view'],
  teeth: readonly ToothNumber[],
  more: Partial<IntraOralRecipe> = {},
): IntraOralRecipe => ({
  kind: 'intra-oral',
  view,
  teeth,
  receptor: 'sensor',
  photometric: 'MONOCHROME2',
  seed: 5,
  mouth: 20,
  age: 22,
  columns: 654,
  rows: 500,
  packing: 'explicit-le',
  ...more,
});

/** Mean grey of a band of rows as a fraction of the full scale, without the label's corner. */
const band = (pixels: Uint16Array, from: number, to: number): number => {
  let sum = 0;
  let count = 0;
  for (let row = Math.floor(from * 500); row < to * 500; row++) {
    for (let column = 300; column < 654; column++) {
      sum += pixels[row * 654 + column] ?? 0;
      count++;
    }
  }
  return sum / count / 4095;
};

describe('an intra-oral phantom', () => {
  it('of the upper jaw has air below the crowns, of the lower jaw above them', () => {
    const upper = drawIntraOral(shot('periapical', ['26', '27']));
    const lower = drawIntraOral(shot('periapical', ['36', '37']));
    expect(band(upper, 0.97, 1)).toBeLessThan(0.15);
    expect(band(upper, 0, 0.1)).toBeGreaterThan(0.25);
    expect(band(lower, 0, 0.03)).toBeLessThan(0.15);
    expect(band(lower, 0.9, 1)).toBeGreaterThan(0.25);
  });

  it('shows enamel brighter than root, and root brighter than the adjacent bone', () => {
    const pixels = drawIntraOral(shot('periapical', ['36', '37'], { mouth: 23, age: 17 }));
    const ranked = (row: number) => [...pixels.subarray(row * 654, row * 654 + 654)].sort((one, other) => one - other);
    const [crown, root, bone] = [ranked(90)[600] ?? 0, ranked(300)[600] ?? 0, ranked(300)[60] ?? 0];
    expect(crown).toBeGreaterThan(root * 1.15);
    expect(root).toBeGreaterThan(bone * 1.25);
  });

  it('differs between sides and between mouths', () => {
    const of = (more: Partial<IntraOralRecipe>, teeth: readonly ToothNumber[] = ['36', '37']) =>
      drawIntraOral(shot('periapical', teeth, more));
    const same = (one: Uint16Array, other: Uint16Array) => one.every((value, at) => value === other[at]);
    expect(same(of({}), of({}))).toBe(true);
    expect(same(of({}), of({ mouth: 21 }))).toBe(false);
    expect(same(of({}), of({}, ['46', '47']))).toBe(false);
  });

  it('with a cone cut is clear, so bright, outside the beam', () => {
    const share = (pixels: Uint16Array) => pixels.filter((value) => value > 3900).length / pixels.length;
    const recipe = shot('periapical', ['36', '37']);
    expect(share(drawIntraOral({ ...recipe, coneCut: true })) - share(drawIntraOral(recipe))).toBeGreaterThan(0.03);
  });

  it('has a burnt-in label', () => {
    const pixels = drawIntraOral(shot('periapical', ['26', '27']));
    const corner = Array.from({ length: 24 }, (_, row) => [...pixels.subarray(row * 654, row * 654 + 260)]).flat();
    expect(corner.filter((value) => value === 3500).length).toBeGreaterThan(600);
  });
});

it('distanceFrom measures to the nearest set sample', () => {
  const [width, height] = [31, 23];
  const mask = new Uint8Array(width * height);
  const seeds = [
    [3, 4],
    [20, 19],
    [30, 0],
  ] as const;
  for (const [x, y] of seeds) mask[y * width + x] = 1;
  distanceFrom(mask, width, height).forEach((distance, at) => {
    const nearest = Math.min(...seeds.map(([x, y]) => Math.hypot((at % width) - x, Math.floor(at / width) - y)));
    expect(distance).toBeCloseTo(nearest, 4);
  });
});

describe('the draw pool', () => {
  const pool = createDrawPool(2);
  afterAll(() => pool.close());
  const identity = {
    patient: { patientId: 'P', firstName: 'Å', lastName: 'Ö', birthDate: '1990-01-01', sex: 'F' as const },
    institutionName: 'K',
    study: { uid: '2.25.1', description: 's', accessionNumber: 'a', startedAt: '2026-01-02T10:00:00' },
    series: { uid: '2.25.2', number: 1, description: 'd' },
    image: { sopInstanceUid: '2.25.3', number: 1, acquiredAt: '2026-01-02T10:00:00', comment: '', teeth: [] },
  };

  it('draws the same bytes as a single thread, several at a time', async () => {
    const recipes: readonly Recipe[] = [
      fixtureRecipe('io-12bit'),
      fixtureRecipe('ct-signed-j2k'),
      fixtureRecipe('io-rle'),
    ];
    const pooled = await Promise.all(recipes.map((recipe) => pool.drawImage(recipe, identity)));
    for (const [index, recipe] of recipes.entries()) {
      expect(Buffer.compare(pooled[index] ?? new Uint8Array(), await drawRadiograph(recipe, identity))).toBe(0);
    }
  });

  it('rejects what cannot be drawn and continues with the next', async () => {
    const impossible: Recipe = { ...fixtureRecipe('io-12bit'), packing: 'jpeg-baseline' };
    await expect(pool.drawImage(impossible, identity)).rejects.toThrow('Baseline JPEG');
    expect((await pool.drawImage(fixtureRecipe('io-12bit'), identity)).length).toBeGreaterThan(100_000);
  });

  it('rejects work after it is closed', async () => {
    const closed = createDrawPool(1);
    await closed.close();
    await expect(closed.drawImage(fixtureRecipe('io-12bit'), identity)).rejects.toThrow('closed');
  });
});
