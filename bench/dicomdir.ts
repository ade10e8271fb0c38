import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDicomFile } from '../dicom/file.ts';
import { summarise } from '../dicom/identity.ts';
import { readFileHead } from '../server/dicom/file-head.ts';
import { createImaging } from '../server/dicom/imaging.ts';
import { directoryFile } from '../tests/dicom/build-dicom.ts';
import { benchFiles } from './import/files.ts';
import { median } from './numbers.ts';

const count = Number(process.env.DENTARIUM_BENCH_FILES ?? 1000);
const limitMs = 2;
const most = 2 ** 30;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const summary = (name: string, times: readonly number[]): string => {
  const sorted = [...times].sort((one, other) => one - other);
  const percentile = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return `${name} ${median(times).toFixed(2)} ms (95 of 100 below ${percentile.toFixed(2)} ms)`;
};

/** A disc of 1,000 files of 2.5 MB: its DICOMDIR, the header of each file, and the inspection of an import, compared with reading full files. */
export const benchDicomdir = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-dicomdir-'));
  const imaging = createImaging();
  try {
    await mkdir(path.join(folder, 'DICOM'));
    const files = benchFiles('20260101', count).map(({ name, pieces }) => ({
      file: path.join(folder, 'DICOM', name),
      pieces,
    }));
    for (const { file, pieces } of files) await writeFile(file, pieces);
    const directory = path.join(folder, 'DICOMDIR');
    await writeFile(directory, directoryFile(files.map(({ file }) => `DICOM\\${path.basename(file)}`)));
    const [first] = files;
    if (first) await imaging.inspect({ path: first.file });
    const index = await timed(async () => {
      const { directory: paths } = await imaging.inspect({ path: directory });
      if (paths?.length !== count) throw new Error(`the DICOMDIR names ${paths?.length} of ${count} files`);
    });
    const [heads, wholes, inspections]: [number[], number[], number[]] = [[], [], []];
    for (const [at, { file }] of files.entries()) {
      heads.push(
        await timed(async () => {
          const head = await readFileHead(file, most);
          if (!head || !summarise(head).instance.sopInstanceUid) throw new Error('the header is incomplete');
        }),
      );
      inspections.push(await timed(() => imaging.inspect({ path: file })));
      if (at % 10 === 0) wholes.push(await timed(async () => summarise(readDicomFile(await readFile(file)))));
    }
    console.log(
      `disc of ${count} files of 2.5 MB: DICOMDIR ${index.toFixed(0)} ms; ${summary('header', heads)}, limit ${limitMs} ms; ` +
        `${summary('inspected in a worker', inspections)}; ${summary('header of the full file', wholes)}: ` +
        `${(median(wholes) / median(heads)).toFixed(1)} times as long`,
    );
  } finally {
    await imaging.close();
    await rm(folder, { recursive: true, force: true });
  }
};
