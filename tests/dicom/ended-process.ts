import { createPool } from '../../server/dicom/pool.ts';

/** A process with a pool: decodes the files named in the arguments concurrently and prints the outcomes. */
const [markFolder = '', ...files] = process.argv.slice(2);
const pool = createPool({
  workers: 2,
  timeLimitMs: 20_000,
  maxFileBytes: 1e9,
  maxHeapMb: 64,
  maxBytesAtOnce: 1000,
  idleMs: 20_000,
  crashMarksFolder: markFolder,
  script: new URL('./stubborn-worker.ts', import.meta.url),
});
await Promise.all(
  files.map((path) =>
    pool.run('inspect', { path }, 1).then(
      () => console.log(`${path}: answered`),
      (error) => console.log(`${path}: ${error.code}: ${error.detail}`),
    ),
  ),
);
await pool.close();
