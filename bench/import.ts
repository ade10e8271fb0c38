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
const runs = Number(process.env.DENTARIUM_BENCH_RUNS ?? 3);
const filesOfRequest = Number(process.env.DENTARIUM_BENCH_BATCH ?? 10);
const concurrency = 4;

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

interface Measured {
  readonly acknowledged: number[];
  readonly imported: number[];
  readonly read: number[];
}
const noneMeasured = (): Measured => ({ acknowledged: [], imported: [], read: [] });
const rates = (values: readonly number[]) =>
  `${median(values).toFixed(0)} files/s (${values.map((value) => value.toFixed(0)).join(', ')})`;
const ratio = (ours: readonly number[], peer: readonly number[]) =>
  `${(median(ours) / median(peer)).toFixed(2)} times its rate (runs ${ours.map((value, at) => (value / (peer[at] ?? value)).toFixed(2)).join(', ')})`;

const measureRun = async (server: BenchServer, run: string, numbers: Measured): Promise<void> => {
  const files = benchFiles(run, count);
  const rate = (milliseconds: number) => (count * 1000) / milliseconds;
  const { acknowledged, imported } = await server.take(run, files, concurrency);
  numbers.acknowledged.push(rate(acknowledged));
  numbers.imported.push(rate(imported));
  await server.rest();
  numbers.read.push(rate(await server.readBack(files, concurrency)));
};

/** Files of 2.5 MB over HTTP, four uploads at once, until they are synced, indexed and readable, compared with Orthanc on the same disk. */
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
    const numbers = new Map(servers.map((server) => [server, noneMeasured()]));
    for (let at = 0; at <= runs; at++)
      // The first run is a warm-up.
      for (const server of at % 2 ? servers : servers.toReversed())
        await measureRun(
          server,
          `${20260101 + at}${server === ours ? '0001' : '0002'}`,
          at === 0 ? noneMeasured() : (numbers.get(server) ?? noneMeasured()),
        );
    const [oursMeasured, peerMeasured] = [numbers.get(ours) ?? noneMeasured(), numbers.get(peer) ?? noneMeasured()];
    console.log(
      `import of ${count} files of 2.5 MB, ${concurrency} uploads at once (ours: ${filesOfRequest} files to a request)`,
    );
    console.log(
      `  until imported: ours ${rates(oursMeasured.imported)}, Orthanc ${rates(peerMeasured.imported)}: ${ratio(oursMeasured.imported, peerMeasured.imported)}`,
    );
    console.log(
      `  until acknowledged: ours ${rates(oursMeasured.acknowledged)}: ${ratio(oursMeasured.acknowledged, peerMeasured.acknowledged)}`,
    );
    console.log(
      `  read back: ours ${rates(oursMeasured.read)}, Orthanc ${rates(peerMeasured.read)}: ${ratio(oursMeasured.read, peerMeasured.read)}`,
    );
  } finally {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
