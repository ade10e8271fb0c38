import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Viewset } from '../../contract/viewsets.ts';
import { pdfPages } from './pdf-text.ts';
import { printedPicture, printForm, printRequestOf, tinyPng } from './print-request.ts';
import { expectProblem, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let viewset: Viewset;
let images: string[];

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(4);
  const created = await bench.create('bitewings4');
  for (const [itemIndex, imageUid] of images.entries())
    await bench.mount({ viewsetUid: created.viewSetUuid, imageUid, itemIndex });
  viewset = await bench.get(created.viewSetUuid);
});
afterAll(() => bench.close());

const printed = (changes: object = {}) => {
  const pictures = viewset.viewSetItems.flatMap(({ activeImage }) =>
    activeImage ? [printedPicture(activeImage.uid, { viewsetId: viewset.viewSetUuid })] : [],
  );
  const { viewSetUuid: id, version } = viewset;
  const request = printRequestOf(pictures, { viewset: { id, version }, ...changes });
  const body = printForm(
    request,
    pictures.map(() => tinyPng),
  );
  return bench.call('/resource/image/print', { method: 'POST', body });
};

it('prints a mount with its name, the teeth of its slots and the sides of the patient', async () => {
  const reply = await printed();
  expect(reply.status).toBe(200);
  const pdf = Buffer.from(await reply.arrayBuffer());
  const [page, ...others] = pdfPages(pdf);
  expect(others).toEqual([]);
  expect(page).toContain(viewset.name);
  const slots = viewset.viewSetItems.map(({ teeth }) => teeth.join(' '));
  expect(page?.filter((line) => /^\d\d( \d\d)+$/.test(line))).toEqual(slots);
  expect(page?.filter((line) => line === 'H' || line === 'V')).toEqual(['H', 'V']);
});

it('is rejected when another user changed the mount, or an image has left it', async () => {
  const { viewSetUuid: id, version } = viewset;
  await expectProblem(await printed({ viewset: { id, version: version - 1 } }), 409, 'conflict');
  const [away = ''] = await bench.addImages(1);
  const alone = printRequestOf([printedPicture(away, { viewsetId: id })]);
  const body = printForm(alone);
  await expectProblem(await bench.call('/resource/image/print', { method: 'POST', body }), 409, 'conflict');
});

it('names the teeth of the slot for an image alone', async () => {
  const [first] = viewset.viewSetItems;
  const imageUid = first?.activeImage?.uid ?? '';
  const request = printRequestOf([printedPicture(imageUid, { viewsetId: viewset.viewSetUuid })], {
    notation: 'universal',
  });
  const reply = await bench.call('/resource/image/print', { method: 'POST', body: printForm(request) });
  const text = pdfPages(Buffer.from(await reply.arrayBuffer()))
    .flat()
    .join('\n');
  expect(first?.teeth.length).toBeGreaterThan(0);
  expect(text).toMatch(/Tänder \d+( \d+)*/);
  expect(text).not.toContain(`Tänder ${first?.teeth.join(' ')}`);
});
