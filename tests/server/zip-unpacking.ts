import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ImportLimits } from '../../contract/uploads.ts';
import { type ImportFileRow, type ImportTaskRow, insertTask } from '../../server/db/stores/imports.ts';
import { defaultLimits } from '../../server/imports/limits.ts';
import { unpackZip } from '../../server/imports/read/unpack-zip.ts';
import { openDiskStore } from '../../server/storage/disk-store.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';

export interface UnpackOptions {
  readonly limits?: Partial<ImportLimits>;
  readonly store?: FileStore;
  readonly signal?: AbortSignal;
  readonly onEntry?: (done: number, total: number) => void;
}

/** Returns reproducible bytes that do not compress. */
export const noise = (length: number, seed = 1): Buffer => {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    }),
  );
};

/** Unpacks zips of an import on a database and a store of its own; call once per test file. */
export const zipUnpacking = () => {
  let test: TestDatabase;
  let folder = '';
  let files: FileStore;
  let clinics: Awaited<ReturnType<typeof addTwoClinics>>;
  let taskId = '';

  beforeAll(async () => {
    test = await testDatabase();
    clinics = await addTwoClinics(test.db);
    folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-unpack-'));
    files = await openDiskStore(folder);
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    taskId = randomUUID();
    const { customerId, doctorId: accountId } = clinics;
    const facts = { customerId, accountId, patientId: null, kind: 'dicomdir', name: 'a.zip', totalFiles: 1 } as const;
    await insertTask(test.db, { id: taskId, ...facts });
  });

  const received = async (bytes: Buffer, fileName = 'a.zip'): Promise<ImportFileRow> => {
    const stored = await files.put(
      (async function* () {
        yield bytes;
      })(),
    );
    return test.db
      .insertInto('import_file')
      .values({
        id: randomUUID(),
        task_id: taskId,
        file_name: fileName,
        path: `${randomUUID()}/${fileName}`,
        size_bytes: stored.sizeBytes,
        sha256: stored.sha256,
        status: 'received',
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  };

  const rowsIn = (zip: ImportFileRow) =>
    test.db
      .selectFrom('import_file')
      .selectAll()
      .where('container_id', '=', zip.id)
      .orderBy('received_at')
      .orderBy('id')
      .execute();

  const rowOf = (id: string) =>
    test.db.selectFrom('import_file').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  const taskOf = (): Promise<ImportTaskRow> =>
    test.db.selectFrom('import_task').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow();

  const unpackRow = async (zip: ImportFileRow, options: UnpackOptions = {}) => {
    const { limits, store = files, signal = new AbortController().signal, onEntry } = options;
    const deps = { db: test.db, files: store, limits: { ...defaultLimits, ...limits } };
    await unpackZip(deps, await taskOf(), zip, signal, async (done, total) => onEntry?.(done, total));
    return { zip: await rowOf(zip.id), entries: await rowsIn(zip) };
  };

  const unpack = async (zip: Buffer, options: UnpackOptions = {}) => unpackRow(await received(zip), options);

  return {
    received,
    rowsIn,
    rowOf,
    unpackRow,
    unpack,
    taskId: () => taskId,
    files: () => files,
    temporaryFolder: () => path.join(folder, 'temporary'),
  };
};
