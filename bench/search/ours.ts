import type pg from 'pg';
import { searchHits } from '../../contract/bounds.ts';
import { patientSearchPrivate } from '../../contract/patients.ts';
import { ask } from '../import/http.ts';
import { percentile } from '../numbers.ts';
import type { OwnServer } from '../own-server.ts';
import type { Connection } from './fill.ts';
import { type Person, waysOfTyping } from './typed.ts';

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

/** People of a clinic, picked at random. */
export const sample = async (client: Connection, customerId: string, many: number): Promise<Person[]> => {
  const { rows } = await client.query<Person>(
    `select first_name as first, last_name as last, search_digits as digits from patient
      where customer_id = $1 and id > gen_random_uuid() order by id limit $2`,
    [customerId, many],
  );
  return rows;
};

/** Every text that is sent while these people are looked for, through HTTP, one after the other. */
export const autocompletes = async (
  server: OwnServer,
  client: pg.Client,
  clinics: readonly string[],
  people: number,
): Promise<void> => {
  const headers = await server.signIn();
  const all: number[] = [];
  for (const [name, typed] of Object.entries(waysOfTyping)) {
    const times: number[] = [];
    for (let at = 0; at < people; at++) {
      const customerId = clinics[(at * 97) % clinics.length] ?? '';
      for (const person of await sample(client, customerId, 1))
        for (const q of typed(person)) {
          const body = { customerId, q, page: 1, ppage: searchHits };
          times.push(await timed(() => ask('POST', `${server.url}${patientSearchPrivate.path}`, headers, body)));
        }
    }
    console.log(line(name, times));
    all.push(...times);
  }
  console.log(line('all', all));
};
