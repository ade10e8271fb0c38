import { createPool } from '../../server/dicom/pool.ts';

/** A process with a pool: asks it for the files that the arguments name, all at once, and prints what became of each. */
const [inHandFolder = '', ...files] = process.argv.slice(2);
const pool = createPool({
  ...{ workers: 2, timeLimitMs: 20_000, maxFileBytes: 1e9, maxHeapMb: 64, maxBytesAtOnce: 1000, idleMs: 20_000 },
  inHandFolder,
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
