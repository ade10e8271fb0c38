import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';

const run = promisify(execFile);
const isInstalled = ['echoscu', 'findscu', 'movescu', 'getscu', 'storescu'].every((name) =>
  existsSync(`/usr/bin/${name}`),
);
if (!isInstalled) console.log('DCMTK is not installed: the gateway is not tested with it.');

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let folder: string;
const [own, packed] = ['2.25.151', '2.25.152'];
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const pixels = new Uint16Array(48).map((_, index) => index * 80);

const address = () => ['127.0.0.1', String(gateway.port)];
const called = ['-aet', 'DCMTK', '-aec', gatewayTitle];
const received = () => {
  const names = readdirSync(folder).filter((name) => !name.startsWith('sent'));
  return names.map((name) => readDicomFile(readFileSync(path.join(folder, name))).dataSet);
};
const key = (...pairs: readonly string[]) => pairs.flatMap((pair) => ['-k', pair]);

describe.skipIf(!isInstalled)('DCMTK as a device', () => {
  beforeAll(async () => {
    archive = await archiveUnderTest();
    gateway = await gatewayUnderTest(archive);
    const info = {
      width: 8,
      height: 6,
      bitsPerSample: 16,
      componentCount: 1,
      isSigned: false,
      isUsingColorTransform: false,
    };
    const frames = [await encodeJpegLs(new Uint8Array(pixels.buffer), info)];
    await dicomWebOf(archive).addPatient({ personalNumber: '19800101-1234' }, [
      objectAt(own, patient),
      objectAt(own, patient, 2),
      objectAt(packed, { ...patient, PixelData: { frames } }, 1, '1.2.840.10008.1.2.4.80'),
    ]);
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-dcmtk-'));
    return () => rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await gateway?.close();
    await archive?.close();
  });

  it('is refused until it is listed, and verifies the connection', async () => {
    await expect(run('echoscu', [...called, ...address()])).rejects.toThrow('Calling AE Title Not Recognized');
    await gateway.addDevice({ aeTitle: 'DCMTK', canStore: true });
    await run('echoscu', [...called, ...address()]);
  });

  it('finds studies, series and images', async () => {
    const find = async (...pairs: readonly string[]) => {
      const { stdout, stderr } = await run('findscu', ['-S', ...called, ...key(...pairs), ...address()]);
      return stdout + stderr;
    };
    const studies = await find('QueryRetrieveLevel=STUDY', 'StudyInstanceUID', 'PatientID', 'PatientName=Lind*');
    for (const text of [`${own}.1`, `${packed}.1`, '19800101-1234']) expect(studies).toContain(text);
    const series = await find(
      'QueryRetrieveLevel=SERIES',
      `StudyInstanceUID=${own}.1`,
      'SeriesInstanceUID',
      'Modality',
    );
    expect(series).toContain(`${own}.1.1`);
    const images = await find(
      'QueryRetrieveLevel=IMAGE',
      `StudyInstanceUID=${own}.1`,
      `SeriesInstanceUID=${own}.1.1`,
      'SOPInstanceUID',
    );
    for (const text of [`${own}.1.1.1`, `${own}.1.1.2`]) expect(images).toContain(text);
    expect(await find('QueryRetrieveLevel=STUDY', 'StudyInstanceUID', 'PatientName=Nobody*')).not.toContain(`${own}.1`);
  });

  it('fetches over the same association, compressed objects decoded', async () => {
    for (const uid of [own, packed])
      await run('getscu', [
        '-S',
        ...called,
        '-od',
        folder,
        ...key('QueryRetrieveLevel=STUDY', `StudyInstanceUID=${uid}.1`),
        ...address(),
      ]);
    const found = received();
    expect(found.map((dataSet) => dataSet.code(tags.sopInstanceUid)).sort()).toEqual(
      [`${own}.1.1.1`, `${own}.1.1.2`, `${packed}.1.1.1`].sort(),
    );
    for (const dataSet of found) {
      expect(Buffer.from(dataSet.bytes(tags.pixelData) ?? [])).toEqual(Buffer.from(pixels.buffer));
      expect(dataSet.text(tags.patientName)).toBe('Lindström^Åsa');
    }
  });

  it('has images sent to itself', async () => {
    const port = await freePort();
    await archive.db.updateTable('dicom_device').set({ port }).where('ae_title', '=', 'DCMTK').execute();
    const identifier = key('QueryRetrieveLevel=STUDY', `StudyInstanceUID=${own}.1\\${packed}.1`);
    await run('movescu', [
      '-S',
      ...called,
      '-aem',
      'DCMTK',
      '-od',
      folder,
      '+P',
      String(port),
      ...identifier,
      ...address(),
    ]);
    expect(received()).toHaveLength(3);
    await expect(
      run('movescu', ['-S', '-v', ...called, '-aem', 'OTHER', ...identifier, ...address()]).then(
        ({ stdout, stderr }) => {
          throw new Error(stdout + stderr);
        },
      ),
    ).rejects.toThrow(/Destination|a801/i);
  });

  it('stores images, each once', async () => {
    const uid = '2.25.153';
    const files = [1, 2, 3].map((number) => {
      const file = path.join(folder, `sent${number}.dcm`);
      writeFileSync(file, objectAt(uid, patient, number));
      return file;
    });
    for (let count = 0; count < 2; count += 1) await run('storescu', [...called, ...address(), ...files]);
    const rows = await archive.db
      .selectFrom('import_file')
      .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
      .select('sha256')
      .where('source_study', '=', `${uid}.1`)
      .execute();
    expect(rows).toHaveLength(3);
    expect(gateway.failures).toEqual([]);
  });
});
