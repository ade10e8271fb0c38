import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { freePort } from '../tests/free-port.ts';
import { benchFiles } from './import/files.ts';
import { startZipArchive } from './zip-memory/archive.ts';

const count = Number(process.env.DENTARIUM_BENCH_FILES ?? 800);
const limitBytes = 400e6;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const writeZip = async (file: string, run: string, compress: boolean): Promise<number> => {
  const zip = new yazl.ZipFile();
  for (const { name, pieces } of benchFiles(run, count)) {
    zip.addReadStreamLazy(`DICOM/${name}`, { compress, ...(compress ? { compressionLevel: 1 } : {}) }, (open) =>
      open(null, Readable.from(pieces)),
    );
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  return (await stat(file)).size;
};

/** A zip of 2 GB, stored and deflated, through the program as it runs in a clinic: the most memory that its process has in each step. */
export const benchZipMemory = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-zip-'));
  const file = path.join(folder, 'disc.zip');
  const archive = await startZipArchive(path.join(folder, 'data'), await freePort());
  let step = 'start';
  let most = new Map<string, number>();
  const watch = setInterval(() => {
    most.set(step, Math.max(most.get(step) ?? 0, archive.residentBytes()));
  }, 20);
  try {
    for (const [index, kind] of ['stored', 'deflated'].entries()) {
      step = 'before';
      await archive.rest();
      const run = `${20_260_101 + index}0003`;
      const size = await writeZip(file, run, kind === 'deflated');
      most = new Map();
      const began = performance.now();
      const imported = await archive.importZip(run, file, (next) => {
        step = next;
      });
      const took = performance.now() - began;
      step = 'thumbnails';
      await archive.rest();
      if (imported !== count) throw new Error(`${imported} of ${count} files were imported`);
      const steps = [...most].map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(', ');
      const untilDone = Math.max(...[...most].map(([name, bytes]) => (name === 'thumbnails' ? 0 : bytes)));
      console.log(
        `zip of ${count} files of 2.5 MB, ${kind} (${megabytes(size)}): at most ${megabytes(untilDone)} until imported ` +
          `(limit ${megabytes(limitBytes)}), ${(took / 1000).toFixed(0)} s, ${(count / (took / 1000)).toFixed(0)} files/s; ${steps}`,
      );
    }
  } finally {
    clearInterval(watch);
    await archive.close();
    await rm(folder, { recursive: true, force: true });
  }
};
