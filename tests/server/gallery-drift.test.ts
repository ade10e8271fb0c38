import { type Kysely, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../server/db/schema.ts';
import { searchKey } from '../../server/domain/search-key.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

let test: TestDatabase;
let customerId = '';
beforeAll(async () => {
  test = await testDatabase();
  ({ customerId } = await addTwoClinics(test.db));
});
afterAll(() => test.close());

const rowsOf = async (name: 'gallery_image' | 'gallery_source') => {
  const { rows } = await sql`select * from ${sql.table(name)} order by image_id`.execute(test.db);
  return rows;
};

/** Compares the table with the records. */
const expectNoDrift = async () => expect(await rowsOf('gallery_image')).toEqual(await rowsOf('gallery_source'));

/** Seeded, so equal in every run. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
};

interface Records {
  readonly patients: string[];
  readonly studies: string[];
  readonly series: string[];
  readonly images: string[];
}

const clinicOf = async (): Promise<Records> => {
  const records: Records = { patients: [], studies: [], series: [], images: [] };
  for (const name of ['Ek', 'Björk', 'Ångström']) {
    const patient = await addPatient(test.db, customerId, 'Åsa', name);
    records.patients.push(patient.id);
    for (let count = 0; count < 2; count++) {
      const studyId = await addStudy(test.db, patient, { study_date: '2026-03-10' });
      const seriesId = await addSeries(test.db, studyId);
      records.studies.push(studyId);
      records.series.push(seriesId);
      records.images.push(await addImage(test.db, customerId, seriesId));
    }
  }
  return records;
};

type Write = (db: Kysely<Schema>, records: Records, random: () => number) => Promise<unknown>;

const oneOf = (ids: readonly string[], random: () => number): string => ids[Math.floor(random() * ids.length)] ?? '';
const deletion = (random: () => number) => (random() < 0.4 ? new Date() : null);

/** Every write of the product to what the gallery shows, as single statements on one table. */
const writes: Readonly<Record<string, Write>> = {
  'image added': async (db, { series, images }, random) =>
    images.push(await addImage(db, customerId, oneOf(series, random), { size_bytes: Math.floor(random() * 1e6) })),
  'document added': (db, { series }, random) => addImage(db, customerId, oneOf(series, random), { kind: 'document' }),
  'image edited': (db, { images }, random) =>
    db
      .updateTable('image')
      .set({ comments: `karies ${random()}`, chosen_teeth: random() < 0.5 ? [48] : null })
      .where('id', '=', oneOf(images, random))
      .execute(),
  'image deleted or restored': (db, { images }, random) =>
    db
      .updateTable('image')
      .set({ deleted_at: deletion(random) })
      .where('id', '=', oneOf(images, random))
      .execute(),
  'image to another series': (db, { images, series }, random) =>
    db
      .updateTable('image')
      .set({ series_id: oneOf(series, random) })
      .where('id', '=', oneOf(images, random))
      .execute(),
  'series deleted or restored': (db, { series }, random) =>
    db
      .updateTable('series')
      .set({ deleted_at: deletion(random), modality: random() < 0.5 ? 'IO' : 'PX' })
      .where('id', '=', oneOf(series, random))
      .execute(),
  'series to another study': (db, { series, studies }, random) =>
    db
      .updateTable('series')
      .set({ study_id: oneOf(studies, random) })
      .where('id', '=', oneOf(series, random))
      .execute(),
  'study edited': (db, { studies }, random) =>
    db
      .updateTable('study')
      .set({ description: `Kontroll ${random()}`, study_date: random() < 0.5 ? '2026-01-02' : null })
      .where('id', '=', oneOf(studies, random))
      .execute(),
  'study deleted or restored': (db, { studies }, random) =>
    db
      .updateTable('study')
      .set({ deleted_at: deletion(random) })
      .where('id', '=', oneOf(studies, random))
      .execute(),
  'study to another patient': (db, { studies, patients }, random) =>
    db
      .updateTable('study')
      .set({ patient_id: oneOf(patients, random) })
      .where('id', '=', oneOf(studies, random))
      .execute(),
  'patient renamed': (db, { patients }, random) =>
    db
      .updateTable('patient')
      .set({ last_name: `Öberg${Math.floor(random() * 1e6)}` })
      .where('id', '=', oneOf(patients, random))
      .execute(),
  'patient deleted or restored': (db, { patients }, random) =>
    db
      .updateTable('patient')
      .set({ deleted_at: deletion(random) })
      .where('id', '=', oneOf(patients, random))
      .execute(),
};

describe('the gallery table equals the records', () => {
  it.each(Object.entries(writes))('after: %s', async (_, write) => {
    const records = await clinicOf();
    const random = randomOf(7);
    for (let count = 0; count < 8; count++) {
      await write(test.db, records, random);
      await expectNoDrift();
    }
  });

  it('after images are permanently deleted', async () => {
    const { images } = await clinicOf();
    await test.db.deleteFrom('image').where('id', 'in', images).execute();
    await expectNoDrift();
  });

  it('without writing rows for changes that it does not show', async () => {
    const { images } = await clinicOf();
    const version = async () =>
      (await sql<{ xmin: string }>`select xmin::text from gallery_image where image_id = ${images[0]}`.execute(test.db))
        .rows;
    const before = await version();
    const shown = { thumb_status: 'ready', rendition_status: 'ready', marks_version: 2, version: 3 } as const;
    await test.db
      .updateTable('image')
      .set(shown)
      .where('id', '=', images[0] ?? '')
      .execute();
    expect(before).toHaveLength(1);
    expect(await version()).toEqual(before);
  });
});

describe('concurrent transactions', () => {
  /** Waits until a session waits for a lock: the second transaction has come as far as it can. */
  const lockIsAwaited = async () => {
    for (;;) {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        test.db,
      );
      if (rows.length > 0) return;
    }
  };

  /** The first has written and not committed when the second writes. */
  const overlapping = async (first: Write, second: Write, records: Records): Promise<void> => {
    let commit = () => undefined as unknown;
    const released = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written = () => undefined as unknown;
    const hasWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const work = async (transaction: Transaction<Schema>) => {
      await first(transaction, records, randomOf(1));
      written();
      await released;
    };
    const one = test.db.transaction().execute(work);
    await hasWritten;
    const other = test.db.transaction().execute((transaction) => second(transaction, records, randomOf(1)));
    const otherEnded = other.then(() => undefined);
    await Promise.race([lockIsAwaited(), otherEnded]);
    commit();
    await Promise.all([one, other]);
  };

  const names = [
    'image added',
    'image edited',
    'series deleted or restored',
    'study edited',
    'study to another patient',
    'patient renamed',
  ];
  const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));

  it.each(pairs)('%s, and before it is committed: %s', async (one, other) => {
    // One of each, so that both mean the same record.
    const { patients, studies, series, images } = await clinicOf();
    const records = {
      patients: patients.slice(0, 2),
      studies: studies.slice(0, 1),
      series: series.slice(0, 1),
      images: images.slice(0, 1),
    };
    const [first, second] = [writes[one], writes[other]];
    if (!first || !second) throw new Error('no such write');
    await overlapping(first, second, records);
    await expectNoDrift();
  });

  it.each([1, 2, 3])('after many concurrent writes of all kinds (%i)', async (run) => {
    const records = await clinicOf();
    const all = Object.values(writes);
    const deadlock = (error: unknown) => error instanceof Error && 'code' in error && error.code === '40P01';
    let done = 0;
    const storm = async (seed: number) => {
      const random = randomOf(run * 100 + seed);
      for (let count = 0; count < 40; count++) {
        const write = all[Math.floor(random() * all.length)];
        await write?.(test.db, records, random).then(
          () => {
            done += 1;
          },
          (error: unknown) => {
            if (!deadlock(error)) throw error;
          },
        );
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(storm));
    expect(done).toBeGreaterThan(200);
    await expectNoDrift();
  });
});

describe('search words', () => {
  it('are normalized like typed words', async () => {
    const random = randomOf(11);
    const alphabet = [..."aåäöÅÄÖéÉüñçøØæÆœßłŁđðþÞıŠž zÅ-'’.,_/ 019²ﬁ"];
    for (let count = 0; count < 200; count++) {
      const text = Array.from({ length: 12 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
      const { rows } = await sql<{ words: string }>`select folded_words(${text}) as words`.execute(test.db);
      expect(rows[0]?.words, text).toBe(` ${searchKey(text)}`);
    }
  });
});
