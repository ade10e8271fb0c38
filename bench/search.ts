import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { hasOrthanc } from './import/orthanc.ts';
import { startOwnServer } from './own-server.ts';
import { benchBeside } from './search/beside.ts';
import { addClinics, addPatients, openDatabaseOf } from './search/fill.ts';
import { autocompletes } from './search/ours.ts';

const count = Number(process.env.DENTARIUM_BENCH_PATIENTS ?? 1_000_000);
const spread = Number(process.env.DENTARIUM_BENCH_CLINICS ?? 2_000);
const besides = Number(process.env.DENTARIUM_BENCH_PEER_PATIENTS ?? 100_000);
const sampleSize = Number(process.env.DENTARIUM_BENCH_SAMPLE ?? 20);

/** Autocomplete among a million patients of one clinic and of two thousand clinics; then compared with Orthanc among the same hundred thousand. */
export const benchSearch = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-search-'));
  const dataFolder = path.join(folder, 'ours');
  const server = await startOwnServer({ dataFolder, port: await freePort() });
  const client = await openDatabaseOf(dataFolder);
  const load = () => `load of the machine ${loadavg()[0]?.toFixed(1)}`;
  try {
    const one = await addClinics(client, 1);
    const rate = await addPatients(client, one, count);
    console.log(`search: ${count} patients of one clinic (filled with ${rate.toFixed(0)} a second; ${load()})`);
    await autocompletes(server, client, one, sampleSize);
    if (spread > 0) {
      const clinics = await addClinics(client, spread);
      await addPatients(client, clinics, count);
      console.log(`search: as many again, in ${spread} clinics (${load()})`);
      await autocompletes(server, client, clinics, sampleSize);
    }
    if (hasOrthanc()) await benchBeside(server, client, folder, { patients: besides, sampleSize });
    else console.log('search: not compared, there is no Orthanc on this machine (apt install orthanc)');
  } finally {
    await client.end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
