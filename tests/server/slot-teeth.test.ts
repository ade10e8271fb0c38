import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Study } from '../../contract/studies.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;

beforeAll(async () => {
  bench = await viewsetBench();
});
afterAll(() => bench.close());

const teethInList = async (imageUid: string): Promise<readonly number[] | undefined> => {
  const { data }: { data: Study[] } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json();
  const images = data.flatMap(({ series }) => series).flatMap((one) => one.images);
  return images.find(({ uid }) => uid === imageUid)?.slotTeeth;
};

const teethOf = (viewset: Viewset, at: number) =>
  viewset.viewSetItems.find(({ itemIndex }) => itemIndex === at)?.teeth ?? [];

test('the list of studies names the teeth of the slots of an image, of all mounts that are not deleted', async () => {
  const [imageUid = ''] = await bench.addImages(1);
  expect(await teethInList(imageUid)).toEqual([]);

  const bitewings = await bench.create('bitewings4');
  await bench.mount({ viewsetUid: bitewings.viewSetUuid, itemIndex: 0, imageUid });
  const ofBitewing = teethOf(bitewings, 0).toSorted();
  expect(ofBitewing.length).toBeGreaterThan(0);
  expect(await teethInList(imageUid)).toEqual(ofBitewing);

  const other = await bench.create('bitewings4');
  await bench.mount({ viewsetUid: other.viewSetUuid, itemIndex: 3, imageUid });
  const both = [...new Set([...ofBitewing, ...teethOf(other, 3)])].toSorted();
  expect(both.length).toBeGreaterThan(ofBitewing.length);
  expect(await teethInList(imageUid)).toEqual(both);

  await bench.send('DELETE', `/resource/viewset/delete/${other.viewSetUuid}`);
  expect(await teethInList(imageUid)).toEqual(ofBitewing);
  await bench.unmount({ viewsetUid: bitewings.viewSetUuid, itemIndex: 0, imageUid });
  expect(await teethInList(imageUid)).toEqual([]);
});
