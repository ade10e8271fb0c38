import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { addStudies, type SearchedStudy, sampleStudies } from './dicomweb/fill.ts';
import { percentile } from './numbers.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { addClinics, addPatients, openDatabaseOf } from './search/fill.ts';

const count = Number(process.env.DENTARIUM_BENCH_PATIENTS ?? 1_000_000);
const sampleSize = Number(process.env.DENTARIUM_BENCH_SAMPLE ?? 20);
const limitMs = 50;

const restOfYear = (day: string) => `${day}-${day.slice(0, 4)}1231`;

/** Searches as viewers, archives and journals send them. */
const searches: Readonly<Record<string, (study: SearchedStudy) => string>> = {
  'the newest studies': () => 'studies?limit=101&offset=0&includefield=00081030,00080060',
  'a page far behind': () => 'studies?limit=50&offset=2000',
  'a study UID': ({ uid }) => `studies?StudyInstanceUID=${uid}`,
  'a personal number': ({ number }) => `studies?PatientID=${number}`,
  'the beginning of a number': ({ number }) => `studies?PatientID=${number.slice(0, 6)}*&limit=50`,
  'an accession number': ({ accession }) => `studies?AccessionNumber=${accession}`,
  'a study ID': ({ studyId }) => `studies?StudyID=${studyId}`,
  'a referring physician': ({ referrer }) => `studies?ReferringPhysicianName=${encodeURIComponent(referrer)}&limit=50`,
  'a name': ({ last, first }) => `studies?PatientName=${encodeURIComponent(`${last}^${first}`)}&limit=50`,
  'the beginning of a name': ({ last }) =>
    `studies?PatientName=${encodeURIComponent(`${last.slice(0, 4)}*`)}&limit=101`,
  'a part of a name': ({ last }) => `studies?PatientName=${encodeURIComponent(`*${last.slice(1, 5)}*`)}&limit=101`,
  'a name, fuzzily': ({ last, first }) =>
    `studies?PatientName=${encodeURIComponent(`${first.slice(0, 3)} ${last.slice(0, 3)}`)}&fuzzymatching=true&limit=101`,
  'a day': ({ day }) => `studies?StudyDate=${day}`,
  'the rest of a year': ({ day }) => `studies?StudyDate=${restOfYear(day)}&limit=101`,
  'a day and a modality': ({ day }) => `studies?StudyDate=${day}&ModalitiesInStudy=PX`,
  'a modality': () => 'studies?ModalitiesInStudy=CT&limit=101',
  'a time': ({ time }) => `studies?StudyTime=${time}&limit=50`,
  hours: () => 'studies?StudyTime=0900-1000&limit=50',
  'a description': () => 'studies?StudyDescription=Panorama&limit=101',
  'a birth date': ({ born }) => `studies?PatientBirthDate=${born}`,
  'a birth date and a name': ({ born, last }) =>
    `studies?PatientBirthDate=${born}&PatientName=${encodeURIComponent(`${last}*`)}`,
  'series of a study': ({ uid }) => `studies/${uid}/series`,
  'a series UID': ({ uid }) => `series?SeriesInstanceUID=${uid}.1`,
  'series of a modality': () => 'series?Modality=CT&limit=101',
  'instances of a study': ({ uid }) => `studies/${uid}/instances`,
  'an instance UID': ({ uid }) => `instances?SOPInstanceUID=${uid}.1.1`,
};

const search = async (server: OwnServer, headers: HeadersInit, place: string): Promise<number> => {
  const began = performance.now();
  const reply = await fetch(`${server.url}/dicomweb/${place}`, { headers });
  const found = await reply.json();
  if (reply.status !== 200) throw new Error(`${place}: ${reply.status}`);
  if (found.length === 0) throw new Error(`${place} finds nothing`);
  return performance.now() - began;
};

/** Searches by QIDO-RS among the studies of a million patients of one clinic, over HTTP and with the access log. */
export const benchDicomWebSearch = async (): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-dicomweb-'));
  const server = await startOwnServer({ dataFolder: folder, port: await freePort() });
  const client = await openDatabaseOf(folder);
  try {
    const [customerId = ''] = await addClinics(client, 1);
    await addPatients(client, [customerId], count);
    await addStudies(client, customerId);
    await server.rest();
    const headers = await server.signIn();
    const studies = await sampleStudies(client, customerId, sampleSize);
    console.log(`dicomweb-search: studies of ${count} patients (load of the machine ${loadavg()[0]?.toFixed(1)})`);
    const all: number[] = [];
    for (const [name, placeOf] of Object.entries(searches)) {
      const times: number[] = [];
      for (const study of studies) times.push(await search(server, headers, `${customerId}/${placeOf(study)}`));
      all.push(...times);
      const at = (part: number) => `${percentile(times, part).toFixed(1)} ms`;
      console.log(`  ${name.padEnd(27)} p50 ${at(50)}, p95 ${at(95)}, most ${Math.max(...times).toFixed(1)} ms`);
    }
    console.log(`  all: p95 ${percentile(all, 95).toFixed(1)} ms (limit ${limitMs} ms)`);
  } finally {
    await client.end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
};
