import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { searchHits } from '../contract/bounds.ts';
import { createListCursors } from '../server/db/list-cursors.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { readPostmaster } from '../server/db/postmaster.ts';
import type { Schema } from '../server/db/schema.ts';
import { searchPatients } from '../server/db/stores/patient-search.ts';
import { patientsInOrder } from '../server/db/stores/patients.ts';
import { median, percentile } from './numbers.ts';
import { addSameClinic, openDatabaseOf } from './search/fill.ts';
import type { FilledPglite } from './search/fill-pglite.ts';
import { sample } from './search/ours.ts';
import { openPglite, pgliteName } from './search/pglite.ts';
import { postgresBytes } from './search/resident.ts';
import { waysOfTyping } from './search/typed.ts';

const run = promisify(execFile);
const count = Number(process.env.DENTARIUM_BENCH_PATIENTS ?? 1_000_000);
const sampleSize = Number(process.env.DENTARIUM_BENCH_SAMPLE ?? 20);
const limitMs = 100;
const fillProgram = path.join(import.meta.dirname, 'search/fill-pglite.ts');
const places = createListCursors('bench');
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

interface Side {
  readonly db: Kysely<Schema>;
  readonly customerId: string;
}

/** Runs the queries of one autocomplete. */
const search = async ({ db, customerId }: Side, q: string) => {
  const began = performance.now();
  const { ids, totalCount } = await searchPatients(db, places, {
    seesProtected: true,
    customerId,
    q,
    page: 1,
    ppage: searchHits,
    language: 'sv',
  });
  const rows = await patientsInOrder(db, ids);
  return { took: performance.now() - began, found: `${rows.length} of ${totalCount}` };
};

interface Times {
  readonly pglite: number[];
  readonly postgres: number[];
}

/** Searches the same texts in both alternately; both must find the same number. */
const alternating = async (pglite: Side, postgres: Side, texts: readonly string[]): Promise<Times> => {
  const times: Times = { pglite: [], postgres: [] };
  for (const [at, q] of texts.entries()) {
    const first = await search(at % 2 ? pglite : postgres, q);
    const second = await search(at % 2 ? postgres : pglite, q);
    if (first.found !== second.found) throw new Error(`"${q}": ${first.found} and ${second.found} patients are found`);
    times.pglite.push((at % 2 ? first : second).took);
    times.postgres.push((at % 2 ? second : first).took);
  }
  return times;
};

const summary = (times: readonly number[]) =>
  `p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${percentile(times, 95).toFixed(1)} ms, most ${Math.max(...times).toFixed(1)} ms`;

const line = (name: string, { pglite, postgres }: Times) =>
  `  ${name.padEnd(27)} ${String(pglite.length).padStart(5)} searches; PGlite ${summary(pglite)}; PostgreSQL ${summary(postgres)}: ` +
  `PGlite takes ${(median(pglite) / median(postgres)).toFixed(2)} (p50) and ${(percentile(pglite, 95) / percentile(postgres, 95)).toFixed(2)} (p95) times as long`;

/** The same autocompletes on PGlite, which is no part of the program, and on the bundled PostgreSQL: store calls in this process, without HTTP. */
export const benchSearchPglite = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-search-pglite-'));
  const dataFolder = path.join(folder, 'postgres');
  await mkdir(dataFolder);
  const { database, close } = await openDatabase({ dataFolder });
  const client = await openDatabaseOf(dataFolder);
  try {
    console.log(
      `search-pglite: ${count} patients of one clinic; the archive's search and its rows as calls in this process on both, without HTTP and access log`,
    );
    const ours = await addSameClinic(client, count);
    console.log(`PostgreSQL was filled with ${ours.rate.toFixed(0)} patients a second`);
    const inPglite = path.join(folder, 'pglite');
    const { stdout } = await run(process.execPath, [fillProgram, inPglite, String(count)]);
    const filled: FilledPglite = JSON.parse(stdout);
    console.log(
      `${pgliteName} was filled with ${filled.rate.toFixed(0)} patients a second, its process had at most ${megabytes(filled.maxBytes)}`,
    );

    const before = process.memoryUsage.rss();
    const { db, pglite } = await openPglite(inPglite);
    const opened = process.memoryUsage.rss();
    const sides = [
      { db, customerId: filled.customerId },
      { db: database.db, customerId: ours.customerId },
    ] as const;
    console.log(
      `load of the machine ${loadavg()[0]?.toFixed(1)}; each text is searched in both alternately (limit ${limitMs} ms at p95 in PGlite)`,
    );
    const all: Times = { pglite: [], postgres: [] };
    for (const [name, typed] of Object.entries(waysOfTyping)) {
      const texts = (await sample(client, ours.customerId, sampleSize)).flatMap(typed);
      const times = await alternating(...sides, texts);
      console.log(line(name, times));
      all.pglite.push(...times.pglite);
      all.postgres.push(...times.postgres);
    }
    console.log(line('all', all));
    const postmaster = readPostmaster(path.join(dataFolder, 'database'))?.pid ?? 0;
    console.log(
      `  memory: PGlite adds ${megabytes(opened - before)} to its process when opened, ${megabytes(process.memoryUsage.rss() - before)} after the searches; ` +
        `PostgreSQL's processes use ${megabytes(postgresBytes(postmaster))} together`,
    );
    await pglite.close();
  } finally {
    await client.end();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
};
