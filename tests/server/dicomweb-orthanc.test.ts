import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { deviceOf, quickTimes } from './receiving.ts';

const plugin = '/usr/share/orthanc/plugins/libOrthancDicomWeb.so';
const isThere = (() => {
  try {
    execFileSync('which', ['Orthanc']);
    return existsSync(plugin);
  } catch {
    return false;
  }
})();
if (!isThere) console.log('Orthanc and its DICOMweb plugin are not installed: its client is not tested.');

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const uid = '2.25.95';
const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-orthanc-'));
let archive: ArchiveUnderTest;
let orthanc: ChildProcess;
let url = '';

/** Calls Orthanc, and waits until it has started. */
const call = async (target: string, body?: object): Promise<Response> => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  for (;;) {
    if (orthanc.exitCode !== null) throw new Error(`Orthanc ended with ${orthanc.exitCode}`);
    const reply = await fetch(`${url}${target}`, init).catch(() => null);
    if (reply) return reply;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

describe.skipIf(!isThere)('Orthanc as a client', () => {
  beforeAll(async () => {
    archive = await archiveUnderTest({ receivingTimes: quickTimes });
    await dicomWebOf(archive).addPatient(
      { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' },
      [1, 2].map((number) => objectAt(uid, {}, number)),
    );
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const own = {
      Url: `${archive.url}/dicomweb/${archive.clinics.customerId}`,
      HttpHeaders: { Authorization: `Bearer ${archive.clinics.doctorId}` },
    };
    const settings = {
      HttpPort: port,
      AuthenticationEnabled: false,
      DicomServerEnabled: false,
      StorageDirectory: path.join(folder, 'storage'),
      IndexDirectory: path.join(folder, 'storage'),
      Plugins: [plugin],
      DicomWeb: { Servers: { own } },
    };
    const file = path.join(folder, 'orthanc.json');
    writeFileSync(file, JSON.stringify(settings));
    orthanc = spawn('Orthanc', [file], { stdio: 'ignore' });
    await call('/system');
  });
  afterAll(async () => {
    orthanc?.kill('SIGKILL');
    await archive?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds studies', async () => {
    const reply = await call('/dicom-web/servers/own/qido', { Uri: '/studies', Arguments: { PatientName: 'Lind*' } });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject([{ '0020000D': { Value: `${uid}.1` } }]);
  });

  it('fetches a study, byte for byte', async () => {
    const body = { Resources: [{ Study: `${uid}.1` }], Synchronous: true };
    const reply = await call('/dicom-web/servers/own/retrieve', body);
    expect(reply.status, await reply.clone().text()).toBe(200);
    const instances: string[] = await (await call('/instances')).json();
    const files = await Promise.all(
      instances.map(async (id) => Buffer.from(await (await call(`/instances/${id}/file`)).arrayBuffer())),
    );
    const sent = [1, 2].map((number) => Buffer.from(objectAt(uid, {}, number)));
    expect(files.toSorted(Buffer.compare)).toEqual(sent.toSorted(Buffer.compare));
  });

  it('sends a study, which comes back as it was when a user has imported it', async () => {
    const root = '2.25.96';
    const sent = [1, 2].map((number) => Buffer.from(objectAt(root, {}, number)));
    const ids: string[] = [];
    for (const bytes of sent) {
      const added = await fetch(`${url}/instances`, { method: 'POST', body: bytes });
      ids.push(((await added.json()) as { ID: string }).ID);
    }
    const stow = await call('/dicom-web/servers/own/stow', { Resources: ids, Synchronous: true });
    expect(stow.status, await stow.clone().text()).toBe(200);
    const task = await archive.db
      .selectFrom('import_task')
      .select('id')
      .where('source_study', '=', `${root}.1`)
      .executeTakeFirstOrThrow();
    await deviceOf(archive).judged(task.id);
    const [patient] = (await archive.task(task.id)).studies;
    await clinicImport(archive).decided(task.id, `${root}.1`, { patientId: patient?.patient?.id ?? null });
    await clinicImport(archive).imported(task.id);
    for (const id of ids) await fetch(`${url}/instances/${id}`, { method: 'DELETE' });
    const body = { Resources: [{ Study: `${root}.1` }], Synchronous: true };
    expect((await call('/dicom-web/servers/own/retrieve', body)).status).toBe(200);
    const files = await Promise.all(
      ids.map(async (id) => Buffer.from(await (await call(`/instances/${id}/file`)).arrayBuffer())),
    );
    expect(files).toEqual(sent);
  });
});
