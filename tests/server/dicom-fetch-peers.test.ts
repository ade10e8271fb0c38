import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { dataSetHash } from '../../server/dicom-gateway/data-set-of.ts';
import { echoNode } from '../../server/dimse/user/echo.ts';
import { freePort } from '../free-port.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { type FetchingUnderTest, fetchingArchive, fetchingUnderTest } from './fetching-under-test.ts';

const run = promisify(execFile);
const has = (program: string) => existsSync(`/usr/bin/${program}`) || existsSync(`/usr/sbin/${program}`);
if (!has('dcmqrscp')) console.log('DCMTK is not installed: fetching is not tested with it.');
if (!has('Orthanc')) console.log('Orthanc is not installed: fetching is not tested with it.');

let archive: ArchiveUnderTest;
let fetching: FetchingUnderTest;
let patientId: string;
let files: readonly Uint8Array[];
const patient = { PatientID: '800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };
const info = {
  width: 8,
  height: 6,
  bitsPerSample: 16,
  componentCount: 1,
  isSigned: false,
  isUsingColorTransform: false,
};

beforeEach(async () => {
  archive = await fetchingArchive();
  fetching = fetchingUnderTest(archive);
  patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: '19800101-1234',
    firstName: 'Åsa',
    lastName: 'Lindström',
    birthDate: '1980-01-01',
  });
  const frames = [await encodeJpegLs(new Uint8Array(new Uint16Array(48).buffer), info)];
  files = [
    objectAt('2.25.341', { ...patient, StudyDescription: 'Status' }, 1),
    objectAt('2.25.341', { ...patient, StudyDescription: 'Status' }, 2),
    objectAt('2.25.342', { ...patient, PixelData: { frames } }, 1, '1.2.840.10008.1.2.4.80'),
  ];
});
afterEach(async () => {
  await fetching?.close();
  await archive?.close();
});

const temporaryFolder = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-fetching-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const started = async (child: ChildProcess, port: number, aeTitle: string) => {
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect
    .poll(() => echoNode({ host: '127.0.0.1', port, aeTitle }, 'DENTARIUM'), { timeout: 20_000 })
    .toBe('answered');
};

/** Fills the other archive by C-STORE, each object in the encoding that it has. */
const fill = async (folder: string, port: number, aeTitle: string) => {
  for (const [index, bytes] of files.entries()) {
    const file = path.join(folder, `${index}.dcm`);
    writeFileSync(file, bytes);
    const syntax = index === 2 ? ['-xt'] : ['-xe'];
    await run('storescu', [...syntax, '-aet', 'DENTARIUM', '-aec', aeTitle, '127.0.0.1', String(port), file]);
  }
};

const fetchAll = async (name: string, aeTitle: string, port: number) => {
  const deviceId = await fetching.addDevice({ name, aeTitle, port });
  const { body } = await fetching.search({ deviceId, patientId, by: 'number' });
  expect(body).toMatchObject({ failure: null, isComplete: true });
  expect(body.studies.map((study: { studyUid: string }) => study.studyUid).toSorted()).toEqual([
    '2.25.341.1',
    '2.25.342.1',
  ]);
  for (const study of body.studies)
    expect(study).toMatchObject({
      needsConfirmation: false,
      patient: { name: 'Lindström^Åsa', birthDate: '1980-01-01' },
    });
  const byName = await fetching.search({ deviceId, patientId, by: 'name' });
  expect(byName.body.studies).toHaveLength(2);
  const done = await fetching.reaches(await fetching.fetch({ deviceId, patientId }, body.studies), 'done');
  expect(done).toMatchObject({ failure: null, refusals: [] });
  expect(done.studies.map(({ state }) => state)).toEqual(['imported', 'imported']);
  const images = await archive.db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['sop_instance_uid as uid', 'image.sha256', 'image.transfer_syntax'])
    .where('study.patient_id', '=', patientId)
    .orderBy('uid')
    .execute();
  expect(images.map(({ uid, transfer_syntax: syntax }) => [uid, syntax])).toEqual([
    ['2.25.341.1.1.1', '1.2.840.10008.1.2.1'],
    ['2.25.341.1.1.2', '1.2.840.10008.1.2.1'],
    ['2.25.342.1.1.1', '1.2.840.10008.1.2.4.80'],
  ]);
  for (const { sha256 } of images) expect(await dataSetHash(archive.archive.files, sha256)).toHaveLength(64);
  expect(fetching.failures).toEqual([]);
};

describe.skipIf(!has('dcmqrscp'))('DCMTK dcmqrscp', () => {
  it('is searched by a form of the number that it has, and gives each image in its encoding', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    mkdirSync(path.join(folder, 'QRSCP'));
    writeFileSync(
      path.join(folder, 'dcmqrscp.cfg'),
      `NetworkTCPPort = ${port}
MaxPDUSize = 16384
MaxAssociations = 16
HostTable BEGIN
HostTable END
VendorTable BEGIN
VendorTable END
AETable BEGIN
QRSCP ${folder}/QRSCP RW (200, 1024mb) ANY
AETable END
`,
    );
    const child = spawn('dcmqrscp', ['-c', path.join(folder, 'dcmqrscp.cfg'), '+xt'], { stdio: 'ignore' });
    await started(child, port, 'QRSCP');
    await fill(folder, port, 'QRSCP');
    await fetchAll('DCMTK', 'QRSCP', port);
  }, 60_000);
});

describe.skipIf(!has('Orthanc'))('Orthanc', () => {
  it('is searched, and gives each image in its encoding', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const settings = {
      StorageDirectory: folder,
      IndexDirectory: folder,
      HttpServerEnabled: false,
      DicomPort: port,
      DicomAet: 'ORTHANC',
      DicomAlwaysAllowFind: true,
      DicomAlwaysAllowGet: true,
      DicomAlwaysAllowStore: true,
      DefaultEncoding: 'Latin1',
    };
    writeFileSync(path.join(folder, 'orthanc.json'), JSON.stringify(settings));
    const child = spawn('Orthanc', [path.join(folder, 'orthanc.json')], { stdio: 'ignore' });
    await started(child, port, 'ORTHANC');
    await fill(folder, port, 'ORTHANC');
    await fetchAll('Orthanc', 'ORTHANC', port);
  }, 60_000);
});
