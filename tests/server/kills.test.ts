import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yazl from 'yazl';
import { type ImportTask, importSteps } from '../../contract/imports.ts';
import { sweepOrphans } from '../../server/imports/sweep.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import { openPartDrafts } from '../../server/storage/part-drafts.ts';
import { type MortalArchive, mortalArchive } from './killable-archive.ts';
import { seeded } from './seeded.ts';
import { smallObject } from './small-object.ts';

/** Number of kills (DENTARIUM_KILLS), or as many as fit in a minute. */
const killLimit = Number(process.env.DENTARIUM_KILLS ?? Number.POSITIVE_INFINITY);
const timeMs = process.env.DENTARIUM_KILLS ? Number.POSITIVE_INFINITY : 60_000;
const seed = Number(process.env.DENTARIUM_SEED ?? 20_261_123);
const latestKillMs = 700;

let mortal: MortalArchive;

beforeAll(async () => {
  mortal = await mortalArchive('kills');
});
afterAll(() => mortal.close());

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The archive that is killed and restarted; `url` is that of the running process. */
const oftenKilled = () => {
  let living: ReturnType<MortalArchive['start']> | null = null;
  return {
    start: async () => {
      living = mortal.start({ leaseSeconds: 0.3 });
      living.url.catch(() => undefined);
      await living.url;
    },
    kill: async () => {
      await living?.kill();
    },
    url: async () => {
      if (!living) throw new Error('not started');
      return living.url;
    },
  };
};
type Archive = ReturnType<typeof oftenKilled>;

interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies of several calls, validated against the contract by the archive
  readonly body: any;
}

/** Repeats a request until it is answered, like a browser waiting for the connection. A request that broke off may have succeeded. */
const loadWithRetry = async (archive: Archive, target: string, init: () => RequestInit = () => ({})) => {
  for (;;) {
    try {
      const reply = await fetch(`${await archive.url()}${target}`, init());
      return { status: reply.status, body: await reply.json() } satisfies Reply;
    } catch {
      await pause(20);
    }
  }
};

const post = (archive: Archive, target: string, body: unknown) =>
  loadWithRetry(archive, target, () => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }));

const zipOf = async (files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> => {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), name, { compress: false });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

/** Hashes of all files of an import, including those inside a zip. */
interface Plan {
  readonly loose: ReadonlyMap<string, Uint8Array>;
  readonly zipped: ReadonlyMap<string, Uint8Array>;
  readonly zip: Uint8Array | null;
  /** Uploaded in parts. */
  readonly large: Uint8Array;
}

const planOf = async (run: number, below: (end: number) => number): Promise<Plan> => {
  const objectOf = (index: number, changes: Parameters<typeof smallObject>[0] = {}): [string, Uint8Array] => [
    `${index}.dcm`,
    smallObject({
      SOPInstanceUID: `2.25.7${run}0${index}`,
      StudyInstanceUID: `2.25.8${run}0${index % 3}`,
      SeriesInstanceUID: `2.25.9${run}0${index % 3}`,
      InstanceNumber: index + 1,
      ...changes,
    }),
  ];
  const many = 20 + below(30);
  const objects = Array.from({ length: many }, (_, index) => objectOf(index));
  const withZip = below(2) === 1;
  const cut = withZip ? below(many) : many;
  const zipped = new Map(objects.slice(cut));
  const side = 300;
  const [, large] = objectOf(many, { Rows: side, Columns: side, PixelData: new Uint16Array(side * side).fill(run) });
  return { loose: new Map(objects.slice(0, cut)), zipped, zip: withZip ? await zipOf(zipped) : null, large };
};

const formOf = (id: string, files: readonly (readonly [string, Uint8Array])[], field: string) => () => {
  const form = new FormData();
  form.append('id', id);
  for (const [name, bytes] of files) {
    form.append('path', name);
    form.append(field, new Blob([Uint8Array.from(bytes)]), name);
  }
  return { method: 'POST', body: form };
};

const partBytes = 40_000;

/** Uploads a large file in parts; asks for the offset after each failure. */
const uploadLarge = async (archive: Archive, id: string, bytes: Uint8Array, acknowledged: Acknowledged) => {
  const key = randomUUID();
  const open = () =>
    post(archive, '/resource/ImageImport/part', { id, key, path: 'large.dcm', sizeBytes: bytes.length });
  let answer = await open();
  while (answer.status === 200 && answer.body.file === null) {
    const { receivedBytes: offset } = answer.body;
    const target = `/resource/ImageImport/part?id=${id}&key=${key}&offset=${offset}`;
    const sent = await loadWithRetry(archive, target, () => ({
      method: 'PUT',
      body: Uint8Array.from(bytes.subarray(offset, offset + partBytes)),
      headers: { 'content-type': 'application/octet-stream' },
    }));
    // The part was stored before its reply was lost.
    answer = sent.status === 409 ? await open() : sent;
  }
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.file.sha256).toBe(hashOf(bytes));
  acknowledged.set(answer.body.file.fileId, answer.body.file.sha256);
};

/** What the archive has acknowledged and must not lose. File row -> hash. */
type Acknowledged = Map<string, string>;

const upload = async (archive: Archive, id: string, plan: Plan, acknowledged: Acknowledged) => {
  const waiting = [...plan.loose];
  while (waiting.length > 0) {
    const some = waiting.splice(0, 7);
    const { status, body } = await loadWithRetry(archive, '/resource/ImageImport/batch', formOf(id, some, 'files'));
    expect(status, JSON.stringify(body)).toBe(200);
    for (const file of body.files) acknowledged.set(file.fileId, file.sha256);
    expect(body.files.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(some.map(([, bytes]) => hashOf(bytes)));
  }
  await uploadLarge(archive, id, plan.large, acknowledged);
  if (!plan.zip) return;
  const { status, body } = await loadWithRetry(
    archive,
    '/resource/ImageImport/dicom/zip',
    formOf(id, [['disc.zip', plan.zip]], 'file'),
  );
  expect(status, JSON.stringify(body)).toBe(200);
  acknowledged.set(body.fileId, body.sha256);
};

const taskOf = async (archive: Archive, id: string): Promise<ImportTask> =>
  (await loadWithRetry(archive, `/resource/ImageImport/${id}`)).body;

const taskAt = async (archive: Archive, id: string, step: number): Promise<ImportTask> => {
  for (;;) {
    const task = await taskOf(archive, id);
    if (task.step >= step || task.error) return task;
    await pause(15);
  }
};

/** One whole import through all kills, driven like a browser. */
const importOnce = async (archive: Archive, plan: Plan, acknowledged: Acknowledged): Promise<ImportTask> => {
  const id = randomUUID();
  const totalFilesCount = plan.loose.size + 1 + (plan.zip ? 1 : 0);
  const started = await post(archive, '/resource/ImageImport', {
    id,
    patientId: mortal.patientId,
    kind: plan.zip ? 'dicomdir' : 'dicom',
    name: 'kills',
    totalFilesCount,
  });
  expect(started).toMatchObject({ status: 200, body: { id } });
  await upload(archive, id, plan, acknowledged);
  expect((await post(archive, '/resource/ImageImport/dicom/parse', { id })).status).toBe(200);
  const validated = await taskAt(archive, id, importSteps.validation);
  expect(validated.error).toBe(false);
  const confirmed = await post(archive, '/resource/ImageImport/dicom/import', { id, mismatchConfirmed: false });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  return taskAt(archive, id, importSteps.done);
};

const expectAcknowledgedThere = async (acknowledged: Acknowledged): Promise<void> => {
  const rows = await mortal.db.selectFrom('import_file').select(['id', 'sha256']).execute();
  const held = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  for (const [fileId, sha256] of acknowledged) expect(held.get(fileId), 'an acknowledged row').toBe(sha256);
};

const expectImported = async (archive: Archive, task: ImportTask, plan: Plan): Promise<void> => {
  expect(task).toMatchObject({ step: importSteps.done, error: false });
  const expected = [...plan.loose.values(), ...plan.zipped.values(), plan.large].map(hashOf).sort();
  const images = task.files.filter(({ status }) => status !== 'unpacked');
  expect(images.filter(({ status }) => status !== 'imported')).toEqual([]);
  expect(new Set(images.map(({ imageUid }) => imageUid)).size).toBe(expected.length);
  const uids = images.flatMap(({ imageUid }) => imageUid ?? []);
  const rows = await mortal.db.selectFrom('image').select('sha256').where('id', 'in', uids).execute();
  expect(rows.map(({ sha256 }) => sha256).sort()).toEqual(expected);
  const [first] = uids;
  const reply = await fetch(`${await archive.url()}/resource/viewset/get_image?imageUID=${first}`).catch(() => null);
  if (reply?.ok) expect(expected).toContain(hashOf(new Uint8Array(await reply.arrayBuffer())));
};

const storedFiles = async (): Promise<Set<string>> => {
  const names = await readdir(path.join(mortal.dataFolder, 'files'), { recursive: true });
  return new Set(names.map((name) => path.basename(name)).filter((name) => /^[0-9a-f]{64}$/.test(name)));
};

test(`loses and duplicates nothing acknowledged and leaves no orphans when killed at random moments (seed ${seed})`, {
  timeout: Number.isFinite(timeMs) ? 240_000 : 0,
}, async () => {
  const { below } = seeded(seed);
  const archive = oftenKilled();
  const acknowledged: Acknowledged = new Map();
  const ends = Date.now() + timeMs;
  let kills = 0;
  let over = false;
  await archive.start();
  const killer = (async () => {
    while (!over && kills < killLimit && Date.now() < ends) {
      await pause(below(latestKillMs));
      await archive.kill();
      kills += 1;
      await expectAcknowledgedThere(acknowledged);
      await archive.start();
    }
  })();
  killer.catch(() => undefined);

  const done: { readonly task: ImportTask; readonly plan: Plan }[] = [];
  try {
    for (let run = 0; Date.now() < ends && kills < killLimit; run++) {
      const plan = await planOf(run, below);
      const task = await Promise.race([
        importOnce(archive, plan, acknowledged),
        // A failed check of the import tables ends the test at once.
        killer.then(() => new Promise<never>(() => undefined)),
      ]);
      done.push({ task, plan });
    }
  } finally {
    over = true;
    await killer;
  }
  for (const { task, plan } of done) await expectImported(archive, task, plan);
  const { db } = mortal;
  const images = await db.selectFrom('image').select(['sop_instance_uid', 'sha256']).execute();
  expect(new Set(images.map(({ sop_instance_uid }) => sop_instance_uid)).size).toBe(images.length);
  expect(images.length).toBe(done.reduce((sum, { plan }) => sum + plan.loose.size + plan.zipped.size + 1, 0));
  await archive.kill();

  const before = await storedFiles();
  const named = await db
    .selectFrom('import_file')
    .select('sha256')
    .union(db.selectFrom('image').select('sha256'))
    .execute();
  const names = new Set(named.map(({ sha256 }) => sha256));
  for (const name of names) expect(name !== null && before.has(name), 'the bytes that a row names').toBe(true);
  await sweep();
  expect(await storedFiles()).toEqual(names);
  const drafts = await readdir(path.join(mortal.dataFolder, 'files', 'temporary')).catch(() => []);
  expect(drafts).toEqual([]);
  console.log(
    `kills: ${kills} kills, ${done.length} imports, ${images.length} images, ${before.size - names.size} orphans swept (seed ${seed})`,
  );
});

const sweep = async () => {
  const root = path.join(mortal.dataFolder, 'files');
  await openDiskStore(root);
  const drafts = await openPartDrafts(root);
  return sweepOrphans({
    db: mortal.db,
    root,
    drafts,
    retention: { orphanMs: -1, keepMs: 7 * 24 * 60 * 60 * 1000, quarantineDays: 30 },
  });
};
