import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import type { Study } from '../../contract/studies.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';

/** Adds patients with personal numbers of their own to an archive, and reads their studies. */
export const patientRecords = (archive: () => ArchiveUnderTest) => {
  let count = 0;
  const newPatient = (fields: Partial<Parameters<ArchiveUnderTest['addPatient']>[0]> = {}) => {
    count += 1;
    return archive().addPatient({
      customerId: archive().clinics.customerId,
      personalNumber: `19800101-${1000 + count}`,
      ...fields,
    });
  };
  const studiesOf = async (id: string): Promise<Study[]> =>
    (await (await archive().call(`/resource/study/bypatient/${id}?ppage=100`)).json()).data;
  const onlyStudyOf = async (id: string): Promise<Study> => {
    const [study, ...others] = await studiesOf(id);
    if (!study || others.length > 0) throw new Error(`${others.length + 1} studies`);
    return study;
  };
  return { newPatient, studiesOf, onlyStudyOf };
};

/** Returns the sorted ids of all images of the studies. */
export const imagesOf = (studies: readonly Study[]): string[] =>
  studies.flatMap(({ series }) => series.flatMap(({ images }) => images.map(({ uid }) => uid))).toSorted();

/** Waits until that many statements wait for a lock. */
export const untilWaiting = (db: Kysely<Schema>, statements: number) =>
  expect
    .poll(
      async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows[0]?.waiting;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toBe(statements);
