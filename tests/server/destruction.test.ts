import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesGet } from '../../contract/changes.ts';
import { pathOf } from '../../contract/route.ts';
import { referencedFilesQuery } from '../../server/db/stores/leftovers.ts';
import { openDerivedCache } from '../../server/resource/derived-cache.ts';
import { type DestructionParts, destroyDue } from '../../server/resource/destruction/destruction-job.ts';
import { expectRejected } from './append-only.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import {
  addApproved,
  addEntries,
  addStoredRecord,
  filesBelow,
  filesWith,
  partsOf,
  tablesWith,
} from './destruction-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive?.close());

const orderOf = (id: string) =>
  archive.db.selectFrom('destruction_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const entriesOf = (orderId: string) =>
  archive.db
    .selectFrom('access_log')
    .select(['action', 'patient_id', 'account_id', 'detail'])
    .where('object_id', '=', orderId)
    .execute();
const isThere = async (sha256: string) => (await archive.archive.files.sizeOf(sha256)) !== null;
const countOf = async (table: string, where: ReturnType<typeof sql>) => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where ${where}`.execute(
    archive.db,
  );
  return rows[0]?.n;
};
/** Two runs: the second removes the files of the first. */
const runTwice = async (parts: DestructionParts) => {
  await destroyDue(parts);
  await destroyDue(parts);
};
const destroy = async () => runTwice(await partsOf(archive));
const destroyPatient = async (ids: RecordIds): Promise<string> => {
  const id = await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
  await destroy();
  return id;
};

const secret = { lastName: 'Zzyzxhemlig', firstName: 'Qwintilia', personalNumber: '19660606-7788' };
const pixels = Uint16Array.from({ length: 48 }, (_, index) => 4_000 - ((index * 77) % 1_231));

describe('a destroyed patient', () => {
  it('is in no table and in no file any more: name, number and pixels', async () => {
    const patientId = await archive.addPatient({
      customerId: archive.clinics.customerId,
      ...secret,
      birthDate: '1966-06-06',
    });
    const named = {
      PatientName: `${secret.lastName}^${secret.firstName}`,
      PatientID: secret.personalNumber,
      PatientBirthDate: '19660606',
    };
    const object = (number: number) =>
      smallObject({ ...named, PixelData: pixels, StudyInstanceUID: '2.25.661', SOPInstanceUID: `2.25.66${number}` });
    const task = await archive.importAll(patientId, {
      [`${secret.lastName}/one.dcm`]: object(1),
      'two.dcm': object(2),
    });
    expect(task.error).toBe(false);
    await archive.archive.thumbnails.idle();
    const images = await archive.db
      .selectFrom('image')
      .innerJoin('series', 'series.id', 'image.series_id')
      .innerJoin('study', 'study.id', 'series.study_id')
      .select(['image.id', 'sha256'])
      .where('patient_id', '=', patientId)
      .execute();
    expect(images).toHaveLength(2);
    const hashes = images.map(({ sha256 }) => sha256);
    // Images of this size need no prepared rendition.
    const renditions = openDerivedCache(path.join(archive.dataFolder, 'renditions'));
    for (const hash of hashes) await renditions.write(`${hash}-1-full-4`, new Uint8Array(pixels.buffer));
    // A copy that a sweep once put aside.
    const day = path.join(archive.dataFolder, 'files', 'quarantine', '2026-01-02');
    await mkdir(day, { recursive: true });
    await writeFile(path.join(day, hashes[0] ?? ''), object(1));
    const traces = {
      names: hashes,
      bytes: [Buffer.from(secret.lastName), Buffer.from(secret.personalNumber), Buffer.from(pixels.buffer)],
    };
    const texts = [secret.lastName, secret.firstName, '196606067788', secret.personalNumber, patientId];
    const inTables = async () =>
      (await Promise.all(texts.map((text) => tablesWith(archive, text)))).map((tables) =>
        tables.filter((table) => !['access_log', 'destruction_order'].includes(table)),
      );
    const before = await inTables();
    expect(
      before.every((tables) => tables.length > 0),
      'the search finds what is there',
    ).toBe(true);
    const filesBefore = await filesWith(archive.dataFolder, traces);
    expect(filesBefore.some((file) => file.startsWith('files/quarantine'))).toBe(true);
    expect(filesBefore.some((file) => file.startsWith('thumbnails'))).toBe(true);
    expect(filesBefore.some((file) => file.startsWith('renditions'))).toBe(true);
    for (const text of [secret.lastName, secret.firstName, secret.personalNumber])
      expect(await tablesWith(archive, text)).not.toContain('access_log');

    const order = await addApproved(archive, { kind: 'patient', subjectId: patientId, patientId });
    await destroy();

    expect(await inTables()).toEqual(texts.map(() => []));
    expect(await filesWith(archive.dataFolder, traces)).toEqual([]);
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', patients: 1, studies: 1, images: 2, files: 2 });
    expect(await entriesOf(order)).toEqual([
      { action: 'destruction.done', patient_id: patientId, account_id: archive.clinics.superId, detail: 'IVO 2026/7' },
    ]);
  });

  it('leaves no row in any table, whatever was entered', async () => {
    const { ids } = await addStoredRecord(archive);
    await addEntries(archive, ids, 'Tanken-sju-och-nio');
    expect((await tablesWith(archive, 'Tanken-sju-och-nio')).length).toBeGreaterThan(10);
    const order = await destroyPatient(ids);
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', patients: 1, studies: 1, images: 2, files: 2 });
    expect(await tablesWith(archive, 'Tanken-sju-och-nio')).toEqual([]);
    expect(await tablesWith(archive, ids.patientName)).toContain('patient');
    expect(await tablesWith(archive, ids.patientId)).toEqual(['access_log', 'destruction_order']);
    for (const id of [ids.studyId, ids.seriesId, ids.imageId, ids.viewsetId, ids.sharedLinkId])
      expect(await tablesWith(archive, id)).toEqual([]);
  });

  it('does not take the file of another patient with the same bytes', async () => {
    const { ids, hashes } = await addStoredRecord(archive);
    const [shared = '', own = ''] = hashes;
    const other = await addRecord(archive.db, archive.clinics.otherCustomerId, { sha256: shared, sizeBytes: 1 });
    const order = await destroyPatient(ids);
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', files: 1 });
    expect([await isThere(shared), await isThere(own)]).toEqual([true, false]);
    expect(await countOf('image', sql`id = ${other.imageId}`)).toBe(1);
  });

  it('keeps a file that was stored again lately, until a row has it or it is old', async () => {
    const { ids, hashes } = await addStoredRecord(archive);
    const id = await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
    await runTwice(await partsOf(archive, { retention: { orphanMs: 3_600_000, keepMs: 0 } }));
    expect(await orderOf(id)).toMatchObject({ state: 'destroying', patients: 1, files: 0 });
    expect(await Promise.all(hashes.map(isThere))).toEqual([true, true]);
    await destroy();
    expect(await orderOf(id)).toMatchObject({ state: 'destroyed', files: 2 });
    expect(await Promise.all(hashes.map(isThere))).toEqual([false, false]);
  });

  it('loses the names in an import with images of another patient, which keeps its own rows', async () => {
    const [{ ids }, { ids: other }] = [await addStoredRecord(archive), await addStoredRecord(archive)];
    const study = {
      task_id: ids.foundTaskId,
      kind: 'dicom' as const,
      study_date: null,
      named_patient: null,
      study_uid: null,
      template_id: null,
      viewset_id: null,
    };
    await archive.db
      .updateTable('import_study')
      .set({ patient_id: ids.patientId })
      .where('task_id', '=', ids.foundTaskId)
      .execute();
    await archive.db
      .insertInto('import_study')
      .values({ ...study, key: other.studyUid, patient_id: other.patientId })
      .execute();
    await archive.db
      .updateTable('import_task')
      .set({ name: 'Familjen Hemlig', step: 5 })
      .where('id', '=', ids.foundTaskId)
      .execute();
    const file = (path: string, status: string, more: object = {}) =>
      ({
        id: crypto.randomUUID(),
        task_id: ids.foundTaskId,
        file_name: path,
        path,
        size_bytes: 1,
        status,
        ...more,
      }) as never;
    const zip = crypto.randomUUID();
    await archive.db
      .insertInto('import_file')
      .values(file('all.zip', 'unpacked', { id: zip }))
      .execute();
    await archive.db
      .insertInto('import_file')
      .values([
        file('own.dcm', 'imported', { container_id: zip, image_id: ids.imageId, study_key: ids.studyUid }),
        file('other.dcm', 'imported', { container_id: zip, image_id: other.imageId, study_key: other.studyUid }),
        file('unread.dcm', 'refused', { container_id: zip }),
      ])
      .execute();
    await destroyPatient(ids);
    const files = await archive.db
      .selectFrom('import_file')
      .select(['path', 'container_id'])
      .where('task_id', '=', ids.foundTaskId)
      .execute();
    expect(files).toEqual([{ path: 'other.dcm', container_id: null }]);
    const studies = await archive.db
      .selectFrom('import_study')
      .select('patient_id')
      .where('task_id', '=', ids.foundTaskId)
      .execute();
    expect(studies).toEqual([{ patient_id: other.patientId }]);
    expect(
      await archive.db.selectFrom('import_task').select('name').where('id', '=', ids.foundTaskId).execute(),
    ).toEqual([{ name: '' }]);
  });

  it('waits for a node that works on one of the imports, and cancels it', async () => {
    const { ids } = await addStoredRecord(archive);
    const lease = (until: Date | null) =>
      archive.db
        .updateTable('import_task')
        .set({ lease_owner: 'elsewhere', lease_until: until })
        .where('id', '=', ids.newTaskId)
        .execute();
    await lease(new Date(Date.now() + 60_000));
    const order = await destroyPatient(ids);
    expect(await orderOf(order)).toMatchObject({ state: 'destroying', patients: 0 });
    expect(await countOf('import_task', sql`id = ${ids.newTaskId} and cancelled and error`)).toBe(1);
    await lease(new Date(Date.now() - 1));
    await destroy();
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', patients: 1 });
  });

  it('is nameless in the changes of a study that came from them', async () => {
    const [{ ids }, { ids: other }] = [await addStoredRecord(archive), await addStoredRecord(archive)];
    const values = [ids.patientId, other.patientId].map((value) => JSON.stringify({ value }));
    await sql`insert into study_change (subject_id, field, before, after, author_id, author_name)
      values (${other.studyId}, 'patient', ${values[0]}, ${values[1]}, ${archive.clinics.doctorId}, 'Prov')`.execute(
      archive.db,
    );
    await destroyPatient(ids);
    const reply = await archive.call(pathOf(changesGet.path, { subject: 'study', id: other.studyId }));
    const { changes } = await reply.json();
    expect(changes).toMatchObject([
      { before: { id: ids.patientId, name: '', personalNumber: '' }, after: { id: other.patientId } },
    ]);
    expect(changes[0].after.name).not.toBe('');
  });

  it('is reported to open pages', async () => {
    const { ids } = await addStoredRecord(archive);
    const told: unknown[] = [];
    await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
    const patientChanged = async (record: unknown) => void told.push(record);
    await destroyDue(await partsOf(archive, { events: { patientChanged, viewsetsChanged: async () => undefined } }));
    expect(told).toEqual([
      {
        principal: { accountId: archive.clinics.superId },
        customerId: archive.clinics.customerId,
        patientId: ids.patientId,
      },
    ]);
  });
});

describe('a destroyed study or image', () => {
  it('is gone, and the rest of the patient stays', async () => {
    const { ids, hashes } = await addStoredRecord(archive);
    await addEntries(archive, ids, 'Anteckning om bilden');
    const image = await addApproved(archive, { kind: 'image', subjectId: ids.imageId, patientId: ids.patientId });
    await destroy();
    expect(await orderOf(image)).toMatchObject({ state: 'destroyed', patients: 0, studies: 0, images: 1, files: 1 });
    expect(await tablesWith(archive, ids.imageId)).toEqual(['destruction_order']);
    expect(await Promise.all(hashes.map(isThere)), 'the other image has the first file too').toEqual([true, false]);
    expect(await countOf('viewset_item', sql`viewset_id = ${ids.viewsetId} and image_id is null`)).toBe(2);
    expect(await countOf('viewset', sql`id = ${ids.viewsetId} and version = 2`), 'open mounts notice').toBe(1);
    expect(await countOf('viewset_note', sql`subject_id = ${ids.viewsetId}`)).toBe(1);

    const study = await addApproved(archive, { kind: 'study', subjectId: ids.studyId, patientId: ids.patientId });
    await destroy();
    expect(await orderOf(study)).toMatchObject({ state: 'destroyed', patients: 0, studies: 1, images: 1, files: 1 });
    for (const id of [ids.trayImageId, ids.seriesId, ids.viewsetId]) expect(await tablesWith(archive, id)).toEqual([]);
    expect(await Promise.all(hashes.map(isThere))).toEqual([false, false]);
    expect(await countOf('patient', sql`id = ${ids.patientId}`)).toBe(1);
  });
});

describe('a destroyed clinic', () => {
  it('loses all its patients when it is deleted; until then the order waits', async () => {
    const customerId = archive.clinics.otherCustomerId;
    const records = [await addStoredRecord(archive, customerId), await addStoredRecord(archive, customerId)];
    const kept = await addStoredRecord(archive);
    const order = await addApproved(archive, { kind: 'clinic', subjectId: customerId, patientId: null, customerId });
    await destroy();
    expect((await orderOf(order)).state).toBe('approved');
    await archive.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    await destroy();
    expect((await orderOf(order)).state).toBe('destroyed');
    for (const table of ['patient', 'study', 'image', 'import_task', 'shared_link'])
      expect([table, await countOf(table, sql`customer_id = ${customerId}`)]).toEqual([table, 0]);
    expect(await Promise.all(records.flatMap(({ hashes }) => hashes).map(isThere))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(await countOf('customer', sql`id = ${customerId}`), 'its name stays for the log').toBe(1);
    expect(await Promise.all(kept.hashes.map(isThere))).toEqual([true, true]);
    await archive.db.updateTable('customer').set({ deleted_at: null }).where('id', '=', customerId).execute();
  });
});

describe('an order', () => {
  it('is not carried out while it can be revoked, nor in another state', async () => {
    const { ids, hashes } = await addStoredRecord(archive);
    const subject = { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId } as const;
    const id = await addApproved(archive, { ...subject, dueInHours: 0.01 });
    await destroy();
    expect((await orderOf(id)).state).toBe('approved');
    const past = new Date(Date.now() - 1);
    for (const state of ['proposed', 'refused', 'revoked', 'lapsed', 'destroyed'] as const) {
      await archive.db.updateTable('destruction_order').set({ state, due_at: past }).where('id', '=', id).execute();
      await destroy();
      expect((await orderOf(id)).state).toBe(state);
    }
    expect(await countOf('patient', sql`id = ${ids.patientId}`)).toBe(1);
    expect(await Promise.all(hashes.map(isThere))).toEqual([true, true]);
  });

  it('lapses when the patient has a new entry, if its basis is the retention', async () => {
    const { ids } = await addStoredRecord(archive);
    const id = await addApproved(archive, {
      kind: 'patient',
      subjectId: ids.patientId,
      patientId: ids.patientId,
      basis: 'retention',
    });
    await destroy();
    expect((await orderOf(id)).state).toBe('lapsed');
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['destruction.lapsed']);
    expect(await countOf('patient', sql`id = ${ids.patientId}`)).toBe(1);
  });

  it('does not wait for another one whose patient is gone', async () => {
    const gone = await addApproved(archive, { kind: 'patient', subjectId: crypto.randomUUID(), patientId: null });
    const { ids } = await addStoredRecord(archive);
    const order = await destroyPatient(ids);
    expect([(await orderOf(gone)).state, (await orderOf(order)).state]).toEqual(['lapsed', 'destroyed']);
  });

  it('is the only way to delete notes, changes and grades', async () => {
    const { ids } = await addStoredRecord(archive);
    await addEntries(archive, ids, 'Står kvar');
    const tables = ['image_note', 'viewset_note', 'image_change', 'study_change', 'patient_change', 'image_grade'];
    await expectRejected(
      archive.db,
      tables.map((table) => `delete from ${table}`),
    );
    const id = await addApproved(archive, {
      kind: 'patient',
      subjectId: ids.patientId,
      patientId: ids.patientId,
      dueInHours: 72,
    });
    const named = (table: string, statement: string) =>
      `set local dentarium.destruction = '${id}'; ${statement} ${table}`;
    await expectRejected(
      archive.db,
      tables.map((table) => named(table, 'delete from')),
    );
    await archive.db.updateTable('destruction_order').set({ state: 'destroying' }).where('id', '=', id).execute();
    await expectRejected(
      archive.db,
      tables.map((table) => named(table, 'truncate')),
    );
    await archive.db.updateTable('destruction_order').set({ state: 'revoked' }).where('id', '=', id).execute();
  });
});

describe('a destruction that is interrupted', () => {
  const interrupt = (at: number) => {
    let steps = 0;
    return (step: string) => {
      steps += 1;
      if (steps === at) throw new Error(`killed before ${step}`);
    };
  };
  /** Files without a row and without a place in a list, and rows without a file. */
  const faults = async () => {
    const stored = (await filesBelow(path.join(archive.dataFolder, 'files')))
      .map((file) => path.basename(file))
      .filter((name) => /^[0-9a-f]{64}$/.test(name));
    const { rows } = await sql<{ sha256: string }>`${sql.raw(referencedFilesQuery(0))}`.execute(archive.db);
    const listed = await archive.db.selectFrom('destruction_file').select('sha256').execute();
    const known = new Set([...rows, ...listed].map(({ sha256 }) => sha256));
    return {
      unlisted: stored.filter((sha256) => !known.has(sha256)),
      missing: rows.filter(({ sha256 }) => !stored.includes(sha256)),
    };
  };

  it('before any step leaves no unlisted file and no reference to a missing one, and ends the same', async () => {
    const { unlisted: before, missing } = await faults();
    const expected = { unlisted: before, missing };
    const done: string[] = [];
    for (let at = 1; ; at += 1) {
      const { ids, hashes } = await addStoredRecord(archive);
      await addEntries(archive, ids, `avbruten-${at}`);
      const order = await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
      const killed = await runTwice(await partsOf(archive, { onStep: interrupt(at) })).then(
        () => null,
        (error: Error) => error.message,
      );
      if (killed !== null) {
        done.push(killed);
        expect(await faults(), killed).toEqual(expected);
        await destroy();
      }
      expect(await orderOf(order), String(killed)).toMatchObject({
        state: 'destroyed',
        patients: 1,
        studies: 1,
        images: 2,
        files: 2,
      });
      expect(await tablesWith(archive, `avbruten-${at}`), String(killed)).toEqual([]);
      expect(await Promise.all(hashes.map(isThere)), String(killed)).toEqual([false, false]);
      expect((await entriesOf(order)).map(({ action }) => action)).toEqual(['destruction.done']);
      expect(await faults()).toEqual(expected);
      if (killed === null) break;
    }
    const file = ['file', 'derived', 'strike'];
    const steps = ['begin', 'imports', 'rows', 'events', 'imports', 'rows', 'files', ...file, ...file, 'end'];
    expect(done).toEqual(steps.map((step) => `killed before ${step}`));
  });

  it('between two patients of a clinic goes on with the rest', async () => {
    const customerId = archive.clinics.otherCustomerId;
    const records = [await addStoredRecord(archive, customerId), await addStoredRecord(archive, customerId)];
    const patients = (
      await archive.db.selectFrom('patient').select('id').where('customer_id', '=', customerId).execute()
    ).length;
    await archive.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    const order = await addApproved(archive, { kind: 'clinic', subjectId: customerId, patientId: null, customerId });
    // After begin, and imports, rows and events of the first patient.
    await expect(destroyDue(await partsOf(archive, { onStep: interrupt(5) }))).rejects.toThrow('killed before imports');
    expect(await orderOf(order)).toMatchObject({ state: 'destroying', patients: 1 });
    await destroy();
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', patients });
    expect(await Promise.all(records.flatMap(({ hashes }) => hashes).map(isThere))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    await archive.db.updateTable('customer').set({ deleted_at: null }).where('id', '=', customerId).execute();
  });

  it('on several nodes at once is carried out once', async () => {
    const { ids, hashes } = await addStoredRecord(archive);
    const order = await addApproved(archive, { kind: 'patient', subjectId: ids.patientId, patientId: ids.patientId });
    const outcomes = await Promise.allSettled([destroy(), destroy(), destroy()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await destroy();
    expect(await orderOf(order)).toMatchObject({ state: 'destroyed', patients: 1, studies: 1, images: 2, files: 2 });
    expect(await Promise.all(hashes.map(isThere))).toEqual([false, false]);
    expect((await entriesOf(order)).map(({ action }) => action)).toEqual(['destruction.done']);
  });
});
