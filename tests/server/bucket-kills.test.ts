import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importSteps } from '../../contract/imports.ts';
import { openFilesRoot } from '../../server/files-root.ts';
import { sweepOrphans } from '../../server/imports/sweep.ts';
import { homeOf } from '../../server/storage/home-of.ts';
import { bucketConfigOf } from './bucket-under-test.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';
import { type ObjectStoreProcess, startObjectStore } from './object-store-process.ts';
import { seeded } from './seeded.ts';
import { smallObject } from './small-object.ts';

const seed = Number(process.env.DENTARIUM_SEED ?? 20_261_129);
const timeMs = 40_000;
const partBytes = 40_000;

let mortal: MortalArchive;
let objectStore: ObjectStoreProcess;
const folders: string[] = [];

beforeAll(async () => {
  objectStore = await startObjectStore();
  mortal = await mortalArchive('bucket-kills');
});
afterAll(async () => {
  await mortal?.close();
  await objectStore?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A node with its own data folder, which is killed and restarted. */
const openNode = async () => {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-node-'));
  folders.push(dataFolder);
  let living: ReturnType<MortalArchive['start']>;
  const start = async () => {
    living = mortal.start({ leaseSeconds: 0.5, bucket: bucketConfigOf(objectStore), dataFolder });
    await living.url;
  };
  await start();
  return { dataFolder, start, kill: () => living.kill(), url: () => living.url };
};
type Node = Awaited<ReturnType<typeof openNode>>;

test(`two nodes on one bucket lose nothing acknowledged when they are killed at random moments (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  const { below } = seeded(seed);
  const nodes: readonly Node[] = [await openNode(), await openNode()];
  const nodeOf = (index: number) => nodes[index % nodes.length] as Node;
  let call = 0;
  /** Repeats a request until one of the nodes replies, another one each time. */
  const send = async (target: string, init: () => RequestInit = () => ({})) => {
    for (;;) {
      call += 1;
      try {
        const reply = await fetch(`${await nodeOf(call).url()}${target}`, init());
        const body = await reply.json();
        if (reply.status !== 503) return { status: reply.status, body };
      } catch {
        // Killed meanwhile.
      }
      await pause(20);
    }
  };
  const post = (target: string, body: unknown) =>
    send(target, () => ({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }));

  const acknowledged = new Map<string, string>();
  const images = new Map<string, Uint8Array>();
  const objectOf = (run: number, index: number, side = 20) => {
    const pixels = new Uint16Array(side * side).fill(run * 100 + index);
    const uid = `2.25.7${run}0${index}`;
    const bytes = smallObject({
      SOPInstanceUID: uid,
      StudyInstanceUID: `2.25.8${run}`,
      Rows: side,
      Columns: side,
      PixelData: pixels,
    });
    images.set(hashOf(bytes), bytes);
    return bytes;
  };

  const uploadLoose = async (id: string, run: number) => {
    const files = Array.from({ length: 6 }, (_, index) => [`${index}.dcm`, objectOf(run, index)] as const);
    const { status, body } = await send('/resource/ImageImport/batch', () => {
      const form = new FormData();
      form.append('id', id);
      for (const [name, bytes] of files) {
        form.append('path', name);
        form.append('files', new Blob([Uint8Array.from(bytes)]), name);
      }
      return { method: 'POST', body: form };
    });
    expect(status, JSON.stringify(body)).toBe(200);
    for (const file of body.files) acknowledged.set(file.fileId, file.sha256);
  };

  const uploadInParts = async (id: string, bytes: Uint8Array) => {
    const key = randomUUID();
    const open = () => post('/resource/ImageImport/part', { id, key, path: 'large.dcm', sizeBytes: bytes.length });
    let answer = await open();
    while (answer.status === 200 && answer.body.file === null) {
      const { receivedBytes: offset } = answer.body;
      const sent = await send(`/resource/ImageImport/part?id=${id}&key=${key}&offset=${offset}`, () => ({
        method: 'PUT',
        body: Uint8Array.from(bytes.subarray(offset, offset + partBytes)),
        headers: { 'content-type': 'application/octet-stream' },
      }));
      answer = sent.status === 200 ? sent : await open();
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.file.sha256).toBe(hashOf(bytes));
    acknowledged.set(answer.body.file.fileId, answer.body.file.sha256);
  };

  const importOnce = async (run: number): Promise<void> => {
    const id = randomUUID();
    const begun = { id, patientId: mortal.patientId, kind: 'dicom', name: 'kills', totalFilesCount: 7 };
    expect((await post('/resource/ImageImport', begun)).status).toBe(200);
    await uploadLoose(id, run);
    await uploadInParts(id, objectOf(run, 9, 300));
    expect((await post('/resource/ImageImport/dicom/parse', { id })).status).toBe(200);
    const at = async (step: number) => {
      for (;;) {
        const { body } = await send(`/resource/ImageImport/${id}`);
        if (body.step >= step || body.error) return body;
        await pause(15);
      }
    };
    expect(await at(importSteps.validation)).toMatchObject({ error: false });
    expect((await post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: false })).status).toBe(200);
    const done = await at(importSteps.done);
    expect(done.files.map(({ status }: { status: string }) => status)).toEqual(Array(7).fill('imported'));
  };

  const ends = Date.now() + timeMs;
  let kills = 0;
  let over = false;
  const killer = (async () => {
    while (!over) {
      // Long enough that both nodes serve at times, also on a slow machine.
      await pause(1_000 + below(4_000));
      const node = nodeOf(kills);
      await node.kill();
      kills += 1;
      await node.start();
    }
  })();
  killer.catch(() => undefined);
  let runs = 0;
  try {
    for (; Date.now() < ends; runs += 1) await importOnce(runs + 1);
  } finally {
    over = true;
    await killer;
  }

  const { db } = mortal;
  const rows = await db.selectFrom('image').select(['id', 'sha256']).execute();
  expect(rows.map(({ sha256 }) => sha256).sort()).toEqual([...images.keys()].sort());
  const held = new Map(
    (await db.selectFrom('import_file').select(['id', 'sha256']).execute()).map(({ id, sha256 }) => [id, sha256]),
  );
  for (const [fileId, sha256] of acknowledged) expect(held.get(fileId)).toBe(sha256);
  for (const { id, sha256 } of rows) {
    const reply = await fetch(`${await nodeOf(1).url()}/resource/viewset/get_image?imageUID=${id}`);
    expect(hashOf(new Uint8Array(await reply.arrayBuffer()))).toBe(sha256);
  }
  for (const node of nodes) await node.kill();

  const root = await openFilesRoot({ dataFolder: nodeOf(0).dataFolder, filesBucket: bucketConfigOf(objectStore) });
  const home = homeOf(root);
  const drafts = await home.openDrafts();
  const retention = { orphanMs: -60_000, keepMs: 7 * 24 * 3_600_000, quarantineDays: 30 };
  const swept = await sweepOrphans({ db, root, drafts, retention });
  const stored = (await objectStore.objects()).filter((key) => key.startsWith('files/'));
  expect(new Set(stored)).toEqual(new Set([...images.keys()].map((sha256) => `files/${sha256}`)));
  expect((await objectStore.objects()).filter((key) => /^(parts|removing)\//.test(key))).toEqual([]);
  expect(await objectStore.uploads()).toEqual([]);
  expect(await readdir(path.join(nodeOf(0).dataFolder, 'cache', 'temporary'))).toEqual([]);
  home.close();
  console.log(
    `bucket: ${kills} kills, ${runs} imports, ${rows.length} images, ${swept.files} orphans swept (seed ${seed})`,
  );
});
