import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { startCommitmentReports } from '../../server/dicom-gateway/commitment/commitment-reports.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { sendingUnderTest } from './sending-under-test.ts';

const isThere = (() => {
  try {
    execFileSync('which', ['Orthanc']);
    return true;
  } catch {
    return false;
  }
})();
if (!isThere) console.log('Orthanc is not installed: the gateway is not tested with it.');

const [stored, sent] = ['2.25.181', '2.25.182'];
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-orthanc-'));
let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let orthanc: ChildProcess;
let url = '';
let deviceId = '';
let patientId = '';

/** Calls Orthanc, and waits until it has started. */
const call = async (target: string, body?: BodyInit): Promise<Response> => {
  for (;;) {
    if (orthanc.exitCode !== null) throw new Error(`Orthanc ended with ${orthanc.exitCode}`);
    const reply = await fetch(`${url}${target}`, body === undefined ? {} : { method: 'POST', body }).catch(() => null);
    if (reply) return reply;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const json = async (target: string, body?: object) => {
  const reply = await call(target, body && JSON.stringify(body));
  if (!reply.ok) throw new Error(`${target}: ${reply.status} ${await reply.text()}`);
  return reply.json();
};

describe.skipIf(!isThere)('Orthanc as a device', () => {
  beforeAll(async () => {
    archive = await archiveUnderTest();
    gateway = await gatewayUnderTest(archive);
    const files = [1, 2].map((number) => objectAt(stored, patient, number));
    patientId = await dicomWebOf(archive).addPatient({ personalNumber: '19800101-1234' }, files);
    const [httpPort, dicomPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${httpPort}`;
    deviceId = await gateway.addDevice({ aeTitle: 'ORTHANC', port: dicomPort, canStore: true, asksCommitment: true });
    const settings = {
      HttpPort: httpPort,
      AuthenticationEnabled: false,
      DicomAet: 'ORTHANC',
      DicomPort: dicomPort,
      DicomModalities: { dentarium: [gatewayTitle, '127.0.0.1', gateway.port] },
      StorageDirectory: path.join(folder, 'storage'),
      IndexDirectory: path.join(folder, 'storage'),
    };
    const file = path.join(folder, 'orthanc.json');
    writeFileSync(file, JSON.stringify(settings));
    orthanc = spawn('Orthanc', [file], { stdio: 'ignore' });
    await call('/system');
  });
  afterAll(async () => {
    orthanc?.kill('SIGKILL');
    await gateway?.close();
    await archive?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('verifies the connection', async () => {
    expect((await call('/modalities/dentarium/echo', '{}')).status).toBe(200);
  });

  it('finds a study and has it sent to itself', async () => {
    const query = { Level: 'Study', Query: { PatientName: 'LIND*', StudyInstanceUID: '' } };
    const { ID } = await json('/modalities/dentarium/query', query);
    expect(await json(`/queries/${ID}/answers`)).toEqual(['0']);
    expect(await json(`/queries/${ID}/answers/0/content?simplify`)).toMatchObject({
      StudyInstanceUID: `${stored}.1`,
      PatientName: 'Lindström^Åsa',
    });
    await json(`/queries/${ID}/answers/0/retrieve`, { TargetAet: 'ORTHANC', Synchronous: true });
    const instances: string[] = await json('/instances');
    const files = await Promise.all(
      instances.map(async (id) => new Uint8Array(await (await call(`/instances/${id}/file`)).arrayBuffer())),
    );
    const uids = files.map((file) => readDicomFile(file).dataSet.code(tags.sopInstanceUid));
    expect(uids.sort()).toEqual([`${stored}.1.1.1`, `${stored}.1.1.2`]);
  });

  it('asks for storage commitment, and gets the report', async () => {
    const reports = startCommitmentReports({
      db: archive.db,
      aeTitle: gatewayTitle,
      tls: {},
      onOutcome: () => undefined,
      onFailure: (error) => gateway.failures.push(error),
    });
    const instances = [`${stored}.1.1.1`, `${stored}.1.1.2`, '2.25.183'].map((SOPInstanceUID) => {
      return { SOPClassUID: '1.2.840.10008.5.1.4.1.1.1.1', SOPInstanceUID };
    });
    const ask = async (DicomInstances: readonly object[]): Promise<string> =>
      (await json('/modalities/dentarium/storage-commitment', { DicomInstances })).Path;
    const [all, some] = [await ask(instances.slice(0, 2)), await ask(instances)];
    const reported = (path: string) => expect.poll(() => json(path), { timeout: 20_000 });
    await reported(all).toMatchObject({ Status: 'Success', Success: instances.slice(0, 2), Failures: [] });
    await reported(some).toMatchObject({
      Status: 'Failure',
      Success: instances.slice(0, 2),
      Failures: [{ ...instances[2], Description: expect.any(String) }],
    });
    await reports.close();
    expect(gateway.failures).toEqual([]);
  });

  it('is asked for storage commitment after a sending, and confirms the images that it has', async () => {
    const sending = sendingUnderTest(archive, { limits: usualLimits });
    onTestFinished(() => sending.close());
    const id = await sending.send({ deviceId, patientId });
    const commitment = async () => (await sending.byId(id)).commitment;
    await expect.poll(commitment, { timeout: 30_000 }).toBe('confirmed');
    expect(await sending.byId(id)).toMatchObject({ state: 'done', failure: null, sent: 2, notConfirmed: 0 });
    expect([sending.failures, gateway.failures]).toEqual([[], []]);
  });

  it('does not confirm an image that it has lost', async () => {
    const sending = sendingUnderTest(archive, { limits: usualLimits });
    await sending.stop();
    const { db } = archive;
    const id = await sending.send({ deviceId, patientId });
    // As if the images were sent, and the device had lost one before it was asked.
    await db.updateTable('dicom_sending_image').set({ outcome: 'sent' }).where('sending_id', '=', id).execute();
    for (const instance of (await json('/instances')) as string[]) {
      const { MainDicomTags } = await json(`/instances/${instance}`);
      if (MainDicomTags.SOPInstanceUID === `${stored}.1.1.2`)
        await fetch(`${url}/instances/${instance}`, { method: 'DELETE' });
    }
    sending.restart();
    onTestFinished(() => sending.close());
    const commitment = async () => (await sending.byId(id)).commitment;
    await expect.poll(commitment, { timeout: 30_000 }).toBe('not-confirmed');
    expect(await sending.byId(id)).toMatchObject({ sent: 2, notConfirmed: 1 });
  });

  it('sends an image, which waits for a user', async () => {
    const { ID } = await (await call('/instances', Buffer.from(objectAt(sent, patient)))).json();
    await json('/modalities/dentarium/store', { Resources: [ID], Synchronous: true });
    const made = await archive.db
      .selectFrom('import_task')
      .selectAll()
      .where('source_study', '=', `${sent}.1`)
      .execute();
    expect(made).toMatchObject([{ source: 'dicom', source_name: 'PACS', account_id: null }]);
    expect(gateway.failures).toEqual([]);
  });
});
