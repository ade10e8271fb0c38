import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNotExpressed } from '../../contract/display-objects.ts';
import type { Annotation, Measurement } from '../../contract/displays.ts';
import type { DataSet } from '../../dicom/data-set.ts';
import { readDirectory } from '../../dicom/directory.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { describeImage } from '../../dicom/image-description.ts';
import { pixelAspectOf } from '../../dicom/measurement.ts';
import { markText, measurementScaleOf } from '../../src/viewer/scene/measure.ts';
import { swedishStageTexts } from '../viewer/stage-texts.ts';
import { arrow, displayedMount, text } from './displays-under-test.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';
import { expectProblem } from './viewset-bench.ts';

const frame = 1;
const length: Measurement = {
  id: randomUUID(),
  frame,
  kind: 'length',
  points: [
    [1.1, 2.2],
    [3.3, 4.4],
  ],
};
const angle: Measurement = {
  id: randomUUID(),
  frame,
  kind: 'angle',
  points: [
    [1, 1],
    [2, 3],
    [5, 3],
  ],
};
const path: Annotation = {
  id: randomUUID(),
  frame,
  kind: 'polyline',
  points: [
    [0, 0],
    [3, 4],
    [3, 5.5],
  ],
};
const area: Annotation = {
  id: randomUUID(),
  frame,
  kind: 'area',
  points: [
    [1, 1],
    [6, 1],
    [4, 4.5],
  ],
};
const lines: Annotation = {
  id: randomUUID(),
  frame,
  kind: 'lineAngle',
  points: [
    [0, 0],
    [4, 0],
    [1, 1],
    [4, 4],
  ],
};
const ratio: Annotation = {
  id: randomUUID(),
  frame,
  kind: 'ratio',
  points: [
    [1, 1],
    [1, 3],
    [1, 5.3],
  ],
};
const marks = [length, angle, path, area, lines, ratio];

let clinic: Awaited<ReturnType<typeof displayedMount>>;
beforeAll(async () => {
  clinic = await displayedMount();
  const { bench, images, viewset } = clinic;
  const save = async (target: string, body: object) => {
    const reply = await bench.send('PUT', target, body);
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  };
  const calibration = { mmPerPixel: 0.0375 };
  const mark = (imageUid: string, version: number, known: typeof calibration | null) =>
    save('/resource/image/marks', {
      imageUid,
      version,
      calibration: known,
      marks: [length, angle],
      annotations: [path, area, lines, ratio, arrow, text],
    });
  await mark(images[0], 1, calibration);
  await mark(images[1], 0, null);
  const note = (subject: string, id: string, state: string, written: string) =>
    save('/resource/note', { subject, id, version: 0, state, text: written });
  await note('image', images[1], 'signed', 'Karies 36d\nKontroll');
  await note('image', images[2], 'draft', 'Osäker');
  await note('viewset', viewset.viewSetUuid, 'signed', 'Helstatus utan anmärkning');
});
afterAll(() => clinic.bench.close());

const download = async (more: object = {}) => {
  const { bench } = clinic;
  const body = { patientId: bench.patientId, content: 'dicom', reportObjects: true, ...more };
  const reply = await bench.post('/resource/image/download', body);
  if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`);
  const files = new Map(await unzipped(Buffer.from(await reply.arrayBuffer())));
  return { files, notExpressed: Object.fromEntries(readNotExpressed(reply.headers.get('x-not-expressed') ?? '')) };
};

const conceptOf = (item: DataSet) => item.sequence(0x0040a043)[0]?.text(0x00080104) ?? '';
const inside = (item: DataSet, concept: string) =>
  item.sequence(0x0040a730).filter((one) => conceptOf(one) === concept);
const textOf = (item: DataSet | undefined) => item?.text(0x0040a160) ?? null;

const reportOf = (files: ReadonlyMap<string, Buffer>) =>
  readDicomFile(files.get('DICOM/SR000001') ?? Buffer.of()).dataSet;
const groupsOf = (report: DataSet) =>
  inside(report, 'Imaging Measurements').flatMap((item) => inside(item, 'Measurement Group'));

/** The number of a group and its unit, and the image and lines that it was measured in. */
const readGroup = (group: DataSet) => {
  const number = group.sequence(0x0040a730).find((one) => one.code(0x0040a040) === 'NUM');
  const [value] = number?.sequence(0x0040a300) ?? [];
  const places = [group, number].flatMap((one) => one?.sequence(0x0040a730) ?? []);
  const outlines = places.filter((one) => one.code(0x0040a040) === 'SCOORD');
  return {
    quantity: number && conceptOf(number),
    value: value?.numbers(0x0040a161, 'FD')[0] ?? 0,
    text: Number(value?.code(0x0040a30a)),
    unit: value?.sequence(0x004008ea)[0]?.code(0x00080100),
    lines: outlines.map((one) => one.numbers(0x00700022, 'FL')),
    image: outlines[0]?.sequence(0x0040a730)[0]?.sequence(0x00081199)[0]?.code(0x00081155),
    observer: textOf(undefined) ?? inside(group, 'Person Observer Name')[0]?.text(0x0040a123),
    observedAt: group.code(0x0040a032),
    comment: textOf(inside(group, 'Comment')[0]),
  };
};

describe('a DICOM medium with reports', () => {
  it('has one report of the study, listed in the DICOMDIR', async () => {
    const { files } = await download();
    const listed = readDirectory(readDicomFile(files.get('DICOMDIR') ?? Buffer.of()));
    expect(listed.map(({ path: at, recordType }) => [at.join('/'), recordType]).slice(2)).toEqual([
      ['DICOM/IM000003', 'IMAGE'],
      ['DICOM/SR000001', 'SR DOCUMENT'],
    ]);
    const report = reportOf(files);
    expect([report.code(0x00080016), report.code(0x00080060)]).toEqual(['1.2.840.10008.5.1.4.1.1.88.33', 'SR']);
  });

  it('has the values that the viewer shows of each measurement, with their units and lines', async () => {
    const groups = groupsOf(reportOf((await download()).files)).map(readGroup);
    const description = describeImage(readDicomFile(smallObject()));
    if (!description) throw new Error('no image');
    const image = { frame, pixelAspect: pixelAspectOf(description), description };
    const calibrated = groups.filter((one) => one.image === '2.25.70001');
    expect(calibrated.map(({ quantity, unit }) => [quantity, unit])).toEqual([
      ['Length', 'mm'],
      ['Angle', 'deg'],
      ['Path length', 'mm'],
      ['Area', 'mm2'],
      ['Angle', 'deg'],
      ['Ratio', '%'],
    ]);
    for (const [imageUid, calibration] of [
      ['2.25.70001', { mmPerPixel: 0.0375 }],
      ['2.25.70002', null],
    ] as const) {
      const own = groups.filter((one) => one.image === imageUid);
      expect(own).toHaveLength(marks.length);
      for (const [index, mark] of marks.entries()) {
        const shown = markText(mark, measurementScaleOf(image, calibration, mark.points), swedishStageTexts, 'en');
        const { value, text: written } = own[index] ?? { value: Number.NaN, text: Number.NaN };
        const digits = /^\d+\.\d/.test(shown) ? 1 : 0;
        expect(value.toFixed(digits)).toBe(/^[\d.]+/.exec(shown)?.[0]);
        expect(written).toBeCloseTo(value, 6);
      }
    }
    expect(calibrated[3]?.lines).toEqual([[1, 1, 6, 1, 4, 4.5, 1, 1]]);
    expect(calibrated[5]?.lines.map((line) => line.map((value) => Math.fround(value)))).toEqual([
      [1, 1, 1, 3],
      [1, 1, 1, Math.fround(5.3)],
    ]);
    expect(calibrated[0]?.comment).toBe('Calibrated by a known length in the image: 0.0375 mm per pixel width');
  });

  it('says who drew a mark, and when', async () => {
    const [first] = groupsOf(reportOf((await download()).files)).map(readGroup);
    expect(first?.observer).toMatch(/\S/);
    expect(first?.observedAt).toMatch(/^20\d{12}\+0000$/);
  });

  it('has signed notes and texts, and not drafts', async () => {
    const [container] = inside(reportOf((await download()).files), 'Qualitative Evaluations');
    const comments = container ? inside(container, 'Comment') : [];
    expect(comments.map(textOf)).toEqual([
      'Karies 36d\nKontroll',
      'Helstatus utan anmärkning',
      'Karies\nD2',
      'Karies\nD2',
    ]);
    const about = comments.map(
      (one) => one.sequence(0x0040a730).filter((item) => item.code(0x0040a040) === 'IMAGE').length,
    );
    expect(about).toEqual([1, 3, 0, 0]);
  });

  it('lists what the report does not have', async () => {
    const { files, notExpressed } = await download();
    expect(notExpressed).toEqual({ graphics: 2, 'draft-note': 1 });
    expect((files.get('left-out-displays.csv') ?? '').toString()).toContain('DICOM/SR000001,,draft-note\r\n');
  });

  it('does not list values as missing that the report has', async () => {
    const { files, notExpressed } = await download({ displayObjects: true });
    expect([...files.keys()]).toEqual(expect.arrayContaining(['DICOM/PS000001', 'DICOM/SR000001']));
    expect(Object.keys(notExpressed)).not.toContain('values');
  });

  it('has no report of images without content', async () => {
    const { bench } = clinic;
    const [plain = ''] = await bench.addImages(1, bench.patientId, '2.25.8800');
    const body = { imageUIDs: [plain], content: 'dicom', reportObjects: true };
    const reply = await bench.post('/resource/image/download', body);
    const files = await unzipped(Buffer.from(await reply.arrayBuffer()));
    expect(new Map(files).has('DICOM/SR000001')).toBe(false);
  });

  it('does not have the note of a mount in the report of another patient', async () => {
    const { bench, images, viewset } = clinic;
    const other = await bench.addPatient({ customerId: bench.clinics.customerId, personalNumber: '196001011234' });
    const [moved = ''] = await bench.addImages(1, other, '2.25.8900');
    const slot = viewset.viewSetItems.find(({ activeImage }) => activeImage === null)?.itemIndex ?? -1;
    await bench.db
      .updateTable('viewset_item')
      .set({ image_id: moved })
      .where('viewset_id', '=', viewset.viewSetUuid)
      .where('item_index', '=', slot)
      .execute();
    const { files } = await download({ patientId: undefined, imageUIDs: [...images, moved] });
    expect([...files.keys()].filter((name) => name.includes('/SR'))).toEqual(['DICOM/SR000001']);
    expect(reportOf(files).text(0x0020000d)).toBe('2.25.1002');
    const [container] = inside(reportOf(files), 'Qualitative Evaluations');
    const note = container && inside(container, 'Comment')[1];
    expect(note?.sequence(0x0040a730).filter((item) => item.code(0x0040a040) === 'IMAGE')).toHaveLength(3);
  });

  it('is rejected with originals or anonymised copies', async () => {
    const { bench } = clinic;
    for (const content of ['originals', 'anonymised', 'record']) {
      const body = { patientId: bench.patientId, content, reportObjects: true };
      await expectProblem(await bench.post('/resource/image/download', body), 400, 'invalid-request');
    }
  });
});
