import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from './seeded.ts';
import { expectProblem, shown, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(9);
});
afterAll(() => bench.close());

test('of two concurrent changes of one viewset one succeeds and the other gets a conflict', async () => {
  const { viewSetUuid: viewsetUid, version } = await bench.create('bitewings4');
  // Each image is used once: mounting one that is mounted there changes nothing, and both calls would succeed.
  for (let run = 0; run < 8; run += 1) {
    const [one, other] = [images[run] ?? '', images[run + 1] ?? ''];
    const based = version + run;
    const replies = await Promise.all([
      bench.mount({ viewsetUid, itemIndex: 0, imageUid: one, version: based }),
      bench.mount({ viewsetUid, itemIndex: 1, imageUid: other, version: based }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const now = await bench.get(viewsetUid);
    expect(now.version).toBe(based + 1);
    const won = replies[0]?.status === 200;
    expect(shown(now).slots[won ? 0 : 1]).toBe(won ? one : other);
  }
  await bench.send('DELETE', `/resource/viewset/delete/${viewsetUid}`);
});

test('moves in opposite directions do not deadlock', async () => {
  const left = (await bench.create('bitewings4')).viewSetUuid;
  const right = (await bench.create('bitewings4')).viewSetUuid;
  for (const itemIndex of [0, 1, 2, 3]) {
    await bench.mount({ viewsetUid: left, itemIndex, imageUid: images[itemIndex] ?? '' });
    await bench.mount({ viewsetUid: right, itemIndex, imageUid: images[itemIndex + 4] ?? '' });
  }
  const move = (from: string, to: string, itemIndex: number, imageUid: string) =>
    bench.move({ viewsetUidFrom: from, viewsetUidTo: to, itemIndexFrom: itemIndex, itemIndexTo: itemIndex, imageUid });
  const replies = await Promise.all(
    [0, 1, 2, 3].flatMap((index) => [
      move(left, right, index, images[index] ?? ''),
      move(right, left, index, images[index + 4] ?? ''),
    ]),
  );
  // The first of each pair swaps both; the second then finds another image in its slot.
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
  expect(shown(await bench.get(left)).slots).toEqual(images.slice(4, 8));
  expect(shown(await bench.get(right)).slots).toEqual(images.slice(0, 4));
  for (const id of [left, right]) await bench.send('DELETE', `/resource/viewset/delete/${id}`);
});

test('after any concurrent changes each image is mounted once or in the tray, and versions only grow', async () => {
  const id = (await bench.create('bitewings4')).viewSetUuid;
  const random = seeded(20_261_121);
  let last = 0;
  const anything = async (): Promise<number> => {
    const now = shown(await bench.get(id));
    const itemIndex = random.below(4);
    const mounted = now.slots[itemIndex];
    if (random.below(3) > 0 || !mounted)
      return (await bench.mount({ viewsetUid: id, itemIndex, imageUid: random.pick(images) ?? '' })).status;
    if (random.below(2) === 0) return (await bench.unmount({ viewsetUid: id, itemIndex, imageUid: mounted })).status;
    const to = { viewsetUidTo: id, itemIndexTo: random.below(4) };
    return (await bench.move({ viewsetUidFrom: id, itemIndexFrom: itemIndex, imageUid: mounted, ...to })).status;
  };
  for (let step = 0; step < 40; step += 1) {
    for (const status of await Promise.all([anything(), anything()])) expect([200, 409]).toContain(status);
    const viewset = await bench.get(id);
    const { slots, tray } = shown(viewset);
    const all = [...slots.filter((image) => image !== null), ...tray];
    expect(all.toSorted(), `step ${step}`).toEqual(images.toSorted());
    expect(viewset.version).toBeGreaterThanOrEqual(last);
    last = viewset.version;
  }
  expect(last).toBeGreaterThan(20);
  const elsewhere = { viewsetUid: id, itemIndex: 0, imageUid: images[0] ?? '' };
  await expectProblem(await bench.mount({ ...elsewhere, version: last - 1 }), 409, 'conflict');
});
