import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Database } from '../../server/db/client.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { type ChildServer, startChild } from './child-server.ts';
import { addTwoClinics } from './clinic.ts';
import { signIn } from './running-server.ts';
import { smallObject } from './small-object.ts';

/** Only root may mount a disk of its own. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const megabyte = 2 ** 20;
const email = 'doctor@prov.example';

let folder: string;
let server: ChildServer;
let database: Database;
let patientId: string;

const run = (command: string, ...args: string[]) => {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
};
const ballast = () => path.join(folder, 'ballast');

beforeAll(async () => {
  if (!canMount) return;
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-full-'));
  run('mount', '-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder);
  await chmod(folder, 0o755);
  await writeFile(ballast(), Buffer.alloc(60 * megabyte));
  const dataFolder = path.join(folder, 'data');
  await mkdir(dataFolder);
  server = await startChild(dataFolder);
  database = connect(
    { host: path.join(dataFolder, 'database'), user: 'postgres', database: 'dentarium' },
    { connections: 2 },
  );
  const { customerId } = await addTwoClinics(database.db);
  patientId = randomUUID();
  await insertPatient(database.db, {
    id: patientId,
    customerId,
    firstName: 'Åsa',
    lastName: 'Lindström',
    personalNumber: '19800101-1234',
    birthDate: '1980-01-01',
    sex: 'F',
    comments: null,
  });
});
afterAll(async () => {
  if (!canMount) return;
  await database?.close();
  await server?.stop('SIGTERM');
  run('umount', folder);
  await rm(folder, { recursive: true, force: true });
});

/** Returns an image of 2.5 MB that is equal to no other. */
const object = (number: number): Uint8Array =>
  smallObject({
    StudyInstanceUID: '2.25.9100',
    SeriesInstanceUID: '2.25.9101',
    SOPInstanceUID: `2.25.9102.${number}`,
    Rows: 1_000,
    Columns: 1_250,
    PixelData: Uint16Array.from({ length: 1_250_000 }, (_, index) => (index * 31 + number * 977) % 4096),
  });

test.skipIf(!canMount)(
  'imports on a full disk of 300 MB wait with clear words, lose nothing, and continue without a restart',
  async () => {
    const { access_token: token } = await signIn(server.url, email);
    const call = async (target: string, init: RequestInit = {}) => {
      const reply = await fetch(`${server.url}${target}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      });
      return { status: reply.status, body: await reply.json() };
    };
    const post = (target: string, body: unknown) =>
      call(target, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const id = randomUUID();
    expect((await post('/resource/ImageImport', { id, patientId, totalFilesCount: 200 })).status).toBe(200);
    const send = async (number: number) => {
      const form = new FormData();
      form.append('id', id);
      form.append('path', `${number}.dcm`);
      form.append('files', new Blob([Uint8Array.from(object(number))]), `${number}.dcm`);
      return call('/resource/ImageImport/batch', { method: 'POST', body: form });
    };
    const acknowledged: string[] = [];
    const remember = (body: { readonly files: readonly { readonly sha256: string }[] }) =>
      acknowledged.push(...body.files.map(({ sha256 }) => sha256));
    let rejected = null;
    while (rejected === null && acknowledged.length < 200) {
      const { status, body } = await send(acknowledged.length);
      if (status === 200) remember(body);
      else rejected = { status, body };
    }
    expect(rejected).toMatchObject({ status: 507, body: { code: 'storage-full' } });
    expect(acknowledged.length).toBeGreaterThan(5);

    // Another program takes what the reserve has left.
    const rest = path.join(folder, 'rest');
    spawnSync('dd', ['if=/dev/zero', `of=${rest}`, 'bs=1M']);
    const statusOf = async (target: string) => (await call(target)).status;
    expect(await statusOf('/api/account/me').catch(() => 0)).not.toBe(500);
    expect((await send(300)).status).toBe(507);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    await rm(rest);

    expect((await signIn(server.url, email)).access_token).toBeTruthy();
    expect(await statusOf(`/resource/patient/${patientId}`)).toBe(200);

    await rm(ballast());
    await expect
      .poll(async () => (await send(acknowledged.length)).status, { timeout: 30_000, interval: 500 })
      .toBe(200);
    expect((await post('/resource/ImageImport/dicom/parse', { id })).status).toBe(200);
    const step = async () => (await call(`/resource/ImageImport/${id}`)).body.step;
    await expect.poll(step, { timeout: 60_000 }).toBe(3);
    expect((await post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true })).status).toBe(200);
    await expect.poll(step, { timeout: 120_000 }).toBe(5);
    const { files } = (await call(`/resource/ImageImport/${id}`)).body;
    expect(files.filter(({ status }: { status: string }) => status !== 'imported')).toEqual([]);
    const root = path.join(folder, 'data', 'files');
    const stored = new Map((await readdir(root, { recursive: true })).map((name) => [path.basename(name), name]));
    for (const sha256 of acknowledged) {
      const bytes = await readFile(path.join(root, stored.get(sha256) ?? sha256));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
  },
  300_000,
);
