import type pg from 'pg';
import { searchHits } from '../../contract/bounds.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import { requestJson } from '../import/http.ts';
import { percentile } from '../numbers.ts';
import type { OwnServer } from '../own-server.ts';
import type { Connection } from './fill.ts';
import { type SearchedPatient, waysOfTyping } from './typed.ts';

export interface Found {
  readonly data: readonly unknown[];
}

/** How long a search takes, in milliseconds. */
export const timed = async (work: () => Promise<Found>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const line = (name: string, times: readonly number[]) =>
  `  ${name.padEnd(27)} ${String(times.length).padStart(5)} searches, p50 ${percentile(times, 50).toFixed(1)} ms, p95 ${percentile(times, 95).toFixed(1)} ms, most ${Math.max(...times).toFixed(1)} ms`;

/** Returns randomly chosen patients of a clinic. */
export const sample = async (client: Connection, customerId: string, many: number): Promise<SearchedPatient[]> => {
  const { rows } = await client.query<SearchedPatient>(
    `select first_name as first, last_name as last, search_digits as digits from patient
      where customer_id = $1 and id > gen_random_uuid() order by id limit $2`,
    [customerId, many],
  );
  return rows;
};

/** Sends every text that is typed while these patients are searched, one after the other, over HTTP. */
export const autocompletes = async (
  server: OwnServer,
  client: pg.Client,
  clinics: readonly string[],
  sampleSize: number,
): Promise<void> => {
  const headers = await server.signIn();
  const all: number[] = [];
  for (const [name, typed] of Object.entries(waysOfTyping)) {
    const times: number[] = [];
    for (let at = 0; at < sampleSize; at++) {
      const customerId = clinics[(at * 97) % clinics.length] ?? '';
      for (const patient of await sample(client, customerId, 1))
        for (const q of typed(patient)) {
          const body = { customerId, q, page: 1, ppage: searchHits };
          times.push(
            await timed(() => requestJson('POST', `${server.url}${patientSearchPrivate.path}`, headers, body)),
          );
        }
    }
    console.log(line(name, times));
    all.push(...times);
  }
  console.log(line('all', all));
};
