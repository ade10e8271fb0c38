import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Statistics, statisticsGet, statisticsOfCustomer, statisticsWeeks } from '../../contract/statistics.ts';
import { countAll } from '../../server/db/stores/statistics-counting.ts';
import { statisticsOf } from '../../server/db/stores/statistics-store.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let test: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
const headers = new Map<string, Record<string, string>>();

beforeAll(async () => {
  test = await testDatabase();
  clinic = await addTwoClinics(test.db);
  running = await runServer(test.database);
  for (const name of ['super', 'admin', 'doctor', 'other'])
    headers.set(name, bearer(await signIn(running.url, `${name}@prov.example`)));
});
afterAll(async () => {
  await running?.close();
  await test?.close();
});

const stored = { sha256: 'a'.repeat(64), sizeBytes: 10 };
const add = (customerId = clinic.customerId): Promise<RecordIds> => addRecord(test.db, customerId, stored);
const counted = ({ patients, studies, images }: Statistics) => ({ patients, studies, images });
const of = (customerId = clinic.customerId, now?: Date) => statisticsOf(test.db, { customerId }, now);

/** Computes the expected result directly. */
const recounted = async (customerId: string) => {
  const { rows } = await sql<{ patients: number; studies: number; images: number }>`select
    (select count(*) from patient where customer_id = ${customerId} and deleted_at is null) as patients,
    (select count(*) from study join patient on patient.id = patient_id where study.customer_id = ${customerId}
      and study.deleted_at is null and patient.deleted_at is null) as studies,
    (select count(*) from image join series on series.id = series_id join study on study.id = study_id join patient on patient.id = patient_id
      where image.customer_id = ${customerId} and image.deleted_at is null and series.deleted_at is null and study.deleted_at is null
      and patient.deleted_at is null) as images`.execute(test.db);
  return rows[0];
};

const forget = async () => {
  for (const table of [
    'shared_link_opening',
    'shared_link_image',
    'shared_link',
    'image_display',
    'viewset_detached',
    'viewset_item',
    'viewset',
    'image',
    'series',
    'study',
    'imaging_order',
  ] as const)
    await test.db.deleteFrom(table).execute();
  await test.db.deleteFrom('import_study').execute();
  await test.db.deleteFrom('import_task').execute();
  await test.db.deleteFrom('patient').execute();
};

describe('the statistics', () => {
  beforeEach(forget);

  it('count at once, and exclude what is in the recycle bin, at every level', async () => {
    const record = await add();
    expect(counted(await of())).toEqual({ patients: 2, studies: 1, images: 2 });
    const put = async (table: 'image' | 'series' | 'study' | 'patient', id: string, deleted: boolean) => {
      await test.db
        .updateTable(table)
        .set({ deleted_at: deleted ? new Date() : null })
        .where('id', '=', id)
        .execute();
      return counted(await of());
    };
    expect(await put('image', record.imageId, true)).toEqual({ patients: 2, studies: 1, images: 1 });
    expect(await put('series', record.seriesId, true)).toEqual({ patients: 2, studies: 1, images: 0 });
    expect(await put('study', record.studyId, true)).toEqual({ patients: 2, studies: 0, images: 0 });
    expect(await put('patient', record.patientId, true)).toEqual({ patients: 1, studies: 0, images: 0 });
    expect(await put('study', record.studyId, false)).toEqual({ patients: 1, studies: 0, images: 0 });
    expect(await put('series', record.seriesId, false)).toEqual({ patients: 1, studies: 0, images: 0 });
    expect(await put('patient', record.patientId, false)).toEqual({ patients: 2, studies: 1, images: 1 });
    expect(await put('image', record.imageId, false)).toEqual({ patients: 2, studies: 1, images: 2 });
  });

  it('assign to weeks of Stockholm time, and include empty weeks', async () => {
    const record = await add();
    const at = (moment: string) => ({ created_at: new Date(moment) });
    // Sunday evening in Stockholm is Sunday in UTC too; Monday 00:30 in Stockholm is Sunday 22:30 in UTC.
    await test.db.updateTable('image').set(at('2026-06-07T21:30:00Z')).where('id', '=', record.imageId).execute();
    await test.db.updateTable('image').set(at('2026-06-07T22:30:00Z')).where('id', '=', record.trayImageId).execute();
    await test.db.updateTable('study').set(at('2025-01-01T12:00:00Z')).execute();
    const { weekly, studies, images } = await of(clinic.customerId, new Date('2026-06-10T12:00:00Z'));
    expect(weekly).toHaveLength(statisticsWeeks);
    expect(weekly.at(-1)).toMatchObject({ week: '2026-06-08', images: 1 });
    expect(weekly.at(-2)).toMatchObject({ week: '2026-06-01', images: 1 });
    expect(weekly.at(0)).toEqual({ week: '2025-12-15', patients: 0, studies: 0, images: 0 });
    expect({ studies, images }, 'older ones count in the sum alone').toEqual({ studies: 1, images: 2 });
    expect((await of(clinic.customerId, new Date('2026-06-14T22:00:01Z'))).weekly.at(-1)?.week).toBe('2026-06-15');
  });

  it('stay correct through every operation, also concurrently', async () => {
    const records = await Promise.all([add(), add(), add(clinic.otherCustomerId)]);
    const pick = <T>(choices: readonly T[]) => choices[randomInt(choices.length)] as T;
    const step = async () => {
      const { imageId, seriesId, studyId, patientId, otherPatientId } = pick(records);
      const [table, id] = pick([
        ['image', imageId],
        ['series', seriesId],
        ['study', studyId],
        ['patient', patientId],
      ] as const);
      const kind = randomInt(5);
      if (kind === 0)
        await test.db
          .updateTable('study')
          .set({ patient_id: pick([patientId, otherPatientId]) })
          .where('id', '=', studyId)
          .execute();
      else if (kind === 1) await of();
      else
        await test.db
          .updateTable(table)
          .set({ deleted_at: pick([new Date(), null]) })
          .where('id', '=', id)
          .execute();
    };
    // Many, since a circle of waiting transactions needs three of them at the same moment.
    for (let run = 0; run < 120; run++) await Promise.all(Array.from({ length: 8 }, step));
    for (const id of [clinic.customerId, clinic.otherCustomerId]) {
      const statistics = await of(id);
      expect(counted(statistics)).toEqual(await recounted(id));
      const sum = (key: 'patients' | 'studies' | 'images') =>
        statistics.weekly.reduce((total, week) => total + week[key], 0);
      expect({ patients: sum('patients'), studies: sum('studies'), images: sum('images') }).toEqual(
        counted(statistics),
      );
    }
  });

  it('exclude permanently deleted records', async () => {
    await add();
    await of();
    await forget();
    expect(counted(await of())).toEqual({ patients: 0, studies: 0, images: 0 });
  });

  it('leave a week of a mass import to the interval job', async () => {
    await add();
    await of();
    for (const table of ['statistics_week', 'statistics_total'] as const)
      await test.db.updateTable(table).set({ images: 30_000 }).where('customer_id', '=', clinic.customerId).execute();
    await add();
    expect((await of()).patients, 'not before the job has run').toBe(2);
    await countAll(test.db);
    expect(counted(await of()).patients).toBe(4);
    expect(await test.db.selectFrom('statistics_change').selectAll().execute()).toEqual([]);
  });

  it('separate clinics, and combine them', async () => {
    await add();
    await add(clinic.otherCustomerId);
    expect(counted(await of())).toEqual({ patients: 2, studies: 1, images: 2 });
    expect(counted(await statisticsOf(test.db, { superAdministrators: true }))).toEqual({
      patients: 4,
      studies: 2,
      images: 4,
    });
  });
});

describe('the routes', () => {
  const get = (path: string, who: string) => fetch(`${running.url}${path}`, { headers: headers.get(who) ?? {} });
  const ofClinic = (id: string, who: string) => get(statisticsOfCustomer.path.replace(':customerId', id), who);

  it('show all clinics to users who may list them, with active and inactive users', async () => {
    await forget();
    await test.db.deleteFrom('account').where('email', 'like', '%-%').execute();
    const before = statisticsGet.reply.parse(await (await get(statisticsGet.path, 'super')).json());
    await addAccount(test.db, {
      email: 'away@prov.example',
      role: 'Doctor',
      customerId: clinic.customerId,
      isActive: false,
    });
    const after = statisticsGet.reply.parse(await (await get(statisticsGet.path, 'super')).json());
    expect(before).toMatchObject({ clinics: 2, users: { active: 4, inactive: 0, total: 4 } });
    expect(after).toMatchObject({ clinics: 2, users: { active: 4, inactive: 1, total: 5 } });
    expect((await get(statisticsGet.path, 'admin')).status).toBe(403);
  });

  it('show one clinic to its own administrator and to users who may see any', async () => {
    expect(await (await ofClinic(clinic.customerId, 'admin')).json()).toMatchObject({
      clinics: 1,
      users: { total: 3 },
    });
    expect((await ofClinic(clinic.otherCustomerId, 'super')).status).toBe(200);
    expect((await ofClinic(clinic.otherCustomerId, 'admin')).status).toBe(404);
    expect((await ofClinic(clinic.customerId, 'doctor')).status).toBe(403);
  });
});
