import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { comparable, displayedMount, mediumOf } from './displays-under-test.ts';
import { usingEmptyInstallation } from './empty-installation.ts';

const isThere = (() => {
  try {
    execFileSync('which', ['Orthanc']);
    return true;
  } catch {
    return false;
  }
})();
if (!isThere) console.log('Orthanc is not installed: mounts are not tested with it.');

const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-orthanc-'));
let orthanc: ChildProcess;
let url = '';

/** Calls Orthanc, and waits until it has started. */
const call = async (target: string, body?: Uint8Array<ArrayBuffer>): Promise<Response> => {
  for (;;) {
    if (orthanc.exitCode !== null) throw new Error(`Orthanc ended with ${orthanc.exitCode}`);
    const reply = await fetch(`${url}${target}`, body === undefined ? {} : { method: 'POST', body }).catch(() => null);
    if (reply?.ok) return reply;
    if (reply) throw new Error(`${target}: ${reply.status} ${await reply.text()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const idsOf = async (target: string): Promise<string[]> => (await call(target)).json();
const fileOf = async (id: string) => Buffer.from(await (await call(`/instances/${id}/file`)).arrayBuffer());

describe.skipIf(!isThere)('a mount that another archive stores', () => {
  let clinic: Awaited<ReturnType<typeof displayedMount>>;
  beforeAll(async () => {
    clinic = await displayedMount();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const storage = path.join(folder, 'storage');
    const settings = {
      HttpPort: port,
      AuthenticationEnabled: false,
      DicomServerEnabled: false,
      StorageDirectory: storage,
      IndexDirectory: storage,
    };
    const file = path.join(folder, 'orthanc.json');
    writeFileSync(file, JSON.stringify(settings));
    orthanc = spawn('Orthanc', [file], { stdio: 'ignore' });
    await call('/system');
  });
  afterAll(async () => {
    orthanc?.kill('SIGKILL');
    await clinic?.bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('comes back byte for byte, and is the same mount in an empty installation, value by value', async () => {
    const medium = await mediumOf(clinic.bench, { patientId: clinic.bench.patientId });
    const sent = [...medium.files].filter(([name]) => name.startsWith('DICOM/')).map(([, bytes]) => bytes);
    // Three images, their states and the mount.
    expect(sent).toHaveLength(7);
    for (const bytes of sent) await call('/instances', new Uint8Array(bytes));
    const returned = await Promise.all((await idsOf('/instances')).map(fileOf));
    expect(returned.toSorted(Buffer.compare)).toEqual(sent.toSorted(Buffer.compare));
    await usingEmptyInstallation(async (other) => {
      await other.importFiles(Object.fromEntries(returned.map((bytes, index) => [`${index}.dcm`, bytes])));
      const [arrived, ...more] = await other.mounts();
      expect(more).toEqual([]);
      expect(arrived && comparable(arrived)).toEqual(comparable(clinic.viewset));
      expect(arrived?.arrival).toEqual({ missing: [], notTaken: [] });
    });
  });
});
