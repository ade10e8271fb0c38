import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerGet, customerUpdate } from '../../contract/customers.ts';
import { type DuePatient, retentionDue } from '../../contract/retention.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';

let bench: AdministrationBench;
beforeAll(async () => {
  bench = await administrationBench();
});
afterAll(() => bench?.close());

const fields = { organisationName: 'Folktandvården', address: 'Storgatan 1', telephone: '031-390 06 12' };
const yearMs = 365.25 * 86_400_000;
const yearsAgo = (years: number) => new Date(Date.now() - years * yearMs);

const setRetention = async (retentionYears: number | null | undefined, id = bench.clinics.customerId) => {
  const { version } = (await bench.call(customerGet, 'super', { params: { id } })).body;
  const body = { ...fields, id, version, ...(retentionYears === undefined ? {} : { retentionYears }) };
  return bench.call(customerUpdate, 'admin', { body });
};
const due = async (page: object = {}) =>
  (await bench.call(retentionDue, 'admin', { body: { customerId: bench.clinics.customerId, ...page } })).body;
const dueIds = async (): Promise<string[]> => (await due({ ppage: 100 })).data.map(({ id }: DuePatient) => id);

/** A patient whose entries are all so many years old. */
const addOldPatient = async (years: number): Promise<RecordIds> => {
  const ids = await addRecord(bench.db, bench.clinics.customerId, { sha256: 'a'.repeat(64), sizeBytes: 1 });
  const at = yearsAgo(years);
  await bench.db
    .updateTable('patient')
    .set({ entered_date: at, modified_date: at, last_study_date: at.toISOString().slice(0, 10) })
    .where('id', '=', ids.patientId)
    .execute();
  const study = { created_at: at, study_date: at.toISOString().slice(0, 10) };
  await bench.db.updateTable('study').set(study).where('id', '=', ids.studyId).execute();
  await bench.db.updateTable('image').set({ created_at: at }).where('series_id', '=', ids.seriesId).execute();
  await bench.db.updateTable('viewset').set({ created_at: at }).where('id', '=', ids.viewsetId).execute();
  await bench.db.updateTable('imaging_order').set({ created_at: at }).where('patient_id', '=', ids.patientId).execute();
  await bench.db.updateTable('shared_link').set({ made_at: at }).where('patient_id', '=', ids.patientId).execute();
  return ids;
};

describe('the retention of a clinic', () => {
  it('is ten years, is set by the administrator to more years or to never, and stays in a form that does not know it', async () => {
    const { customerId: id } = bench.clinics;
    expect((await bench.call(customerGet, 'admin', { params: { id } })).body.retentionYears).toBe(10);
    expect((await setRetention(15)).body.retentionYears).toBe(15);
    expect((await setRetention(undefined)).body.retentionYears).toBe(15);
    expect((await setRetention(null)).body.retentionYears).toBeNull();
    expect((await setRetention(undefined)).body.retentionYears).toBeNull();
  });

  it('is not shorter than the law allows', async () => {
    for (const years of [9, 201, 10.5])
      expect(await setRetention(years)).toMatchObject({
        status: 400,
        body: { errors: [{ fieldKey: 'retentionYears' }] },
      });
    const shorter = sql`update customer set retention_years = 9`.execute(bench.db);
    await expect(shorter, 'the database itself').rejects.toThrow('retention_years');
  });
});

describe('patients whose retention has ended', () => {
  it('are listed with the last entry, the longest due first, also from the recycle bin', async () => {
    await setRetention(10);
    await addOldPatient(9.9);
    const [old, oldest] = [await addOldPatient(10.1), await addOldPatient(12)];
    await bench.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', oldest.patientId).execute();
    const list = await due();
    expect(list).toMatchObject({ totalCount: 2, retentionYears: 10 });
    expect(list.data.map(({ id }: DuePatient) => id)).toEqual([oldest.patientId, old.patientId]);
    expect(list.data.map(({ deletedAt }: DuePatient) => deletedAt === null)).toEqual([false, true]);
    expect(Math.abs(Date.parse(list.data[1].lastEntryAt) - yearsAgo(10.1).getTime())).toBeLessThan(86_400_000);
    expect((await due({ page: 2, ppage: 1 })).data.map(({ id }: DuePatient) => id)).toEqual([old.patientId]);
    await setRetention(11);
    expect(await dueIds()).toEqual([oldest.patientId]);
    await setRetention(null);
    expect(await due()).toMatchObject({ data: [], totalCount: 0, retentionYears: null });
  });

  const author = () => ({ author_id: bench.clinics.adminId, author_name: 'Prov' });
  const at = yearsAgo(3);
  const note = (subject_id: string) => ({
    subject_id,
    version: 1,
    state: 'draft' as const,
    text: '',
    ...author(),
    saved_at: at,
  });
  const entries: Readonly<Record<string, (ids: RecordIds) => Promise<unknown>>> = {
    'an edited patient': ({ patientId }) =>
      bench.db.updateTable('patient').set({ modified_date: at }).where('id', '=', patientId).execute(),
    'a new study': ({ studyId }) =>
      bench.db.updateTable('study').set({ created_at: at }).where('id', '=', studyId).execute(),
    'a study of that day': ({ studyId }) =>
      bench.db
        .updateTable('study')
        .set({ study_date: at.toISOString().slice(0, 10) })
        .where('id', '=', studyId)
        .execute(),
    'an imported image': ({ imageId }) =>
      bench.db.updateTable('image').set({ created_at: at }).where('id', '=', imageId).execute(),
    'a deleted image': ({ imageId }) =>
      bench.db.updateTable('image').set({ created_at: at, deleted_at: at }).where('id', '=', imageId).execute(),
    'a mount': ({ viewsetId }) =>
      bench.db.updateTable('viewset').set({ created_at: at }).where('id', '=', viewsetId).execute(),
    'an unsigned note on an image': ({ imageId }) => bench.db.insertInto('image_note').values(note(imageId)).execute(),
    'an unsigned note on a mount': ({ viewsetId }) =>
      bench.db.insertInto('viewset_note').values(note(viewsetId)).execute(),
    'a changed study': ({ studyId }) =>
      sql`insert into study_change (subject_id, field, before, after, author_id, author_name, changed_at)
        values (${studyId}, 'description', '{}', '{}', ${bench.clinics.adminId}, 'Prov', ${at})`.execute(bench.db),
    'a changed image': ({ imageId }) =>
      sql`insert into image_change (subject_id, field, before, after, author_id, author_name, changed_at)
        values (${imageId}, 'comment', '{}', '{}', ${bench.clinics.adminId}, 'Prov', ${at})`.execute(bench.db),
    'a grade': ({ imageId }) =>
      sql`insert into image_grade (image_id, version, grade, text, is_cephalometric, author_id, author_name, saved_at)
        values (${imageId}, 1, 'A', '', false, ${bench.clinics.adminId}, 'Prov', ${at})`.execute(bench.db),
    'an order of images': ({ patientId }) =>
      sql`insert into imaging_order (id, customer_id, patient_id, study_uid, accession_number, procedure_text, modality,
          scheduled_day, scheduled_time, comment, created_by, created_at)
        values (${randomUUID()}, ${bench.clinics.customerId}, ${patientId}, '2.25.7', '7', 'Panorama', 'PX',
          '2026-01-05', '0900', '', ${bench.clinics.adminId}, ${at})`.execute(bench.db),
    'images for a recipient': ({ patientId }) =>
      sql`insert into shared_link (id, customer_id, patient_id, account_id, made_at, expires_at, recipient, shows_patient,
          confirmed_burned_in)
        values (${randomUUID()}, ${bench.clinics.customerId}, ${patientId}, ${bench.clinics.adminId}, ${at}, ${at},
          'Specialist', false, 0)`.execute(bench.db),
    'saved display settings': ({ imageId }) =>
      sql`insert into image_display (image_id, version, account_id, saved_at)
        values (${imageId}, 1, ${bench.clinics.adminId}, ${at})`.execute(bench.db),
  };

  it.each(Object.keys(entries))('are not due for ten years after %s', async (name) => {
    await setRetention(10);
    const ids = await addOldPatient(14);
    expect(await dueIds()).toContain(ids.patientId);
    await entries[name]?.(ids);
    expect(await dueIds()).not.toContain(ids.patientId);
    const { rows } = await sql<{ last: Date }>`select patient_last_entry(${ids.patientId}) as last`.execute(bench.db);
    expect(Math.abs((rows[0]?.last.getTime() ?? 0) - at.getTime())).toBeLessThan(1.5 * 86_400_000);
  });

  it('of another clinic are as if they did not exist', async () => {
    const replies = await Promise.all(
      [bench.clinics.otherCustomerId, randomUUID()].map((customerId) =>
        bench.call(retentionDue, 'admin', { body: { customerId } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(await bench.call(retentionDue, 'doctor', { body: { customerId: bench.clinics.customerId } })).toMatchObject({
      status: 403,
      body: { claims: ['customer.update'] },
    });
  });
});
