import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { moveCalls, studyFiles } from './move-calls.ts';
import { imagesOf, patientRecords } from './patient-records.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let from: string;
let to: string;
const { newPatient, studiesOf, onlyStudyOf } = patientRecords(() => archive);
const { newUid, files } = studyFiles();
const { importAll, preview, move, back, newViewset, mount, mounted, entriesOf, galleryOf } = moveCalls(() => ({
  archive,
  from,
  to,
}));

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  from = await newPatient();
  to = await newPatient({ firstName: 'Nils', lastName: 'Berg', birthDate: '1990-02-02', sex: 'M' });
});

describe('a series', () => {
  test('moves into a new study of the other patient with the date and description of its old one', async () => {
    await importAll(from, files(2, 2));
    const before = await onlyStudyOf(from);
    const [series] = before.series;
    const ids = series?.images.map(({ uid }) => uid) ?? [];
    const viewset = (await newViewset(from, before)).viewSetUuid;
    await mount(viewset, 0, ids[0]);
    const display = { viewsetUid: viewset, imageUid: ids[0], display: { ...plainDisplay, gamma: 1.5 }, version: 0 };
    const saved = await archive.call('/resource/viewset/image/display', {
      method: 'PUT',
      body: JSON.stringify(display),
      headers: { 'content-type': 'application/json' },
    });
    expect(saved.status, await saved.text()).toBe(200);
    const request = { what: 'series', id: series?.id } as const;
    const seen = await preview(request);
    expect(seen).toMatchObject({ counts: { images: 2, viewsets: 0, slots: 1 }, leavesEmptyStudy: false });
    expect((await move({ ...request, seen: seen.seen })).status).toBe(200);
    const made = await onlyStudyOf(to);
    expect(made).toMatchObject({ description: before.description, studyDate: before.studyDate });
    expect(made.uid).not.toBe(before.uid);
    expect(made.series.map(({ id, uid }) => [id, uid])).toEqual([[series?.id, series?.uid]]);
    expect(imagesOf([made])).toEqual(ids.toSorted());
    expect(await mounted(viewset)).toEqual([undefined, undefined]);
    expect((await onlyStudyOf(from)).series).toHaveLength(1);
    expect(await galleryOf(ids)).toEqual([to, to]);
    // Its display settings in the viewset become those of the image itself.
    const shown = made.series[0]?.images.find(({ uid }) => uid === ids[0]);
    expect(shown?.display).toMatchObject({ gamma: 1.5 });
  });

  test('keeps its UID: later files of it follow it to the new patient and are rejected for the other', async () => {
    const uid = newUid();
    await importAll(from, files(2, 1, uid));
    const before = await onlyStudyOf(from);
    const series = before.series.find((one) => one.uid === `${uid}.0`);
    await move({ what: 'series', id: series?.id });
    const late = Object.fromEntries(Object.entries(files(1, 2, uid, '.7')));
    const rejectedTask = await archive.parse(await archive.begin(from, late));
    expect(rejectedTask.files.map(({ status, problem: why }) => [status, why])).toEqual(
      Array(2).fill(['refused', 'series-of-another-patient']),
    );
    const right = await importAll(to, late);
    expect(right.files.map(({ status }) => status)).toEqual(['imported', 'imported']);
    const made = await onlyStudyOf(to);
    expect(made.series.map((one) => [one.uid, one.images.length])).toEqual([[`${uid}.0`, 3]]);
    expect((await onlyStudyOf(from)).series.map((one) => one.uid)).toEqual([`${uid}.1`]);
    // The rest still belongs to the first patient and accepts more files.
    const more = await importAll(from, {
      'a.dcm': smallObject({ StudyInstanceUID: uid, SeriesInstanceUID: `${uid}.1`, SOPInstanceUID: `${uid}.1.99` }),
    });
    expect(more.files.map(({ status }) => status)).toEqual(['imported']);
  });

  test('returns into its study as it was', async () => {
    const uid = newUid();
    const sent = files(2, 1, uid);
    await importAll(from, sent);
    const before = await onlyStudyOf(from);
    const [series] = before.series;
    const moved = await (await move({ what: 'series', id: series?.id })).json();
    expect(moved.studyFromId).toBe(before.id);
    const reply = await back({ what: 'series', id: moved.id, studyToId: moved.studyFromId });
    expect(reply.status).toBe(200);
    const after = await onlyStudyOf(from);
    expect(after.series.map((one) => one.uid).toSorted()).toEqual([`${uid}.0`, `${uid}.1`]);
    // The study created for it is empty and deleted.
    expect(await studiesOf(to)).toEqual([]);
    expect((await importAll(from, sent)).files.map(({ status }) => status)).toEqual(['duplicate', 'duplicate']);
  });

  test('that was its whole study leaves no empty study, and undoing restores it', async () => {
    await importAll(from, files(1, 2));
    const before = await onlyStudyOf(from);
    const request = { what: 'series', id: before.series[0]?.id } as const;
    expect((await preview(request)).leavesEmptyStudy).toBe(true);
    const moved = await (await move(request)).json();
    expect(await studiesOf(from)).toEqual([]);
    expect((await back({ what: 'series', id: moved.id, studyToId: moved.studyFromId })).status).toBe(200);
    expect(imagesOf([await onlyStudyOf(from)])).toEqual(imagesOf([before]));
  });
});

describe('an image', () => {
  test('moves into a chosen study of the other patient, in a separate series, with its measurements', async () => {
    const uid = newUid();
    await importAll(from, files(1, 2, uid));
    await importAll(to, files(1, 1));
    const [source, target] = [await onlyStudyOf(from), await onlyStudyOf(to)];
    const [first] = source.series[0]?.images ?? [];
    const mark = {
      id: randomUUID(),
      kind: 'length',
      frame: 1,
      points: [
        [0, 0],
        [4, 4],
      ],
    };
    await archive.call('/resource/image/marks', {
      method: 'PUT',
      body: JSON.stringify({ imageUid: first?.uid, marks: [mark], calibration: null, version: 0 }),
      headers: { 'content-type': 'application/json' },
    });
    const request = { what: 'image', id: first?.uid } as const;
    const seen = await preview(request);
    const reply = await move({ ...request, seen: seen.seen, studyToId: target.id });
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { id: first?.uid, studyId: target.id, studyFromId: source.id },
    ]);
    const after = await onlyStudyOf(to);
    expect(after.series).toHaveLength(2);
    const own = after.series.find(({ images }) => images.some(({ uid: image }) => image === first?.uid));
    // A Series Instance UID identifies one series: the other image keeps the old one.
    expect(own?.uid).not.toBe(`${uid}.0`);
    expect(own?.images[0]).toMatchObject({ uid: first?.uid, marks: [mark] });
    expect((await onlyStudyOf(from)).series[0]?.images).toHaveLength(1);
    expect(await entriesOf(to)).toMatchObject([{ action: 'image.moved-to-patient', object_id: first?.uid }]);
    expect(await entriesOf(from)).toHaveLength(1);
  });

  test('imported again is rejected for the wrong patient and a duplicate for the right one', async () => {
    const sent = files(1, 2);
    await importAll(from, sent);
    const study = await onlyStudyOf(from);
    const [first] = study.series[0]?.images ?? [];
    await move({ what: 'image', id: first?.uid });
    const again = await archive.importAll(from, sent);
    expect(again.files.map(({ status, problem: why }) => [status, why]).toSorted()).toEqual([
      ['duplicate', null],
      ['refused', 'image-of-another-patient'],
    ]);
    const [name = ''] = Object.keys(sent).slice(again.files[0]?.status === 'refused' ? 0 : 1);
    const right = await importAll(to, { [name]: sent[name] ?? new Uint8Array() });
    expect(right.files.map(({ status }) => status)).toEqual(['duplicate']);
    expect(imagesOf(await studiesOf(to))).toEqual([first?.uid]);
  });

  test('returns into its old series, and a whole series joins the image that left it', async () => {
    const uid = newUid();
    await importAll(from, files(1, 3, uid));
    const before = await onlyStudyOf(from);
    const [one, two] = before.series[0]?.images ?? [];
    const first = await (await move({ what: 'image', id: one?.uid })).json();
    const second = await (await move({ what: 'image', id: two?.uid, studyToId: first.studyId })).json();
    // Images of one series stay together at the target.
    expect((await onlyStudyOf(to)).series.map(({ images }) => images.length)).toEqual([2]);
    await back({ what: 'image', id: one?.uid, studyToId: first.studyFromId });
    const left = await onlyStudyOf(to);
    expect((await back({ what: 'series', id: left.series[0]?.id, studyToId: second.studyFromId })).status).toBe(200);
    const after = await onlyStudyOf(from);
    expect(after.series.map((series) => [series.uid, series.images.length])).toEqual([[`${uid}.0`, 3]]);
    expect(await studiesOf(to)).toEqual([]);
  });

  test('in the recycle bin is restored by the move', async () => {
    await importAll(from, files(1, 2));
    const [first] = imagesOf([await onlyStudyOf(from)]);
    await archive.call(`/resource/image/delete/${first}`, { method: 'DELETE' });
    expect(await preview({ what: 'image', id: first })).toMatchObject({ isDeleted: true, counts: { images: 1 } });
    expect((await move({ what: 'image', id: first })).status).toBe(200);
    expect(imagesOf(await studiesOf(to))).toEqual([first]);
  });
});
