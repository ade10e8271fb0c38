import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import type { Kysely } from 'kysely';
import { type Archive, openArchive } from '../server/archive.ts';
import { openArchiveFolder } from '../server/archive-folder/open-folder.ts';
import { openDatabase } from '../server/db/open-database.ts';
import type { Schema } from '../server/db/schema.ts';
import { insertPatient } from '../server/db/stores/patients.ts';
import { ProblemError } from '../server/domain/problem-error.ts';
import { openHub } from '../server/hub/open-hub.ts';
import { insertObject } from '../server/imports/ledger/insert-objects.ts';
import { readReceivedFile } from '../server/imports/read/read-file.ts';
import { openVault } from '../server/secrets/open-vault.ts';
import { type MixedFile, mixedFiles } from './mixed-files.ts';

/** Files of each syntax. */
const each = 12;

/** Stores the files like an import and waits until all background work is done. */
const fileAll = async (db: Kysely<Schema>, archive: Archive, files: readonly MixedFile[]): Promise<void> => {
  const customerId = randomUUID();
  await db.insertInto('customer').values({ id: customerId, name: 'Bench' }).execute();
  const patient = { firstName: 'Bench', lastName: 'Bench', personalNumber: '19800101-9802', birthDate: null };
  const patientId = await insertPatient(db, { id: randomUUID(), customerId, ...patient, sex: null, comments: null });
  if (!patientId) throw new Error('the clinic has this patient already');
  const { imaging } = archive;
  const reading = { files: archive.files, imaging, onFailure: () => undefined, isClosing: () => false };
  for (const { syntax, bytesOf } of files) {
    for (let number = 0; number < each; number += 1) {
      const bytes = bytesOf(number);
      const { sha256, sizeBytes } = await archive.files.put(
        (async function* () {
          yield bytes;
        })(),
      );
      const read = await readReceivedFile(reading, {
        task_id: customerId,
        file_name: `${syntax}.dcm`,
        sha256,
        size_bytes: sizeBytes,
      });
      if (read.kind !== 'object') throw new Error(`${syntax} cannot be read: ${JSON.stringify(read)}`);
      const options = { customerId, patientId, fileName: `${syntax}.dcm` };
      await db.transaction().execute((transaction) => insertObject(transaction, options, read.file));
    }
  }
};

interface Measured {
  readonly perSecond: number;
  /** Processor time of this process, all threads, for one image, in milliseconds; without the database. */
  readonly processorMs: number;
}

/** Measures from the import until every image has its thumbnail in the cache and in its row, and the clinic was notified. */
const measure = async (
  db: Kysely<Schema>,
  { thumbnails, renditions }: Archive,
  dataFolder: string,
  transferSyntaxUid: string | null,
): Promise<Measured> => {
  await thumbnails.idle();
  await renditions.idle();
  // Only thumbnails and their follow-up work run meanwhile.
  await db.updateTable('image').set({ rendition_status: 'ready' }).execute();
  for (const folder of ['thumbnails', 'renditions'])
    await rm(path.join(dataFolder, folder), { recursive: true, force: true });
  const waiting = db.updateTable('image').set({ thumb_status: 'pending' });
  const rows = transferSyntaxUid === null ? waiting : waiting.where('transfer_syntax', '=', transferSyntaxUid);
  const count = Number((await rows.executeTakeFirst()).numUpdatedRows);
  const processor = process.cpuUsage();
  const started = performance.now();
  thumbnails.wake();
  await thumbnails.idle();
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(processor);
  const { length } = await db.selectFrom('image').select('id').where('thumb_status', '<>', 'ready').execute();
  if (length > 0) throw new Error(`${length} images have no thumbnail`);
  return { perSecond: count / seconds, processorMs: (used.user + used.system) / 1000 / count };
};

/** Thumbnails a second through the archive as it runs: worker pool, database rows, hub events. */
export const benchThumbnails = async (): Promise<void> => {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'bench-thumbnails-'));
  const { database, close } = await openDatabase({ dataFolder, databaseUrl: process.env.DATABASE_URL });
  const server = fastify();
  const noOne = () => Promise.reject(new ProblemError('not-signed-in'));
  const isAlone = async () => true;
  const hub = await openHub(server, {
    database,
    publicUrl: 'http://localhost',
    authenticate: noOne,
    isAlone,
    onWork: () => undefined,
  });
  const archive = await openArchive({
    db: database.db,
    vault: await openVault(database.db, { file: path.join(dataFolder, 'master.key') }),
    hub,
    filesFolder: await openArchiveFolder(database.db, path.join(dataFolder, 'files')),
    dataFolder,
    onFailure: (error) => console.error(error),
  });
  try {
    const files = await mixedFiles();
    await fileAll(database.db, archive, files);
    // Workers and codecs are loaded, as in a server that has been in use.
    await measure(database.db, archive, dataFolder, null);
    const line = (name: string, { perSecond, processorMs }: Measured) =>
      console.log(
        `thumbnails, ${name}: ${perSecond.toFixed(1)} a second, ${processorMs.toFixed(1)} ms of processor each`,
      );
    for (const { syntax, transferSyntaxUid } of files) {
      line(syntax, await measure(database.db, archive, dataFolder, transferSyntaxUid));
    }
    line(
      `mix of ${files.length} syntaxes on ${os.availableParallelism()} cores`,
      await measure(database.db, archive, dataFolder, null),
    );
  } finally {
    await archive.close();
    await server.close();
    await close();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
