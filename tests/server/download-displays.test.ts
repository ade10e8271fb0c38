import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNotExpressed } from '../../contract/display-objects.ts';
import { readDirectory } from '../../dicom/directory.ts';
import { readDisplay } from '../../dicom/display-objects/read-display.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { readPresentationState } from '../../dicom/presentation-state/read-state.ts';
import { displayedMount, mediumOf } from './displays-under-test.ts';

let clinic: Awaited<ReturnType<typeof displayedMount>>;
beforeAll(async () => {
  clinic = await displayedMount();
});
afterAll(() => clinic.bench.close());

const dataSetOf = (files: ReadonlyMap<string, Buffer>, name: string) =>
  readDicomFile(files.get(name) ?? Buffer.of()).dataSet;

describe('a DICOM medium with mounts and marks', () => {
  it('has a state of each mounted image, then the mount, listed as presentations', async () => {
    const { files } = await mediumOf(clinic.bench, { patientId: clinic.bench.patientId });
    const listed = readDirectory(readDicomFile(files.get('DICOMDIR') ?? Buffer.of()));
    expect(listed.map(({ path, recordType }) => [path.join('/'), recordType])).toEqual([
      ...[1, 2, 3].map((number) => [`DICOM/IM00000${number}`, 'IMAGE']),
      ...[1, 2, 3, 4].map((number) => [`DICOM/PS00000${number}`, 'PRESENTATION']),
    ]);
    const { boxes, description, texts } = readDisplay(dataSetOf(files, 'DICOM/PS000004'));
    expect(description).toBe(clinic.viewset.name);
    expect(boxes.map(({ image }) => image?.sopInstanceUid ?? null)).toEqual(
      clinic.viewset.viewSetItems.map(({ activeImage }) => activeImage?.sopInstanceUid ?? null),
    );
    expect(texts[0]?.text).toBe(clinic.viewset.viewSetItems[0]?.description);
    const states = [1, 2, 3].map((number) => listed[2 + number]?.sopInstanceUid);
    expect(boxes.flatMap(({ image }) => image?.stateUid ?? [])).toEqual(states);
  });

  it('says rotation, flip, window, inversion and marks of an image', async () => {
    const { files } = await mediumOf(clinic.bench, { patientId: clinic.bench.patientId });
    const image = { sopInstanceUid: '2.25.70001', columns: 8, rows: 6 };
    const state = readPresentationState(dataSetOf(files, 'DICOM/PS000001'), image);
    expect([state?.rotation, state?.horizontalFlip, state?.grey?.inverted]).toEqual([90, true, true]);
    expect(state?.grey?.vois).toEqual([
      { frames: null, voi: { kind: 'window', centre: 1234.5, width: 987.25, function: 'LINEAR' } },
    ]);
    const [annotation] = state?.annotations ?? [];
    expect(annotation?.graphics).toHaveLength(3);
    expect(annotation?.texts.map(({ text }) => text)).toEqual(['Karies\nD2']);
  });

  it('lists what they cannot say, with its file, and counts it for the page', async () => {
    const { files, notExpressed } = await mediumOf(clinic.bench, { patientId: clinic.bench.patientId });
    expect(Object.fromEntries(readNotExpressed(notExpressed ?? ''))).toEqual({
      angle: 1,
      gamma: 1,
      filters: 1,
      palette: 1,
      // The images have no window of their own; one of the three has one by a user.
      'auto-window': 2,
      values: 1,
      calibration: 1,
    });
    const lines = (files.get('left-out-displays.csv') ?? '').toString().split('\r\n');
    expect(lines.slice(0, 3)).toEqual(['file,slot,part', 'DICOM/PS000001,,values', 'DICOM/PS000001,,calibration']);
    expect(lines).toHaveLength(10);
  });

  it('leaves the box of an image empty that is not in the download, and says which', async () => {
    const { files } = await mediumOf(clinic.bench, { imageUIDs: clinic.images.slice(0, 2) });
    const { boxes } = readDisplay(dataSetOf(files, 'DICOM/PS000003'));
    expect(boxes.filter(({ image }) => image !== null)).toHaveLength(2);
    const order = clinic.viewset.viewSetItems[2]?.order;
    expect((files.get('left-out-displays.csv') ?? '').toString()).toContain(`DICOM/PS000003,${order},not-included\r\n`);
  });

  it('logs each image as any download does, and has no presentations when they are not requested', async () => {
    const { bench } = clinic;
    const entries = () =>
      bench.db.selectFrom('access_log').selectAll().where('action', '=', 'image.downloaded').execute();
    const before = (await entries()).length;
    const { files } = await mediumOf(bench, { patientId: bench.patientId });
    expect((await entries()).length - before).toBe(3);
    const body = { patientId: bench.patientId, content: 'dicom' };
    const plain = await bench.post('/resource/image/download', body);
    expect(plain.headers.get('x-not-expressed')).toBeNull();
    expect((await plain.arrayBuffer()).byteLength).toBeLessThan(
      [...files.values()].reduce((sum, { length }) => sum + length, 0),
    );
  });

  it('rejects them with originals or anonymised copies', async () => {
    const { bench } = clinic;
    for (const content of ['originals', 'anonymised', 'record']) {
      const body = { patientId: bench.patientId, content, displayObjects: true };
      expect((await bench.post('/resource/image/download', body)).status).toBe(400);
    }
  });
});
