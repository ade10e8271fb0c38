import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from './seeded.ts';
import { refusedWith, shown, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(9);
});
afterAll(() => bench.close());

test('of two who change one viewset at once, one wins and the other is told', async () => {
  const { viewSetUuid: viewsetUid, version } = await bench.create('bitewings4');
  // Each image has its turn once: one that hangs there already changes nothing, and both would be content.
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = [images[round] ?? '', images[round + 1] ?? ''];
    const based = version + round;
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

test('moves in opposite directions wait for each other and never for ever', async () => {
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

test('whatever is done by two people at once, each image hangs once or lies in the tray, and versions only grow', async () => {
  const id = (await bench.create('bitewings4')).viewSetUuid;
  const random = seeded(20_261_121);
  let last = 0;
  const anything = async (): Promise<number> => {
    const now = shown(await bench.get(id));
    const itemIndex = random.below(4);
    const hung = now.slots[itemIndex];
    if (random.below(3) > 0 || !hung)
      return (await bench.mount({ viewsetUid: id, itemIndex, imageUid: random.pick(images) ?? '' })).status;
    if (random.below(2) === 0) return (await bench.unmount({ viewsetUid: id, itemIndex, imageUid: hung })).status;
    const to = { viewsetUidTo: id, itemIndexTo: random.below(4) };
    return (await bench.move({ viewsetUidFrom: id, itemIndexFrom: itemIndex, imageUid: hung, ...to })).status;
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
  await refusedWith(await bench.mount({ ...elsewhere, version: last - 1 }), 409, 'conflict');
});
