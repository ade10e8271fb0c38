import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { uidFrom } from '../dicom/write/uid.ts';
import { startOurs } from './dicom-store/ours.ts';
import { startPeer } from './dicom-store/peer.ts';
import { type BenchProvider, senderTitle } from './dicom-store/provider.ts';
import { benchFiles } from './import/files.ts';
import { hasOrthanc } from './import/orthanc.ts';
import { median } from './numbers.ts';

const count = Number(process.env.DENTARIUM_BENCH_FILES ?? 300);
const runs = Number(process.env.DENTARIUM_BENCH_RUNS ?? 3);

const hasDcmtk = (() => {
  try {
    execFileSync('which', ['storescu']);
    return true;
  } catch {
    return false;
  }
})();

/** One folder of files for each association. */
const writeFolders = async (folder: string, run: string, associations: number): Promise<string[]> => {
  const folders = Array.from({ length: associations }, (_, index) => path.join(folder, String(index)));
  for (const one of folders) await mkdir(one, { recursive: true });
  for (const [index, file] of benchFiles(run, count).entries())
    await writeFile(path.join(folders[index % associations] ?? '', file.name), file.pieces);
  return folders;
};

interface Measured {
  /** Milliseconds until the last image was answered. */
  readonly answered: number;
  /** Milliseconds until searches find all of them. */
  readonly indexed: number;
}

const measure = async (provider: BenchProvider, run: string, folders: readonly string[]): Promise<Measured> => {
  await provider.expect(run);
  const { aeTitle, dicomPort } = provider;
  const command = ['-pdu', '131072', '-aet', senderTitle, '-aec', aeTitle, '+sd', '127.0.0.1', String(dicomPort)];
  const began = performance.now();
  await Promise.all(folders.map((folder) => promisify(execFile)('storescu', [...command, folder])));
  const answered = performance.now() - began;
  const studyUid = uidFrom(`bench/import/${run}/study`);
  while ((await provider.indexed(studyUid)) < count) await new Promise((resolve) => setTimeout(resolve, 100));
  const indexed = performance.now() - began;
  await provider.rest();
  return { answered, indexed };
};

const compared = (name: string, ours: readonly number[], peer: readonly number[]): string => {
  const rates = (times: readonly number[]) => `${((count * 1000) / median(times)).toFixed(0)} files/s`;
  const ratios = ours.map((time, index) => ((peer[index] ?? 0) / time).toFixed(2)).join(', ');
  return `  ${name}: ours ${rates(ours)}, Orthanc ${rates(peer)}: ${(median(peer) / median(ours)).toFixed(2)} times its rate (runs ${ratios})`;
};

/** Objects of 2.5 MB by C-STORE with one association and with four, compared with Orthanc on the same disk, which syncs too. */
export const benchDicomStore = async (): Promise<void> => {
  if (!hasOrthanc() || !hasDcmtk) {
    console.log('dicom-store: skipped, it needs Orthanc and DCMTK (apt install orthanc dcmtk)');
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-dicom-store-'));
  const providers: BenchProvider[] = [];
  try {
    providers.push(await startOurs(path.join(folder, 'ours')), await startPeer(path.join(folder, 'orthanc')));
    console.log(`dicom-store: ${count} objects of 2.5 MB by C-STORE (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    let day = 20260101;
    for (const associations of [1, 4]) {
      const times = new Map(providers.map((provider): [BenchProvider, Measured[]] => [provider, []]));
      for (let at = 0; at <= runs; at++) {
        const run = `${day++}0001`;
        const files = path.join(folder, 'files');
        const folders = await writeFolders(files, run, associations);
        for (const provider of at % 2 ? providers : providers.toReversed()) {
          const measured = await measure(provider, run, folders);
          // The first run is a warm-up.
          if (at > 0) times.get(provider)?.push(measured);
        }
        await rm(files, { recursive: true });
      }
      const [ours = [], peer = []] = providers.map((provider) => times.get(provider));
      const of = (measured: readonly Measured[], part: keyof Measured) => measured.map((one) => one[part]);
      const title = associations === 1 ? 'one association' : `${associations} associations`;
      console.log(compared(`${title}, until synced and answered`, of(ours, 'answered'), of(peer, 'answered')));
      console.log(compared(`${title}, until found by a search`, of(ours, 'indexed'), of(peer, 'indexed')));
    }
  } finally {
    for (const provider of providers) await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
};
