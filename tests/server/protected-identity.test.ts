import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessLogGet } from '../../contract/access-log.ts';
import { changesGet, type RecordChange } from '../../contract/changes.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { dayListGet } from '../../contract/day-lists.ts';
import { destructionList } from '../../contract/destruction.ts';
import { imageSearchPrivate } from '../../contract/gallery.ts';
import { gradeSample } from '../../contract/grade-report.ts';
import { patientCreate, patientGet, patientSearchPrivate, patientUpdate } from '../../contract/patients.ts';
import {
  contentSearchDeleted,
  patientSearchDeletedPrivate,
  studySearchDeletedPrivate,
} from '../../contract/recycle-bin.ts';
import { retentionDue } from '../../contract/retention.ts';
import { studySearchPrivate } from '../../contract/studies.ts';
import { insertRole } from '../../server/db/stores/role-store.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';

let bench: AdministrationBench;
let ids: RecordIds;
let patients = 0;
let number = '';

/** Has every right of a clinic's administrator but the one to see protected identities. */
const desk = 'desk';

beforeAll(async () => {
  bench = await administrationBench();
  const { db, clinics } = bench;
  const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'feature.protected_identity');
  const role = await insertRole(db, { name: 'Reception', rank: 1, claims });
  const accountId = await bench.add(desk, 'Doctor', clinics.customerId);
  await db.updateTable('account').set({ role_id: role.id }).where('id', '=', accountId).execute();
});
afterAll(() => bench?.close());

const customerId = () => bench.clinics.customerId;
const page = (more: object = {}) => ({ customerId: customerId(), page: 1, ppage: 100, ...more });
const patientOf = async () => (await bench.call(patientGet, 'admin', { params: { id: ids.patientId } })).body;
const save = async (who: string, changes: object) => {
  const { id, version, mainInfo } = await patientOf();
  const { lastStudyDate: _, ...fields } = mainInfo;
  return bench.call(patientUpdate, who, { body: { id, version, ...fields, ...changes } });
};

/** Saves a patient with images, whose identity the reception protects. */
beforeEach(async () => {
  patients += 1;
  number = `19670919${9500 + patients}`;
  ids = await addRecord(bench.db, customerId(), { sha256: 'a'.repeat(64), sizeBytes: 1 });
  expect(
    await save(desk, { firstName: 'Vera', lastName: ids.patientName, personalNumber: number, birthDate: null }),
  ).toMatchObject({ status: 200 });
  expect(await save(desk, { protectedIdentity: true })).toMatchObject({
    status: 200,
    body: { mainInfo: { protectedIdentity: true } },
  });
});

const patientsIn = (data: readonly { id: string; patientId?: string }[]) => [
  ...new Set(data.map(({ id, patientId = id }) => patientId)),
];

/** Each list of a clinic, with the patients that it shows. */
const lists: Readonly<Record<string, (who: string, q?: string) => Promise<readonly string[]>>> = {
  patients: async (who, q = '') => {
    const { body } = await bench.call(patientSearchPrivate, who, { body: page({ q }) });
    return patientsIn([...body.data, ...body.similar]);
  },
  studies: async (who, q = '') =>
    patientsIn((await bench.call(studySearchPrivate, who, { body: page({ q }) })).body.data),
  gallery: async (who) => patientsIn((await bench.call(imageSearchPrivate, who, { body: page() })).body.data),
  'the quality sample': async (who) => {
    const { imageId } = ids;
    await sql`update image set acquired_at = '2026-01-05' where id = ${imageId}`.execute(bench.db);
    await sql`update series set modality = 'IO' where id = (select series_id from image where id = ${imageId})`.execute(
      bench.db,
    );
    const body = { customerId: customerId(), group: 'intraoral' as const, from: '2000-01-01', to: '2099-12-31' };
    return patientsIn((await bench.call(gradeSample, who, { body })).body.data);
  },
  'the day': async (who) => {
    const body = page({ list: 'today', q: '' });
    return patientsIn((await bench.call(dayListGet, who, { body })).body.data);
  },
  'opened patients': async (who) => {
    await bench.call(patientGet, who, { params: { id: ids.patientId } });
    return patientsIn((await bench.call(dayListGet, who, { body: page({ list: 'opened', q: '' }) })).body.data);
  },
  'destruction orders': async (who) =>
    (await bench.call(destructionList, who, { body: page() })).body.data.map(
      (order: { subject: { patientId: string } | null }) => order.subject?.patientId,
    ),
  'the retention': async (who) => {
    for (const [table, column] of [
      ['study', 'created_at'],
      ['image', 'created_at'],
      ['viewset', 'created_at'],
      ['imaging_order', 'created_at'],
      ['shared_link', 'made_at'],
      ['patient', 'entered_date'],
      ['patient', 'modified_date'],
    ])
      await sql`update ${sql.table(table ?? '')} set ${sql.ref(column ?? '')} = now() - interval '20 years'`.execute(
        bench.db,
      );
    return patientsIn((await bench.call(retentionDue, who, { body: page() })).body.data);
  },
  'deleted images': async (who) => {
    await bench.db.updateTable('image').set({ deleted_at: new Date() }).where('id', '=', ids.imageId).execute();
    return patientsIn((await bench.call(contentSearchDeleted, who, { body: page() })).body.data);
  },
  'deleted studies': async (who) => {
    await bench.db.updateTable('study').set({ deleted_at: new Date() }).where('id', '=', ids.studyId).execute();
    return patientsIn((await bench.call(studySearchDeletedPrivate, who, { body: page() })).body.data);
  },
  'deleted patients': async (who) => {
    await bench.db.updateTable('patient').set({ deleted_at: new Date() }).where('id', '=', ids.patientId).execute();
    return patientsIn((await bench.call(patientSearchDeletedPrivate, who, { body: page() })).body.data);
  },
};

describe('a patient with protected identity', () => {
  it.each(Object.keys(lists))('is shown in %s to users with the right only', async (name) => {
    const list = lists[name];
    expect(await list?.('admin')).toContain(ids.patientId);
    expect(await list?.(desk)).not.toContain(ids.patientId);
  });

  it('is not counted in what others find', async () => {
    const total = async (who: string) =>
      (await bench.call(patientSearchPrivate, who, { body: page({ q: ids.patientName }) })).body.totalCount;
    // Another patient has the same last name.
    expect([await total('admin'), await total(desk)]).toEqual([2, 1]);
    const images = async (who: string) =>
      (await bench.call(imageSearchPrivate, who, { body: page({ q: ids.patientName }) })).body.totalCount;
    expect([await images('admin'), await images(desk)]).toEqual([2, 0]);
  });

  it.each(['patients', 'studies'])(
    'is found among %s by the complete personal number, not by a part or a name',
    async (name) => {
      const found = async (q: string) => (await lists[name]?.(desk, q))?.includes(ids.patientId);
      expect(await found(number)).toBe(true);
      expect(await found(`${number.slice(0, 8)}-${number.slice(8)}`)).toBe(true);
      expect(await found(`${number.slice(2, 8)}-${number.slice(8)}`)).toBe(true);
      expect(await found(`Vera ${number}`)).toBe(true);
      for (const part of [
        number.slice(0, 11),
        number.slice(8),
        ids.patientName,
        `${ids.patientName.slice(0, -1)}q`,
        `Vera ${number.slice(0, 8)}`,
      ])
        expect([part, await found(part)]).toEqual([part, false]);
    },
  );

  it('has a record that opens with its mark, and all its images', async () => {
    expect((await bench.call(patientGet, desk, { params: { id: ids.patientId } })).body.mainInfo).toMatchObject({
      firstName: 'Vera',
      protectedIdentity: true,
    });
    const { body } = await bench.call(imageSearchPrivate, desk, { body: page({ patientId: ids.patientId }) });
    expect(body.data).toMatchObject([{ protectedIdentity: true }, { protectedIdentity: true }]);
  });

  it('has no name in the access log of a reader without the right', async () => {
    const entries = async (who: string) =>
      (await bench.call(accessLogGet, who, { query: { patientId: ids.patientId } })).body.data.map(
        (entry: { patient: unknown }) => entry.patient,
      );
    const named = {
      id: ids.patientId,
      name: `Vera ${ids.patientName}`,
      personalNumber: number,
      protectedIdentity: true,
    };
    expect(await entries('admin')).toContainEqual(named);
    const shown = await entries(desk);
    expect(shown).toContainEqual({ ...named, name: '', personalNumber: '' });
    expect(shown).not.toContainEqual(named);
  });

  it('loses the mark only by a user with the right; an older browser, which does not send it, changes nothing', async () => {
    expect(await save(desk, { protectedIdentity: false })).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['feature.protected_identity'] },
    });
    expect((await save(desk, { protectedIdentity: undefined })).body.mainInfo.protectedIdentity).toBe(true);
    expect((await save('admin', { protectedIdentity: false })).body.mainInfo.protectedIdentity).toBe(false);
    expect(await lists.patients?.(desk)).toContain(ids.patientId);
  });

  it('can be registered by every user who registers patients', async () => {
    const fields = {
      firstName: 'Nils',
      lastName: 'Skyddad',
      personalNumber: '196709199799',
      birthDate: null,
      sex: null,
    };
    const body = { customerId: customerId(), ...fields, comments: null, protectedIdentity: true };
    expect(await bench.call(patientCreate, desk, { body })).toMatchObject({
      status: 200,
      body: { mainInfo: { protectedIdentity: true } },
    });
  });
});

describe('the changes of a patient', () => {
  it('keep what was wrong, what it became, who and when', async () => {
    await save('doctor', { firstName: 'Wera', personalNumber: '196709199898', sex: 'F', comments: 'Tolk' });
    const { body } = await bench.call(changesGet, 'doctor', { params: { subject: 'patient', id: ids.patientId } });
    const newest = body.changes
      .slice(0, 4)
      .map(({ field, before, after, author }: RecordChange) => [field, before, after, author.id]);
    expect(newest).toEqual([
      ['comments', null, 'Tolk', bench.clinics.doctorId],
      ['sex', null, 'F', bench.clinics.doctorId],
      ['personalNumber', number, '196709199898', bench.clinics.doctorId],
      ['firstName', 'Vera', 'Wera', bench.clinics.doctorId],
    ]);
    expect(body.changes).toContainEqual(
      expect.objectContaining({ field: 'protectedIdentity', before: false, after: true }),
    );
  });

  it('are not read by another clinic', async () => {
    const reply = await bench.call(changesGet, 'other', { params: { subject: 'patient', id: ids.patientId } });
    expect(reply.status).toBe(404);
  });
});
