import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { dataSetHash } from '../../server/dicom-gateway/data-set-of.ts';
import { echoNode } from '../../server/dimse/user/echo.ts';
import { freePort } from '../free-port.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { explicitLittleEndian } from './dimse/peers.ts';
import { type FetchingUnderTest, fetchingArchive, fetchingUnderTest } from './fetching-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';

const run = promisify(execFile);
const has = (program: string) => existsSync(`/usr/bin/${program}`) || existsSync(`/usr/sbin/${program}`);
if (!has('dcmqrscp')) console.log('DCMTK is not installed: fetching is not tested with it.');
if (!has('Orthanc')) console.log('Orthanc is not installed: fetching is not tested with it.');

let archive: ArchiveUnderTest;
let fetching: FetchingUnderTest;
let gateway: GatewayUnderTest;
let patientId: string;
let files: readonly Uint8Array[];
const jpegLs = '1.2.840.10008.1.2.4.80';
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
  gateway = await gatewayUnderTest(archive);
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
    objectAt('2.25.342', { ...patient, PixelData: { frames } }, 1, jpegLs),
  ];
});
afterEach(async () => {
  await fetching?.close();
  await gateway?.close();
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
    const syntax = readDicomFile(bytes).transferSyntaxUid === jpegLs ? ['-xt'] : ['-xe'];
    await run('storescu', [...syntax, '-aet', 'DENTARIUM', '-aec', aeTitle, '127.0.0.1', String(port), file]);
  }
};

const fetchAll = async (name: string, aeTitle: string, port: number, lastSyntax = jpegLs) => {
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
    ['2.25.342.1.1.1', lastSyntax],
  ]);
  for (const { sha256 } of images) expect(await dataSetHash(archive.archive.files, sha256)).toHaveLength(64);
  expect(fetching.failures).toEqual([]);
};

/** Fetches a study of an archive that does not know the gateway. */
const fetchInVain = async (aeTitle: string, port: number) => {
  const deviceId = await fetching.addDevice({ aeTitle, port });
  const { body } = await fetching.search({ deviceId, patientId, by: 'number' });
  return fetching.reaches(await fetching.fetch({ deviceId, patientId }, body.studies), 'failed');
};

describe.skipIf(!has('dcmqrscp'))('DCMTK dcmqrscp', () => {
  const start = async (hosts: string, ...more: readonly string[]): Promise<number> => {
    const folder = temporaryFolder();
    const port = await freePort();
    mkdirSync(path.join(folder, 'QRSCP'));
    writeFileSync(
      path.join(folder, 'dcmqrscp.cfg'),
      `NetworkTCPPort = ${port}
MaxPDUSize = 16384
MaxAssociations = 16
HostTable BEGIN
${hosts}
HostTable END
VendorTable BEGIN
VendorTable END
AETable BEGIN
QRSCP ${folder}/QRSCP RW (200, 1024mb) ANY
AETable END
`,
    );
    const config = ['-c', path.join(folder, 'dcmqrscp.cfg')];
    const child = spawn('dcmqrscp', [...config, '+xt', ...more], { stdio: 'ignore' });
    await started(child, port, 'QRSCP');
    await fill(folder, port, 'QRSCP');
    return port;
  };
  const host = () => `dentarium = (${gatewayTitle}, 127.0.0.1, ${gateway.port})`;

  it('is searched by a form of the number that it has, and gives each image in its encoding', async () => {
    await fetchAll('DCMTK', 'QRSCP', await start(''));
    expect(gateway.reports).toEqual([]);
  }, 60_000);

  it('sends each image to the gateway when it offers no C-GET', async () => {
    // It proposes one context for a class, and can decode nothing.
    files = [...files.slice(0, 2), objectAt('2.25.342', patient)];
    await fetchAll('DCMTK', 'QRSCP', await start(host(), '--disable-get'), explicitLittleEndian);
    expect(gateway.reports.length).toBeGreaterThan(0);
    expect(gateway.failures).toEqual([]);
  }, 60_000);

  it('is named as not knowing the gateway when it does not', async () => {
    const failed = await fetchInVain('QRSCP', await start('', '--disable-get'));
    expect(failed.failure).toBe('destination-unknown');
  }, 60_000);
});

describe.skipIf(!has('Orthanc'))('Orthanc', () => {
  const start = async (more: object): Promise<number> => {
    const folder = temporaryFolder();
    const port = await freePort();
    const settings = {
      StorageDirectory: folder,
      IndexDirectory: folder,
      HttpServerEnabled: false,
      DicomPort: port,
      DicomAet: 'ORTHANC',
      DicomAlwaysAllowFind: true,
      DicomAlwaysAllowStore: true,
      DefaultEncoding: 'Latin1',
      ...more,
    };
    writeFileSync(path.join(folder, 'orthanc.json'), JSON.stringify(settings));
    const child = spawn('Orthanc', [path.join(folder, 'orthanc.json')], { stdio: 'ignore' });
    await started(child, port, 'ORTHANC');
    await fill(folder, port, 'ORTHANC');
    return port;
  };
  const withoutGet = { DicomAlwaysAllowGet: false, DicomAlwaysAllowMove: true };

  it('is searched, and gives each image in its encoding', async () => {
    await fetchAll('Orthanc', 'ORTHANC', await start({ DicomAlwaysAllowGet: true }));
    expect(gateway.reports).toEqual([]);
  }, 60_000);

  it('sends each image to the gateway when it offers no C-GET', async () => {
    const modality = { AET: gatewayTitle, Host: '127.0.0.1', Port: gateway.port, AllowGet: false };
    await fetchAll('Orthanc', 'ORTHANC', await start({ ...withoutGet, DicomModalities: { dentarium: modality } }));
    expect(gateway.reports.length).toBeGreaterThan(0);
    expect(gateway.failures).toEqual([]);
  }, 60_000);

  it('is named as refusing when it does not know the gateway', async () => {
    expect((await fetchInVain('ORTHANC', await start(withoutGet))).failure).toBe('refused');
  }, 60_000);
});
