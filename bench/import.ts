import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { benchFiles } from './import/files.ts';
import { hasOrthanc, startOrthanc } from './import/orthanc.ts';
import { startOurs } from './import/ours.ts';
import type { BenchServer } from './import/server.ts';
import { median } from './numbers.ts';

const count = Number(process.env.DENTARIUM_BENCH_FILES ?? 300);
const rounds = Number(process.env.DENTARIUM_BENCH_ROUNDS ?? 3);
const filesOfRequest = Number(process.env.DENTARIUM_BENCH_BATCH ?? 10);
const lanes = 4;

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

interface Told {
  readonly acknowledged: number[];
  readonly imported: number[];
  readonly read: number[];
}
const told = (): Told => ({ acknowledged: [], imported: [], read: [] });
const rates = (values: readonly number[]) =>
  `${median(values).toFixed(0)} files/s (${values.map((value) => value.toFixed(0)).join(', ')})`;
const ratio = (ours: readonly number[], peer: readonly number[]) =>
  `${(median(ours) / median(peer)).toFixed(2)} times its rate (rounds ${ours.map((value, at) => (value / (peer[at] ?? value)).toFixed(2)).join(', ')})`;

const round = async (server: BenchServer, run: string, numbers: Told): Promise<void> => {
  const files = benchFiles(run, count);
  const rate = (milliseconds: number) => (count * 1000) / milliseconds;
  const { acknowledged, imported } = await server.take(run, files, lanes);
  numbers.acknowledged.push(rate(acknowledged));
  numbers.imported.push(rate(imported));
  await server.rest();
  numbers.read.push(rate(await server.readBack(files, lanes)));
};

/** Files of 2.5 MB over HTTP, four uploads at once, until they are synced, indexed and readable, beside Orthanc on the same disk. */
export const benchImport = async (): Promise<void> => {
  if (!hasOrthanc()) {
    console.log('import: skipped, there is no Orthanc on this machine (apt install orthanc)');
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-import-'));
  const servers: BenchServer[] = [];
  try {
    const ours = await startOurs(path.join(folder, 'ours'), await freePort(), filesOfRequest);
    servers.push(ours);
    const peer = await startOrthanc(path.join(folder, 'orthanc'), await freePort());
    servers.push(peer);
    const numbers = new Map(servers.map((server) => [server, told()]));
    for (let at = 0; at <= rounds; at++)
      // The first round is for the machine to warm up.
      for (const server of at % 2 ? servers : servers.toReversed())
        await round(
          server,
          `${20260101 + at}${server === ours ? '0001' : '0002'}`,
          at === 0 ? told() : (numbers.get(server) ?? told()),
        );
    const [mine, its] = [numbers.get(ours) ?? told(), numbers.get(peer) ?? told()];
    console.log(
      `import of ${count} files of 2.5 MB, ${lanes} uploads at once (ours: ${filesOfRequest} files to a request)`,
    );
    console.log(
      `  until imported: ours ${rates(mine.imported)}, Orthanc ${rates(its.imported)}: ${ratio(mine.imported, its.imported)}`,
    );
    console.log(
      `  until acknowledged: ours ${rates(mine.acknowledged)}: ${ratio(mine.acknowledged, its.acknowledged)}`,
    );
    console.log(`  read back: ours ${rates(mine.read)}, Orthanc ${rates(its.read)}: ${ratio(mine.read, its.read)}`);
  } finally {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
