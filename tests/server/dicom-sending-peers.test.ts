import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { encodeJpegLs } from '../../server/dicom/wasm-encoders.ts';
import { dataSetOf } from '../../server/dicom-gateway/data-set-of.ts';
import { callTlsOf } from '../../server/dicom-gateway/tls-files.ts';
import { echoNode } from '../../server/dimse/user/echo.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import { type SendingUnderTest, sendingUnderTest } from './sending-under-test.ts';

const run = promisify(execFile);
const has = (program: string) => existsSync(`/usr/bin/${program}`) || existsSync(`/usr/sbin/${program}`);
if (!has('storescp')) console.log('DCMTK is not installed: sending is not tested with it.');
if (!has('Orthanc')) console.log('Orthanc is not installed: sending is not tested with it.');

let archive: ArchiveUnderTest;
let sending: SendingUnderTest;
let patientId: string;
let files: readonly Uint8Array[];
let folder: string;
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const info = {
  width: 8,
  height: 6,
  bitsPerSample: 16,
  componentCount: 1,
  isSigned: false,
  isUsingColorTransform: false,
};

beforeAll(async () => {
  archive = await archiveUnderTest();
  sending = sendingUnderTest(archive);
  const frames = [await encodeJpegLs(new Uint8Array(new Uint16Array(48).buffer), info)];
  files = [
    objectAt('2.25.241', patient, 1),
    objectAt('2.25.241', patient, 2),
    objectAt('2.25.242', { ...patient, PixelData: { frames } }, 1, '1.2.840.10008.1.2.4.80'),
  ];
  patientId = await dicomWebOf(archive).addPatient({ personalNumber: '19800101-1234' }, files);
});
afterAll(async () => {
  await sending?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_sending').execute();
  await archive.db.deleteFrom('dicom_device').execute();
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-sending-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const dataSet = async (file: Uint8Array): Promise<string> =>
  Buffer.concat(await Readable.from(dataSetOf(Readable.from([Buffer.from(file)]))).toArray()).toString('latin1');
const started = (child: ChildProcess, node: Parameters<typeof echoNode>[0]) => {
  onTestFinished(() => void child.kill('SIGKILL'));
  return expect.poll(() => echoNode(node, 'DENTARIUM'), { timeout: 15_000 }).toBe('answered');
};

describe.skipIf(!has('storescp'))('DCMTK storescp', () => {
  const start = async (...options: readonly string[]) => {
    const port = await freePort();
    const child = spawn('storescp', ['+B', ...options, '-aet', 'STORESCP', '-od', folder, String(port)], {
      stdio: 'ignore',
    });
    await started(child, { host: '127.0.0.1', port, aeTitle: 'STORESCP' });
    return sending.addDevice({ aeTitle: 'STORESCP', port });
  };
  const received = () => Promise.all(readdirSync(folder).map((name) => dataSet(readFileSync(path.join(folder, name)))));

  it('receives every image byte for byte, compressed ones too', async () => {
    const id = await sending.send({ deviceId: await start('+xa'), patientId });
    expect(await sending.reaches(id, 'done')).toMatchObject({ total: 3, sent: 3 });
    expect((await received()).toSorted()).toEqual((await Promise.all(files.map(dataSet))).toSorted());
  });

  it('that takes no compressed images does not get one, and that is named', async () => {
    const id = await sending.send({ deviceId: await start('+xe'), patientId });
    expect(await sending.reaches(id, 'done')).toMatchObject({
      sent: 2,
      notSent: 1,
      unsent: [{ number: 1, reason: 'not-accepted' }],
    });
    expect(await received()).toHaveLength(2);
  });

  it('that aborts in mid association is given up, and gets each image of a later sending', async () => {
    const deviceId = await start('+xa', '--abort-during');
    const id = await sending.send({ deviceId, patientId });
    await expect.poll(async () => (await sending.byId(id)).failure).toBe('unreachable');
    const port = await freePort();
    const child = spawn('storescp', ['+B', '+xa', '-aet', 'STORESCP', '-od', folder, String(port)], {
      stdio: 'ignore',
    });
    await started(child, { host: '127.0.0.1', port, aeTitle: 'STORESCP' });
    await sending.reaches(id, 'failed');
    await archive.db.updateTable('dicom_device').set({ port }).execute();
    const again = await sending.send({ deviceId, patientId });
    expect(await sending.reaches(again, 'done')).toMatchObject({ sent: 3 });
  });
});

describe.skipIf(!has('Orthanc'))('Orthanc', () => {
  it('receives every image of a patient, and of one twice none more', async () => {
    const [httpPort, port] = [await freePort(), await freePort()];
    const settings = {
      HttpPort: httpPort,
      AuthenticationEnabled: false,
      DicomAet: 'ORTHANC',
      DicomPort: port,
      DicomAlwaysAllowStore: true,
      StorageDirectory: folder,
      IndexDirectory: folder,
    };
    const file = path.join(folder, 'orthanc.json');
    writeFileSync(file, JSON.stringify(settings));
    await started(spawn('Orthanc', [file], { stdio: 'ignore' }), { host: '127.0.0.1', port, aeTitle: 'ORTHANC' });
    const deviceId = await sending.addDevice({ aeTitle: 'ORTHANC', port });
    for (const _ of [1, 2]) {
      const id = await sending.send({ deviceId, patientId });
      expect(await sending.reaches(id, 'done')).toMatchObject({ total: 3, sent: 3 });
    }
    const ids: string[] = await (await fetch(`http://127.0.0.1:${httpPort}/instances`)).json();
    expect(ids).toHaveLength(3);
  });
});

describe('a device that is called by TLS', () => {
  it('gets images when its certificate is of the authority, and nothing otherwise', async () => {
    const file = (name: string) => path.join(folder, name);
    for (const name of ['archive', 'device', 'stranger'])
      await run(
        'openssl',
        `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${file(`${name}.key`)} -out ${file(`${name}.pem`)}`.split(
          ' ',
        ),
      );
    const certified = (name: string) => ({
      cert: readFileSync(file(`${name}.pem`)),
      key: readFileSync(file(`${name}.key`)),
      ca: readFileSync(file('archive.pem')),
      requestCert: true,
      rejectUnauthorized: true,
    });
    const tls = callTlsOf({
      certificateFile: file('archive.pem'),
      keyFile: file('archive.key'),
      authorityFile: file('device.pem'),
    });
    const secure = sendingUnderTest(archive, { tls });
    onTestFinished(() => secure.close());
    await sending.stop();
    onTestFinished(() => sending.restart());
    const [device, stranger] = [
      await startArchive({ tls: certified('device') }),
      await startArchive({ tls: certified('stranger') }),
    ];
    const send = async (aeTitle: string, port: number, isByTls: boolean) =>
      secure.send({
        deviceId: await secure.addDevice({ aeTitle, address: '127.0.0.1', port, tls: isByTls }),
        patientId,
      });
    const [one, two, three] = [
      await send('DEVICE', device.port, true),
      await send('STRANGER', stranger.port, true),
      await send('PLAIN', device.port, false),
    ];
    expect(await secure.reaches(one, 'done')).toMatchObject({ sent: 3 });
    expect(await secure.reaches(two, 'failed')).toMatchObject({ sent: 0, failure: 'unreachable' });
    expect(await secure.reaches(three, 'failed')).toMatchObject({ sent: 0, failure: 'unreachable' });
    expect(stranger.stored).toEqual([]);
  });
});
