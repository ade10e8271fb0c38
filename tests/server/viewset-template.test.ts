import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { allTeeth } from '../../contract/teeth.ts';
import { defaultTemplateId, type Template, template as templateOnTheWire } from '../../contract/viewsets.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { standardTemplates } from '../../server/domain/standard-templates.ts';
import { expectProblem, nowhere, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
beforeAll(async () => {
  bench = await viewsetBench();
});
afterAll(() => bench.close());

const list = async (as?: string, query = ''): Promise<Template[]> =>
  (await bench.call(`/resource/ViewSetTemplate/${query}`, as === undefined ? {} : { as })).json();
const create = (body: object, as?: string) => bench.send('POST', '/resource/ViewSetTemplate/', body, as);
const favour = (uuid: string, isFavorite: boolean, as?: string) =>
  bench.send('PUT', '/resource/ViewSetTemplate/favorite', { uuid, isFavorite }, as);
const names = (templates: readonly Template[]) => templates.map(({ name }) => name);
const square = { xPos: 0, yPos: 0, width: 10, height: 10 };

describe('the standard templates', () => {
  it('are created once, however often and by however many nodes', async () => {
    await Promise.all([1, 2, 3, 4].map(() => ensureStandardTemplates(bench.db)));
    const templates = await list();
    expect(templates.length).toBe(standardTemplates.length);
    expect(new Set(templates.map(({ uuid }) => uuid)).size).toBe(templates.length);
    for (const one of templates) expect(templateOnTheWire.parse(one)).toEqual(one);
    expect(templates.find(({ uuid }) => uuid === defaultTemplateId)?.viewSetItems.length).toBe(1);
  });

  it('are reset to the definition of this version', async () => {
    await bench.db.updateTable('template').set({ name: 'Broken', items: '[]' }).execute();
    await ensureStandardTemplates(bench.db);
    expect(names(await list())).not.toContain('Broken');
  });

  it.each(standardTemplates.map((one) => [one.name, one] as const))(
    '%s: slots in capture order, inside, apart, of the size that the template says, with teeth of ISO 3950',
    (_, { width, height, viewSetItems }) => {
      expect(viewSetItems.map(({ order, itemIndex }) => [order, itemIndex])).toEqual(
        viewSetItems.map((_slot, index) => [index + 1, index]),
      );
      expect(Math.max(...viewSetItems.map((slot) => slot.xPos + slot.width))).toBe(width);
      expect(Math.max(...viewSetItems.map((slot) => slot.yPos + slot.height))).toBe(height);
      viewSetItems.forEach((slot, index) => {
        expect(slot.xPos >= 0 && slot.yPos >= 0).toBe(true);
        for (const tooth of slot.teeth) expect(allTeeth).toContain(tooth);
        const overlapping = viewSetItems
          .slice(index + 1)
          .filter(
            (other) =>
              slot.xPos < other.xPos + other.width &&
              other.xPos < slot.xPos + slot.width &&
              slot.yPos < other.yPos + other.height &&
              other.yPos < slot.yPos + slot.height,
          );
        expect(overlapping).toEqual([]);
      });
    },
  );

  const named = (name: string) => standardTemplates.find((one) => one.name === name);

  it('FMX 18 is the full mouth series of Open Dental: bitewings, posteriors, anteriors, each tooth on its side', () => {
    const fmx = named('FMX 18');
    expect(fmx?.viewSetItems.map(({ teeth, xPos, yPos }) => [teeth, xPos, yPos])).toEqual([
      [[17, 16, 47, 46], 0, 1300],
      [[15, 14, 45, 44], 1700, 1300],
      [[26, 27, 36, 37], 9000, 1300],
      [[24, 25, 34, 35], 7300, 1300],
      [[17, 16], 0, 0],
      [[15, 14], 1700, 0],
      [[36, 37], 9000, 2600],
      [[34, 35], 7300, 2600],
      [[47, 46], 0, 2600],
      [[45, 44], 1700, 2600],
      [[26, 27], 9000, 0],
      [[24, 25], 7300, 0],
      [[13, 12], 3400, 0],
      [[11, 21], 4700, 0],
      [[22, 23], 6000, 0],
      [[43, 42], 3400, 2200],
      [[41, 31], 4700, 2200],
      [[32, 33], 6000, 2200],
    ]);
  });

  it.each(['FMX 18', 'FMX 14', 'Bitewing 4', 'Bitewing 2', 'Barn 8'])(
    '%s has the patient’s right on the viewer’s left, and the upper jaw above the lower',
    (name) => {
      const template = named(name);
      const middle = (template?.width ?? 0) / 2;
      const heightOf = (jaw: readonly number[]) =>
        template?.viewSetItems.flatMap(({ teeth, yPos }) =>
          teeth.length > 0 && teeth.every((tooth) => jaw.includes(Math.floor(tooth / 10))) ? [yPos] : [],
        ) ?? [];
      for (const { teeth, xPos, width } of template?.viewSetItems ?? []) {
        const quadrants = new Set(teeth.map((tooth) => Math.floor(tooth / 10)));
        const isRight = [...quadrants].every((digit) => [1, 4, 5, 8].includes(digit));
        const isLeft = [...quadrants].every((digit) => [2, 3, 6, 7].includes(digit));
        if (isRight) expect(xPos + width / 2).toBeLessThan(middle);
        else if (isLeft) expect(xPos + width / 2).toBeGreaterThan(middle);
        else expect(xPos + width / 2).toBe(middle);
      }
      expect(Math.max(...heightOf([1, 2, 5, 6]))).toBeLessThan(Math.min(...heightOf([3, 4, 7, 8])));
    },
  );

  it('Barn 8 covers all twenty deciduous teeth', () => {
    const teeth = new Set(named('Barn 8')?.viewSetItems.flatMap((slot) => slot.teeth));
    expect([...teeth].toSorted()).toEqual(allTeeth.filter((tooth) => tooth > 50));
  });

  it('do not rotate images: imported files are upright', () => {
    const rotated = standardTemplates.flatMap(({ viewSetItems }) =>
      viewSetItems.map(({ rotation, horizontalFlip }) => rotation !== 0 || horizontalFlip),
    );
    expect(rotated).not.toContain(true);
  });
});

test('favourites are personal, and come first', async () => {
  const before = await list();
  const { otherDoctorId, superId } = bench.clinics;
  const favourites = (templates: readonly Template[]) => names(templates.filter(({ isFavorite }) => isFavorite));
  expect(favourites(before)).toEqual(['Bitewing 4', 'FMX 18', 'Panorama']);
  const plain = before.find(({ isFavorite }) => !isFavorite);
  const [liked] = before;
  expect(await (await favour(plain?.uuid ?? '', true)).json()).toEqual({ ...plain, isFavorite: true });
  await favour(liked?.uuid ?? '', false);
  const after = await list();
  expect(favourites(after)).toEqual(
    [...favourites(before).filter((name) => name !== liked?.name), plain?.name].toSorted(),
  );
  expect(names(after).slice(0, 3)).toEqual(favourites(after));
  for (const as of [otherDoctorId, superId]) expect(await list(as)).toEqual(before);
  const one = await bench.call(`/resource/ViewSetTemplate/${plain?.uuid}`);
  expect(await one.json()).toMatchObject({ name: plain?.name, isFavorite: true });
  await favour(plain?.uuid ?? '', false);
  await favour(liked?.uuid ?? '', true);
  expect(await list()).toEqual(before);
  await expectProblem(await favour(nowhere, true), 404, 'not-found');
});

test('a clinic’s own template is visible to that clinic only, and created with the right to do so', async () => {
  const { customerId, otherCustomerId, otherDoctorId, superId, doctorId } = bench.clinics;
  const body = { customerId, name: 'Egen', viewSetItems: [square, { ...square, xPos: 30, rotation: 90, teeth: [38] }] };
  // Doctors hold `disable.new_template`.
  await expectProblem(await create(body), 403, 'no-right');
  const principal = bench.principals.get(doctorId);
  if (principal) bench.principals.set(doctorId, { ...principal, permissions: [] });
  await expectProblem(await create({ ...body, customerId: otherCustomerId }), 404, 'not-found');
  await expectProblem(await create({ ...body, customerId: nowhere }, superId), 404, 'not-found');
  await expectProblem(await create({ ...body, viewSetItems: [] }), 400, 'invalid-request');
  const made = await (await create(body)).json();
  expect(made).toMatchObject({ name: 'Egen', modality: 'IO', width: 40, height: 10, isFavorite: false });
  expect(made.viewSetItems).toMatchObject([
    { itemIndex: 0, order: 1, rotation: 0, teeth: [] },
    { itemIndex: 1, order: 2, xPos: 30, rotation: 90, teeth: [38] },
  ]);
  const path = `/resource/ViewSetTemplate/${made.uuid}`;
  expect(names(await list())).toContain('Egen');
  expect(names(await list(otherDoctorId))).not.toContain('Egen');
  await expectProblem(await bench.call(path, { as: otherDoctorId }), 404, 'not-found');
  await expectProblem(await favour(made.uuid, true, otherDoctorId), 404, 'not-found');
  // A super administrator belongs to no clinic, and names the target clinic.
  expect(names(await list(superId))).not.toContain('Egen');
  expect(names(await list(superId, `?customerId=${customerId}`))).toContain('Egen');
  const target = `/resource/ViewSetTemplate/?customerId=${customerId}`;
  await expectProblem(await bench.call(target, { as: otherDoctorId }), 404, 'not-found');
});
