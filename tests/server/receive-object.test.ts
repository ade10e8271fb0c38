import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeEndedTasks } from '../../server/db/stores/leftovers.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let studies = 0;

/** A study that no other test has, of the patient of the file by default. */
const newStudy = () => {
  studies += 1;
  const root = `2.25.77${studies}`;
  return (number: number, changes = {}) => ({
    StudyInstanceUID: root,
    SeriesInstanceUID: `${root}.1`,
    SOPInstanceUID: `${root}.1.${number}`,
    ...changes,
  });
};

const logOf = (taskId: string) =>
  archive.db
    .selectFrom('access_log')
    .select(['account_id', 'customer_id', 'patient_id', 'action'])
    .where('object_id', '=', taskId)
    .where('action', 'not in', ['import.opened', 'patient.listed'])
    .orderBy('id')
    .execute();

/** Whether all browsers of the clinic were notified of an import. */
const isTold = (id: string) =>
  archive.events.some(
    ({ groups, event }) =>
      groups.includes(`clinic:${archive.clinics.customerId}`) &&
      event.name === 'parsed' &&
      event.body.result.taskId === id,
  );

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  patientId = await archive.addPatient();
});
afterAll(() => archive?.close());

describe('an object that arrives without a user', () => {
  it('has its row when it is acknowledged, in one import for a study and source', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const [one, two] = await device.send(study(1), study(2));
    expect(one).toBe(two);
    const files = await archive.db
      .selectFrom('import_file')
      .selectAll()
      .where('task_id', '=', one ?? '')
      .execute();
    expect(files.map((row) => row.file_name).sort()).toEqual([
      `${study(1).SOPInstanceUID}.dcm`,
      `${study(2).SOPInstanceUID}.dcm`,
    ]);
    for (const { sha256, size_bytes } of files)
      expect(await archive.archive.files.sizeOf(sha256 ?? '')).toBe(size_bytes);
    expect(await device.rowOf(one ?? '')).toMatchObject({ account_id: null, source: 'dicom', step: 0 });
    const [other] = await device.send(newStudy()(1));
    const [fromOther] = await deviceOf(archive).send(study(1));
    expect(new Set([one, other, fromOther]).size).toBe(3);
  });

  it('is one row when it is sent again', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const [id, again] = await device.send(study(1), study(1));
    expect(again).toBe(id);
    const files = await archive.db
      .selectFrom('import_file')
      .select('id')
      .where('task_id', '=', id ?? '')
      .execute();
    expect(files).toHaveLength(1);
  });

  it('is taken with UIDs that are none', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const [id = ''] = await device.send(study(1));
    const [file] = await archive.db.selectFrom('import_file').selectAll().where('task_id', '=', id).execute();
    const stored = { sha256: file?.sha256 ?? '', sizeBytes: file?.size_bytes ?? 0 };
    for (const uid of ['', '\0', 'REM SAMPLES 1', '9'.repeat(4_000)]) {
      const object = { studyInstanceUid: uid, sopInstanceUid: uid };
      const { taskId } = await device.receiver.record(device.sender, object, stored);
      expect(await device.rowOf(taskId)).toMatchObject({ source_study: uid.replace('\0', '').slice(0, 64) });
    }
  });

  it('shares the import with objects that arrive at the same moment', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const sent = await Promise.all(Array.from({ length: 16 }, (_, index) => device.send(study(index + 1))));
    const [id, ...others] = new Set(sent.flat());
    expect(others).toEqual([]);
    await device.receiver.finish([id ?? '']);
    expect(await device.judged(id ?? '')).toMatchObject({ step: 3, total_files: 16 });
  });

  it('is one row when it arrives several times at the same moment', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const sent = await Promise.all(Array.from({ length: 4 }, () => device.send(study(1))));
    const [id = '', ...others] = new Set(sent.flat());
    expect(others).toEqual([]);
    await device.receiver.finish([id]);
    expect(await device.judged(id)).toMatchObject({ total_files: 1 });
  });

  it('opens another import when the first has ended or is full', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const first = await device.sendStudy(study(1));
    const [second] = await device.send(study(2));
    expect(second).not.toBe(first.id);
    const many = newStudy();
    const ids = await device.send(...Array.from({ length: 102 }, (_, index) => many(index + 1)));
    expect(
      Map.groupBy(ids, (id) => id)
        .values()
        .map((all) => all.length)
        .toArray(),
    ).toEqual([100, 2]);
    expect(await device.judged(ids[0] ?? '')).toMatchObject({ total_files: 100 });
  });

  it('is refused for a deleted clinic and an unknown one', async () => {
    const set = archive.db.updateTable('customer').where('id', '=', archive.clinics.otherCustomerId);
    await set.set({ deleted_at: new Date() }).execute();
    try {
      const { otherCustomerId: customerId } = archive.clinics;
      await expect(deviceOf(archive, { customerId }).send(newStudy()(1))).rejects.toThrow('not-found');
    } finally {
      await set.set({ deleted_at: null }).execute();
    }
    await expect(deviceOf(archive, { customerId: randomUUID() }).send(newStudy()(1))).rejects.toThrow('not-found');
  });

  it('moves on when nothing came for a while, though the sender never ended', async () => {
    const device = deviceOf(archive);
    const [id = ''] = await device.send(newStudy()(1));
    await archive.db
      .updateTable('import_file')
      .set({ received_at: new Date(Date.now() - quickTimes.quietMs - 1_000) })
      .where('task_id', '=', id)
      .execute();
    expect(await device.judged(id)).toMatchObject({ step: 3 });
  });

  it('waits again when an object came after the sender had ended', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const [id = ''] = await device.send(study(1));
    await archive.db
      .updateTable('import_file')
      .set({ received_at: new Date(Date.now() + 30_000) })
      .where('task_id', '=', id)
      .execute();
    await device.receiver.finish([id]);
    // Another study, whose end shows that the job has run since.
    await device.sendStudy(newStudy()(1));
    expect(await device.rowOf(id)).toMatchObject({ step: 0 });
  });
});

describe('the waiting list', () => {
  it('shows what was sent to every user of the clinic, by the name of the source, and to no other clinic', async () => {
    const device = deviceOf(archive);
    const { id } = await device.sendStudy(newStudy()(1));
    const { adminId, doctorId, otherDoctorId, superId, otherCustomerId } = archive.clinics;
    for (const as of [doctorId, adminId, superId])
      expect((await device.waiting(as)).find((task) => task.id === id)).toMatchObject({
        source: { kind: 'dicom', name: 'Panorama 1' },
        step: 3,
      });
    expect((await device.waiting(otherDoctorId, otherCustomerId)).map((task) => task.id)).not.toContain(id);
    // Only who opens the list reads it: each import in it is an entry in the access log.
    const own = await archive.call(`/resource/ImageImport?customerId=${archive.clinics.customerId}`);
    expect(await own.json()).toEqual([]);
    expect((await archive.call(`/resource/ImageImport/${id}`, { as: otherDoctorId })).status).toBe(404);
    const cancelled = await archive.post('/resource/ImageImport/cancel', { id }, otherDoctorId);
    expect(cancelled.status).toBe(404);
  });

  it('is decided by a user, whom the access log names after the source', async () => {
    const device = deviceOf(archive);
    const study = newStudy();
    const { id, source_id } = await device.sendStudy(study(1));
    const steps = clinicImport(archive);
    await steps.decided(id, study(1).StudyInstanceUID, { patientId });
    expect(await steps.imported(id)).toMatchObject({ step: 5, files: [{ status: 'imported' }] });
    expect(await logOf(id)).toMatchObject([
      { account_id: source_id, customer_id: archive.clinics.customerId, patient_id: null, action: 'import.begun' },
      { account_id: archive.clinics.doctorId, patient_id: patientId, action: 'import.decided' },
      { account_id: archive.clinics.doctorId, patient_id: patientId, action: 'import.confirmed' },
    ]);
    expect((await device.waiting()).map((task) => task.id)).not.toContain(id);
  });

  it('forgets what a user discards', async () => {
    const device = deviceOf(archive);
    const { id } = await device.sendStudy(newStudy()(1));
    expect((await archive.post('/resource/ImageImport/cancel', { id })).status).toBe(200);
    expect((await device.waiting()).map((task) => task.id)).not.toContain(id);
  });

  it('shows what could not be read, until it is discarded', async () => {
    const device = deviceOf(archive);
    const stored = await archive.archive.files.put(
      (async function* () {
        yield Buffer.from('no DICOM object, whatever it says');
      })(),
    );
    const object = { studyInstanceUid: '', sopInstanceUid: '2.25.9' };
    const { taskId } = await device.receiver.record(device.sender, object, stored);
    await device.receiver.finish([taskId]);
    expect(await device.judged(taskId)).toMatchObject({ error: true });
    expect((await device.waiting()).find((task) => task.id === taskId)).toMatchObject({
      error: true,
      files: [{ status: 'refused', problem: 'not-dicom' }],
    });
    const isThere = async () =>
      (await archive.db.selectFrom('import_task').select('id').execute()).some(({ id }) => id === taskId);
    await removeEndedTasks(archive.db, -60_000);
    expect(await isThere()).toBe(true);
    expect((await archive.post('/resource/ImageImport/cancel', { id: taskId })).status).toBe(200);
    expect((await device.waiting()).map((task) => task.id)).not.toContain(taskId);
    await expect.poll(() => removeEndedTasks(archive.db, -60_000).then(isThere)).toBe(false);
  });

  it('leaves out patients with protected identity for users without the right to see them', async () => {
    const device = deviceOf(archive);
    const { id } = await device.sendStudy(newStudy()(1));
    const set = archive.db.updateTable('patient').where('id', '=', patientId);
    await set.set({ has_protected_identity: true }).execute();
    try {
      const listed = async (as?: string) => (await device.waiting(as)).map((task) => task.id).includes(id);
      expect([await listed(), await listed(archive.clinics.adminId)]).toEqual([false, true]);
      // Nor is the id of the next one sent to every browser of the clinic.
      const { id: next } = await device.sendStudy(newStudy()(1));
      const { id: other } = await device.sendStudy(newStudy()(1, { PatientID: '', PatientName: 'Berg^Nils' }));
      await expect.poll(() => isTold(other)).toBe(true);
      expect(isTold(next)).toBe(false);
    } finally {
      await set.set({ has_protected_identity: false }).execute();
    }
  });

  it('leaves out studies that the archive has for a patient with protected identity, whatever they name', async () => {
    const study = newStudy();
    await deviceOf(archive, { atOnce: true }).sendStudy(study(1));
    const stored = archive.db.selectFrom('study').select('id').where('uid', '=', study(1).StudyInstanceUID);
    await expect.poll(() => stored.executeTakeFirst()).toBeTruthy();
    const device = deviceOf(archive);
    const { id } = await device.sendStudy(study(2, { PatientID: '', PatientName: 'Berg^Nils' }));
    const set = archive.db.updateTable('patient').where('id', '=', patientId);
    await set.set({ has_protected_identity: true }).execute();
    try {
      const listed = async (as?: string) => (await device.waiting(as)).map((task) => task.id).includes(id);
      expect([await listed(), await listed(archive.clinics.adminId)]).toEqual([false, true]);
    } finally {
      await set.set({ has_protected_identity: false }).execute();
    }
  });
});

describe('a source that stores at once', () => {
  const atOnce = () => deviceOf(archive, { atOnce: true });

  it('needs no user when number, name and birth date are those of one patient', async () => {
    const device = atOnce();
    const { id, source_id } = await device.sendStudy(newStudy()(1), newStudy()(1));
    expect(await archive.waitForStep(id, 5)).toMatchObject({ step: 5, error: false });
    const images = await archive.db.selectFrom('import_file').select('image_id').where('task_id', '=', id).execute();
    expect(images.every(({ image_id }) => image_id !== null)).toBe(true);
    expect((await logOf(id)).slice(0, 2)).toMatchObject([
      { account_id: source_id, action: 'import.begun' },
      { account_id: source_id, patient_id: patientId, action: 'import.confirmed' },
    ]);
  });

  it.each([
    ['another name', { PatientName: 'Berg^Nils' }],
    ['no name', { PatientName: undefined }],
    ['another birth date', { PatientBirthDate: '19800102' }],
    ['no birth date', { PatientBirthDate: undefined }],
    ['no number', { PatientID: undefined }],
    ['another number', { PatientID: '19750505-2399' }],
    ['no patient at all', { PatientName: undefined, PatientID: undefined, PatientBirthDate: undefined }],
  ])('waits for a user with %s', async (_, changes) => {
    const { id } = await atOnce().sendStudy(newStudy()(1, changes));
    expect(await atOnce().rowOf(id)).toMatchObject({ step: 3, error: false });
  });

  it('waits for a user when one file of several names another patient, or none', async () => {
    for (const changes of [{ PatientName: 'Berg^Nils' }, { PatientName: undefined, PatientID: undefined }]) {
      const study = newStudy();
      expect(await atOnce().sendStudy(study(1), study(2), study(3, changes))).toMatchObject({ step: 3 });
    }
  });

  it('waits for a user when the archive has the study for another patient', async () => {
    const study = newStudy();
    const otherId = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: '19750505-2399',
      firstName: 'Bo',
      lastName: 'Ström',
      birthDate: '1975-05-05',
    });
    const device = deviceOf(archive);
    const { id } = await device.sendStudy(study(1));
    await clinicImport(archive).decided(id, study(1).StudyInstanceUID, { patientId: otherId });
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true, patientId: otherId });
    await archive.waitForStep(id, 5);
    expect(await atOnce().sendStudy(study(2))).toMatchObject({ step: 3 });
  });

  it('waits for a user when the image is in the recycle bin', async () => {
    const study = newStudy();
    const { id } = await atOnce().sendStudy(study(1));
    await archive.waitForStep(id, 5);
    const ofStudy = archive.db.selectFrom('study').select('id').where('uid', '=', study(1).StudyInstanceUID);
    await archive.db.updateTable('study').set({ deleted_at: new Date() }).where('id', 'in', ofStudy).execute();
    expect(await atOnce().sendStudy(study(1))).toMatchObject({ step: 3 });
  });

  it('waits for a user when a file has the UID of another image', async () => {
    const study = newStudy();
    const { id } = await atOnce().sendStudy(study(1));
    await archive.waitForStep(id, 5);
    const waiting = await atOnce().sendStudy(study(1, { SeriesDescription: 'Other bytes' }), study(2));
    expect(waiting).toMatchObject({ step: 3 });
    expect((await atOnce().waiting()).find((task) => task.id === waiting.id)?.files).toMatchObject([
      { status: 'refused', problem: 'same-uid-other-bytes' },
      { status: 'parsed' },
    ]);
  });

  it('asks no user about what the archive has', async () => {
    const study = newStudy();
    const { id } = await atOnce().sendStudy(study(1));
    await archive.waitForStep(id, 5);
    expect(await deviceOf(archive).sendStudy(study(1))).toMatchObject({ step: 5, error: false });
  });
});

it('tells all browsers of the clinic what waits, and reports no failure', async () => {
  const { id } = await deviceOf(archive).sendStudy(newStudy()(1));
  await expect.poll(() => isTold(id)).toBe(true);
  expect(archive.events.flatMap(({ groups }) => groups)).not.toContain('user:null');
  expect(archive.failures).toEqual([]);
});
