import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Annotation } from '../../contract/displays.ts';
import type { ImageInfo } from '../../contract/images.ts';
import { expectProblem, type ViewsetBench, viewsetBench } from './viewset-bench.ts';

let bench: ViewsetBench;
let images: string[];
let doctor: string;
let assistant: string;

const idsOf = async () => {
  const rows = await bench.db.selectFrom('account').select(['id', 'first_name', 'last_name']).execute();
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
};

beforeAll(async () => {
  bench = await viewsetBench();
  images = await bench.addImages(9);
  doctor = bench.clinics.doctorId;
  assistant = bench.clinics.adminId;
});
afterAll(() => bench.close());

const save = (body: object, as?: string) => bench.send('PUT', '/resource/image/marks', body, as);
const infoOf = async (imageUid: string): Promise<ImageInfo> => {
  const { data } = await (await bench.call(`/resource/study/bypatient/${bench.patientId}`)).json();
  return data[0].series[0].images.find(({ uid }: { uid: string }) => uid === imageUid);
};
const bodyOf = (imageUid: string, changes: object = {}) => ({
  imageUid,
  marks: [] as object[],
  calibration: null,
  version: 0,
  ...changes,
});

const arrow = (): Annotation => ({
  id: randomUUID(),
  kind: 'arrow',
  frame: 1,
  points: [
    [1, 2],
    [3, 4],
  ],
});
const text = (content: string): Annotation => ({
  id: randomUUID(),
  kind: 'text',
  frame: 1,
  points: [[1, 2]],
  text: content,
});
const length = () => ({
  id: randomUUID(),
  kind: 'length',
  frame: 1,
  points: [
    [1.5, 2],
    [3, 4.25],
  ],
});
const many = (count: number) => Array.from({ length: count }, (_, index): [number, number] => [index, index / 2]);

test('every kind is saved and read as it was sent', async () => {
  const [imageUid = ''] = images;
  const place = () => ({ id: randomUUID(), frame: 1 });
  const annotations: Annotation[] = [
    arrow(),
    text('Kanal <b>2</b>\nmesiobuckalt'),
    {
      ...place(),
      kind: 'rectangle',
      points: [
        [0, 0],
        [5, 7],
      ],
    },
    {
      ...place(),
      kind: 'ellipse',
      points: [
        [0, 0],
        [5, 7],
      ],
    },
    { ...place(), kind: 'freehand', points: many(500) },
    { ...place(), kind: 'polyline', points: many(4) },
    { ...place(), kind: 'area', points: many(3) },
    {
      ...place(),
      kind: 'lineAngle',
      points: [
        [0, 0],
        [5, 7],
        [1, 2],
        [3, 4],
      ],
    },
    {
      ...place(),
      kind: 'ratio',
      points: [
        [0, 0],
        [5, 7],
        [1, 2],
      ],
    },
    {
      ...place(),
      kind: 'profile',
      points: [
        [0, 0],
        [5, 7],
      ],
    },
  ];
  const reply = await save(bodyOf(imageUid, { annotations }));
  expect(await reply.json()).toEqual({ marksVersion: 1 });
  expect(await infoOf(imageUid)).toMatchObject({ marks: [], annotations, marksVersion: 1 });
});

test('the server sets author and time; unchanged marks keep theirs, changed ones get those of the user', async () => {
  const [, imageUid = ''] = images;
  const names = await idsOf();
  const [first, second, measured] = [arrow(), text('caries?'), length()];
  const before = new Date().toISOString();
  await save(bodyOf(imageUid, { marks: [measured], annotations: [first, second] }), doctor);
  const one = await infoOf(imageUid);
  expect(new Set(one.markAuthors?.map(({ markId }) => markId))).toEqual(new Set([measured.id, first.id, second.id]));
  for (const { accountId, name, at } of one.markAuthors ?? []) {
    expect([accountId, name]).toEqual([doctor, names.get(doctor)]);
    expect(at >= before && at <= new Date().toISOString()).toBe(true);
  }
  const changed = { ...second, text: 'no caries' };
  await save(bodyOf(imageUid, { marks: [measured], annotations: [changed], version: 1 }), assistant);
  const two = await infoOf(imageUid);
  expect(two.annotations).toEqual([first, changed]);
  const authorOf = (info: ImageInfo, id: string) => info.markAuthors?.find(({ markId }) => markId === id);
  expect(authorOf(two, first.id)).toEqual(authorOf(one, first.id));
  expect(authorOf(two, measured.id)).toEqual(authorOf(one, measured.id));
  expect(authorOf(two, second.id)).toMatchObject({ accountId: assistant, name: names.get(assistant) });
  const moved = {
    ...measured,
    points: [
      [0, 0],
      [3, 4.25],
    ],
  };
  await save(bodyOf(imageUid, { marks: [moved], version: 2 }), assistant);
  const three = await infoOf(imageUid);
  expect(authorOf(three, measured.id)).toMatchObject({ accountId: assistant });
  expect(authorOf(three, first.id)).toEqual(authorOf(one, first.id));
  await save(bodyOf(imageUid, { deletedAnnotations: [first.id], version: 3 }), doctor);
  expect((await infoOf(imageUid)).markAuthors?.map(({ markId }) => markId)).toEqual([second.id]);
});

test('a client cannot set author or time', async () => {
  const [, , imageUid = ''] = images;
  const forged = { accountId: assistant, name: 'Somebody Else', at: '2020-01-01T00:00:00.000Z' };
  for (const body of [
    bodyOf(imageUid, { annotations: [{ ...arrow(), ...forged }] }),
    bodyOf(imageUid, { marks: [{ ...length(), author: forged }] }),
    bodyOf(imageUid, { markAuthors: [{ markId: randomUUID(), ...forged }] }),
  ])
    await expectProblem(await save(body), 400, 'invalid-request');
  expect(await infoOf(imageUid)).toMatchObject({ marks: [], annotations: [], markAuthors: [], marksVersion: 0 });
});

test('a page that does not know annotations keeps them', async () => {
  const [, , , imageUid = ''] = images;
  const [one, two] = [arrow(), arrow()];
  await save(bodyOf(imageUid, { annotations: [one, two] }));
  await save(bodyOf(imageUid, { marks: [length()], version: 1 }));
  expect((await infoOf(imageUid)).annotations).toEqual([one, two]);
  await save(bodyOf(imageUid, { deletedAnnotations: [one.id], version: 2 }));
  expect((await infoOf(imageUid)).annotations).toEqual([two]);
});

test('annotations of a later version stay, and are read as they are', async () => {
  const [, , , , imageUid = ''] = images;
  const later = { id: randomUUID(), kind: 'spiral', frame: 1, turns: 3 };
  const annotations = JSON.stringify([later]);
  await bench.db.updateTable('image').set({ annotations }).where('id', '=', imageUid).execute();
  const own = arrow();
  expect((await save(bodyOf(imageUid, { annotations: [own] }))).status).toBe(200);
  expect((await infoOf(imageUid)).annotations).toEqual([later, own]);
});

test('measurements saved by an older server have no author, annotations keep theirs', async () => {
  const [, , , , , imageUid = ''] = images;
  const [measured, own] = [length(), arrow()];
  await save(bodyOf(imageUid, { marks: [measured], annotations: [own] }));
  // As an older server saves: it knows neither annotations nor authors.
  const marks = JSON.stringify([
    {
      ...measured,
      points: [
        [9, 9],
        [3, 4],
      ],
    },
  ]);
  await bench.db.updateTable('image').set({ marks, marks_version: 2 }).where('id', '=', imageUid).execute();
  const info = await infoOf(imageUid);
  expect(info.annotations).toEqual([own]);
  expect(info.markAuthors?.map(({ markId }) => markId)).toEqual([own.id]);
  await save(bodyOf(imageUid, { marks: info.marks, version: 2 }), assistant);
  expect((await infoOf(imageUid)).markAuthors?.map(({ markId }) => markId)).toEqual([own.id]);
});

test('of two users who start from one version the second gets a conflict; a repeated save succeeds', async () => {
  const [, , , , , , imageUid = ''] = images;
  const [one, two] = [arrow(), arrow()];
  const body = bodyOf(imageUid, { annotations: [one] });
  for (const _ of ['sent', 'sent again']) expect(await (await save(body, doctor)).json()).toEqual({ marksVersion: 1 });
  await expectProblem(await save(bodyOf(imageUid, { annotations: [two] }), assistant), 409, 'conflict');
  await expectProblem(await save(bodyOf(imageUid, { deletedAnnotations: [one.id] }), assistant), 409, 'conflict');
  expect((await infoOf(imageUid)).annotations).toEqual([one]);
});

test('bounds of annotations are checked, and an error does not repeat their text', async () => {
  const [, , , , , , , imageUid = ''] = images;
  const wrong = [
    text(''),
    text('   '),
    text('x'.repeat(201)),
    text('nul \u0000'),
    { ...arrow(), points: [[1, 2]] },
    { ...arrow(), kind: 'area' },
    { ...arrow(), kind: 'lineAngle', points: many(3) },
    { ...arrow(), kind: 'ratio', points: many(4) },
    { ...arrow(), kind: 'profile', points: many(3) },
    { ...arrow(), kind: 'freehand', points: many(501) },
    { ...arrow(), kind: 'spiral' },
    { ...arrow(), frame: 2 },
    { ...arrow(), text: 'Kalle Testsson' },
  ];
  for (const annotation of wrong) {
    const reply = await save(bodyOf(imageUid, { annotations: [annotation] }));
    expect(reply.status, JSON.stringify(annotation).slice(0, 80)).toBe(400);
    expect(await reply.text()).not.toContain('Kalle');
  }
  const twice = arrow();
  await expectProblem(await save(bodyOf(imageUid, { annotations: [twice, twice] })), 400, 'invalid-request');
  const full = { marks: Array.from({ length: 150 }, length), annotations: Array.from({ length: 51 }, arrow) };
  await expectProblem(await save(bodyOf(imageUid, full)), 400, 'invalid-request');
  expect((await save(bodyOf(imageUid, { ...full, annotations: full.annotations.slice(1) }))).status).toBe(200);
});

test('users of other clinics can neither read nor save annotations', async () => {
  const [, , , , , , , , imageUid = ''] = images;
  const { otherDoctorId } = bench.clinics;
  await save(bodyOf(imageUid, { annotations: [text('secret')] }));
  const other = await save(bodyOf(imageUid, { annotations: [arrow()], version: 1 }), otherDoctorId);
  await expectProblem(other, 404, 'not-found');
  const listed = await bench.call(`/resource/study/bypatient/${bench.patientId}`, { as: otherDoctorId });
  expect(await listed.text()).not.toContain('secret');
  expect((await infoOf(imageUid)).annotations).toHaveLength(1);
});
