import path from 'node:path';
import type pg from 'pg';
import { searchHits } from '../../contract/bounds.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import { freePort } from '../../tests/free-port.ts';
import { requestJson } from '../import/http.ts';
import { startOrthanc } from '../import/orthanc.ts';
import { median, percentile } from '../numbers.ts';
import type { OwnServer } from '../own-server.ts';
import { addClinics, addPatients } from './fill.ts';
import { type Found, sample, timed } from './ours.ts';
import { fillOrthanc } from './peer.ts';
import type { SearchedPatient } from './typed.ts';

/** Searches that Orthanc supports too: the beginning of a last name, a first name, a number. */
export const benchBeside = async (
  server: OwnServer,
  client: pg.Client,
  folder: string,
  { patients, sampleSize }: { readonly patients: number; readonly sampleSize: number },
): Promise<void> => {
  const [customerId = ''] = await addClinics(client, 1);
  await addPatients(client, [customerId], patients);
  const peer = await startOrthanc(path.join(folder, 'orthanc'), await freePort(), { SyncStorageArea: false });
  try {
    const rate = await fillOrthanc(peer.url, client, customerId);
    console.log(`the same ${patients} patients in Orthanc (filled with ${rate.toFixed(0)} a second)`);
    const headers = await server.signIn();
    const kinds: Readonly<Record<string, (patient: SearchedPatient) => { q: string; query: Record<string, string> }>> =
      {
        'beginning of a last name': ({ last }) => ({
          q: last.slice(0, 4),
          query: { PatientName: `${last.slice(0, 4)}*` },
        }),
        'whole first name': ({ first }) => ({ q: first.slice(0, 30), query: { PatientName: `*^${first}` } }),
        'beginning of a number': ({ digits }) => ({
          q: digits.slice(0, 8),
          query: { PatientID: `${digits.slice(0, 8)}*` },
        }),
        'whole number': ({ digits }) => ({ q: digits, query: { PatientID: digits } }),
      };
    for (const [name, kind] of Object.entries(kinds)) {
      const [oursMs, peerMs]: [number[], number[]] = [[], []];
      for (const patient of await sample(client, customerId, sampleSize)) {
        const { q, query } = kind(patient);
        const body = { customerId, q, page: 1, ppage: searchHits };
        const ours = () =>
          timed(async () => {
            const found = await requestJson<Found>('POST', `${server.url}${patientSearchPrivate.path}`, headers, body);
            if (found.data.length === 0) throw new Error(`the archive does not find "${name}"`);
            return found;
          });
        const find = { Level: 'Patient', Query: query, Limit: searchHits, Expand: true, CaseSensitive: false };
        const theirs = () =>
          timed(async () => {
            const data = await requestJson<unknown[]>('POST', `${peer.url}/tools/find`, {}, find);
            if (data.length === 0) throw new Error(`Orthanc does not find "${name}"`);
            return { data };
          });
        for (const run of [0, 1]) {
          if (run === 0) oursMs.push(await ours());
          peerMs.push(await theirs());
          if (run === 1) oursMs.push(await ours());
        }
      }
      const ratio = (median(peerMs) / median(oursMs)).toFixed(1);
      console.log(
        `  ${name}: ours p50 ${median(oursMs).toFixed(1)} ms, p95 ${percentile(oursMs, 95).toFixed(1)} ms; Orthanc p50 ${median(peerMs).toFixed(1)} ms, p95 ${percentile(peerMs, 95).toFixed(1)} ms: ${ratio} times as fast`,
      );
    }
  } finally {
    await peer.close();
  }
};
