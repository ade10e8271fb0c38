import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { readPostmaster } from '../../server/db/postmaster.ts';
import { echoNode } from '../../server/dimse/user/echo.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { createRequests } from '../../server/dimse/user/requests.ts';
import { freePort } from '../free-port.ts';
import { startChild } from './child-server.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { addStoringDevice, databaseIn, gatewaySettings, startGatewayProcess } from './gateway-process-under-test.ts';

const run = promisify(execFile);
const hasDcmtk = existsSync('/usr/bin/storescu');
if (!hasDcmtk) console.log('DCMTK is not installed: TLS and the log are not tested with it.');
let folder: string;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-gateway-'));
  port = await freePort();
  // After the processes of the test have ended; their database ends a moment later.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 }));
});

const node = () => ({ host: '127.0.0.1', port, aeTitle: 'ARCHIVE' });
const settings = () => gatewaySettings(port);
const startGateway = (environment?: Readonly<Record<string, string>>) =>
  startGatewayProcess(folder, { ...settings(), ...environment });

const received = async () => {
  const { db, close } = databaseIn(folder);
  const rows = await db.selectFrom('import_file').select(['file_name', 'sha256']).execute();
  await close();
  return rows;
};
const isClosed = async () => (await echoNode(node(), 'UNIT')) === 'unreachable';

describe('the process for DICOM devices', () => {
  it('is started with the server, admits listed devices, and ends with the server', async () => {
    const server = await startChild(folder, ['--dicom'], settings());
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await expect.poll(() => echoNode(node(), 'UNIT'), { timeout: 30_000 }).toBe('rejected');
    await addStoringDevice(folder);
    expect(await echoNode(node(), 'UNIT')).toBe('answered');
    expect(await server.stop('SIGTERM')).toBe(0);
    await expect.poll(isClosed, { timeout: 10_000 }).toBe(true);
  });

  it('ends when the server is killed', async () => {
    const server = await startChild(folder, ['--dicom'], settings());
    await expect.poll(() => echoNode(node(), 'UNIT'), { timeout: 30_000 }).toBe('rejected');
    await server.stop('SIGKILL');
    await expect.poll(isClosed, { timeout: 20_000 }).toBe(true);
    const { pid } = readPostmaster(path.join(folder, 'database')) ?? {};
    if (pid) process.kill(pid, 'SIGQUIT');
  });

  it('loses nothing that it has acknowledged when it is killed, and stores it once when it is sent again', async () => {
    const server = await startChild(folder, [], settings());
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await addStoringDevice(folder);
    const files = Array.from({ length: 40 }, (_, index) => objectAt('2.25.161', {}, index + 1));
    const sopClassUid = '1.2.840.10008.5.1.4.1.1.1.1';
    const acknowledged = new Set<string>();
    const send = async (onStored: () => void = () => undefined) => {
      const contexts = [
        { id: 1, abstractSyntax: sopClassUid, transferSyntaxes: [transferSyntaxes.explicitLittleEndian] },
      ];
      const association = await openAssociation(node(), 'UNIT', contexts);
      const { store } = createRequests(association);
      for (const file of files) {
        const { dataSet } = readDicomFile(file);
        const sopInstanceUid = dataSet.code(0x00080018) ?? '';
        const [tag = 0] = dataSet.elements.keys();
        const bytes = file.subarray((dataSet.elements.get(tag)?.offset ?? 0) - 8);
        const object = { sopClassUid, sopInstanceUid, transferSyntaxUid: transferSyntaxes.explicitLittleEndian };
        const { status } = await store({ ...object, dataSet: Readable.from([bytes]) });
        if (status === 0) acknowledged.add(sopInstanceUid);
        onStored();
      }
      await association.release();
    };
    for (const killAt of [3, 11, 25]) {
      const gateway = await startGateway();
      const before = acknowledged.size;
      let sent = 0;
      await send(() => {
        sent += 1;
        if (sent === killAt) void gateway.stop('SIGKILL');
      }).catch(() => undefined);
      expect(acknowledged.size).toBeGreaterThanOrEqual(before);
    }
    const gateway = await startGateway();
    await send();
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(acknowledged.size).toBe(files.length);
    const rows = await received();
    expect(rows.map(({ file_name }) => file_name.replace('.dcm', '')).sort()).toEqual([...acknowledged].sort());
    expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(files.length);
  });

  it('speaks TLS with devices that have a certificate of the authority', async () => {
    const file = (name: string) => path.join(folder, name);
    const certify = async (name: string) =>
      run(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-keyout',
          file(`${name}.key`),
          '-out',
          file(`${name}.pem`),
        ].concat(['-days', '2', '-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']),
      );
    const server = await startChild(folder, [], settings());
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await addStoringDevice(folder);
    for (const name of ['archive', 'unit', 'stranger']) await certify(name);
    const gateway = await startGateway({
      DENTARIUM_DICOM_TLS_CERTIFICATE_FILE: file('archive.pem'),
      DENTARIUM_DICOM_TLS_KEY_FILE: file('archive.key'),
      DENTARIUM_DICOM_TLS_CA_FILE: file('unit.pem'),
    });
    const by = (name: string) => ({
      ...node(),
      tls: {
        ca: readFileSync(file('archive.pem')),
        cert: readFileSync(file(`${name}.pem`)),
        key: readFileSync(file(`${name}.key`)),
      },
    });
    expect(await echoNode(by('unit'), 'UNIT')).toBe('answered');
    expect(await echoNode(by('stranger'), 'UNIT')).toBe('unreachable');
    expect(await echoNode(node(), 'UNIT')).toBe('unreachable');
    if (hasDcmtk) {
      writeFileSync(file('image.dcm'), objectAt('2.25.162'));
      const called = ['-aet', 'UNIT', '-aec', 'ARCHIVE', '127.0.0.1', String(port), file('image.dcm')];
      const by = (name: string) => ['+tls', file(`${name}.key`), file(`${name}.pem`), '+cf', file('archive.pem')];
      await run('storescu', [...by('unit'), ...called]);
      await expect(run('storescu', [...by('stranger'), ...called])).rejects.toThrow();
      expect((await received()).map(({ file_name }) => file_name)).toEqual(['2.25.162.1.1.1.dcm']);
    }
    expect(await gateway.stop('SIGTERM')).toBe(0);
  });

  it.skipIf(!hasDcmtk)('writes nothing of what devices send and ask for into its log', async () => {
    const server = await startChild(folder, [], settings());
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await addStoringDevice(folder);
    const gateway = await startGateway();
    const [name, number, born, root] = ['Hemlig^Åsa', '19770807-2383', '19770807', '2.25.163'];
    const image = path.join(folder, 'image.dcm');
    writeFileSync(image, objectAt(root, { PatientName: name, PatientID: number, PatientBirthDate: born }));
    const called = ['-aet', 'UNIT', '-aec', 'ARCHIVE', '127.0.0.1', String(port)];
    const keys = [
      `PatientName=${name}`,
      `PatientID=${number}`,
      `PatientBirthDate=${born}`,
      `StudyInstanceUID=${root}.1`,
    ];
    const identifier = ['QueryRetrieveLevel=STUDY', ...keys].flatMap((key) => ['-k', key]);
    await run('storescu', [...called, image]);
    await run('findscu', ['-S', ...identifier, ...called]);
    for (const program of ['getscu', 'movescu'])
      await run(program, ['-S', ...identifier, ...called]).catch(() => undefined);
    // A data set that ends in the middle of an element.
    const sopClassUid = '1.2.840.10008.5.1.4.1.1.1.1';
    const transferSyntaxUid = transferSyntaxes.explicitLittleEndian;
    const contexts = [{ id: 1, abstractSyntax: sopClassUid, transferSyntaxes: [transferSyntaxUid] }];
    const association = await openAssociation(node(), 'UNIT', contexts);
    const broken = Buffer.from(`\x10\0\x10\0PN\xff\xff${name}${number}${born}`, 'latin1');
    const object = {
      sopClassUid,
      sopInstanceUid: `${root}.1.1.2`,
      transferSyntaxUid,
      dataSet: Readable.from([broken]),
    };
    await createRequests(association).store(object);
    await association.release();
    // Without the database the next association is a failure, which is logged.
    expect(await server.stop('SIGTERM')).toBe(0);
    await run('storescu', [...called, image]).catch(() => undefined);
    await gateway.stop('SIGTERM');
    const log = readFileSync(path.join(folder, 'dicom.log'), 'utf8');
    expect(log.match(/association ended/g)?.length).toBeGreaterThan(4);
    expect(log).toContain('DICOM service failed');
    for (const secret of ['Hemlig', 'Åsa', number, number.replace('-', ''), '7708072383', born, '1977-08-07', root])
      expect(log).not.toContain(secret);
  });
});
