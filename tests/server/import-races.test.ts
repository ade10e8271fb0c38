import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let drive: ReturnType<typeof clinicImport>;
let asa: string;
let nils: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  drive = clinicImport(archive);
  await ensureStandardTemplates(archive.db);
  asa = await archive.addPatient();
  nils = await archive.addPatient({
    customerId: archive.clinics.customerId,
    firstName: 'Nils',
    lastName: 'Berg',
    personalNumber: '19900202-2384',
    birthDate: '1990-02-02',
  });
});

afterAll(() => archive.close());

let uids = 0;
const uid = () => {
  uids += 1;
  return `2.25.99${uids}`;
};
const filesOf = (study: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${index}.dcm`,
      smallObject({ SOPInstanceUID: uid(), StudyInstanceUID: study, InstanceNumber: index + 1 }),
    ]),
  );
const codeOf = async (reply: Response): Promise<string> => (reply.ok ? 'ok' : (await reply.json()).code);
const patientOf = async (study: string) =>
  (await archive.db.selectFrom('study').select('patient_id').where('uid', '=', study).executeTakeFirst())?.patient_id;

test('five concurrent confirmations import once, with one viewset', async () => {
  const study = uid();
  const { id } = await drive.parsed(filesOf(study, 6));
  await drive.decided(id, study, { viewSetTemplateUuid: standardTemplate('bitewings4').uuid });
  const replies = await Promise.all(Array.from({ length: 5 }, () => drive.confirm(id)));
  expect(await Promise.all(replies.map(codeOf))).toEqual(Array(5).fill('ok'));
  const done = await archive.waitForStep(id, 5);
  expect(done.files.map(({ status }) => status)).toEqual(Array(6).fill('imported'));
  const viewsets = await archive.db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select('viewset.id')
    .where('study.uid', '=', study)
    .execute();
  expect(viewsets).toEqual([{ id: done.studies[0]?.viewsetId }]);
  expect(await codeOf(await drive.confirm(id))).toBe('ok');
});

test('a decision during the confirmation is applied completely or rejected', async () => {
  for (let run = 0; run < 8; run += 1) {
    const study = uid();
    const { id } = await drive.parsed(filesOf(study, 2));
    const [decided, confirmed] = await Promise.all([
      drive.decide(id, study, { patientId: nils, mismatchConfirmed: true }),
      drive.confirm(id),
    ]);
    expect(await codeOf(confirmed)).toBe('ok');
    const word = await codeOf(decided);
    expect(['ok', 'import-wrong-step']).toContain(word);
    await archive.waitForStep(id, 5);
    expect(await patientOf(study)).toBe(word === 'ok' ? nils : asa);
  }
});

test('a patient chosen during the confirmation is not imported without confirmation', async () => {
  for (let run = 0; run < 8; run += 1) {
    const study = uid();
    const { id } = await drive.parsed(filesOf(study, 2));
    const [decided, confirmed] = await Promise.all([drive.decide(id, study, { patientId: nils }), drive.confirm(id)]);
    const outcome = [await codeOf(decided), await codeOf(confirmed)];
    expect([
      ['ok', 'mismatch-not-confirmed'],
      ['import-wrong-step', 'ok'],
    ]).toContainEqual(outcome);
    if (outcome[1] === 'ok') await archive.waitForStep(id, 5);
    expect(await patientOf(study)).toBe(outcome[1] === 'ok' ? asa : undefined);
  }
});

test('of a concurrent cancel and confirm exactly one succeeds', async () => {
  for (let run = 0; run < 8; run += 1) {
    const study = uid();
    const { id } = await drive.parsed(filesOf(study, 3));
    const [cancelled, confirmed] = await Promise.all([drive.cancel(id), drive.confirm(id)]);
    const outcome = [await codeOf(cancelled), await codeOf(confirmed)];
    expect([
      ['ok', 'import-wrong-step'],
      ['import-wrong-step', 'ok'],
    ]).toContainEqual(outcome);
    if (outcome[1] === 'ok') await archive.waitForStep(id, 5);
    expect(await patientOf(study)).toBe(outcome[1] === 'ok' ? asa : undefined);
  }
});

test('an import cancelled while being read stops without a parsed event', async () => {
  const study = uid();
  for (let run = 0; run < 4; run += 1) {
    const id = await drive.begin(filesOf(study, 20));
    // As if nothing had been read ahead. One row at a time, because concurrent reading could deadlock with several.
    for (const file of (await archive.task(id)).files)
      await archive.db.updateTable('import_file').set({ status: 'received' }).where('id', '=', file.id).execute();
    await archive.post('/resource/ImageImport/dicom/parse', { id });
    expect(await codeOf(await drive.cancel(id))).toBe('ok');
    const free = async () =>
      (await archive.db.selectFrom('import_task').select('lease_owner').where('id', '=', id).executeTakeFirstOrThrow())
        .lease_owner;
    await expect.poll(free, { timeout: 10_000 }).toBeNull();
    const task = await archive.task(id);
    expect(task.error).toBe(true);
    const parsed = archive.events.filter(({ event }) => event.name === 'parsed' && event.body.result.taskId === id);
    expect(parsed).toHaveLength(task.step === 3 ? 1 : 0);
  }
});

test('the same object in several concurrent imports is one image, and the others are duplicates', async () => {
  const study = uid();
  const files = filesOf(study, 5);
  const tasks = await Promise.all(Array.from({ length: 4 }, () => drive.parsed(files)));
  const done = await Promise.all(tasks.map(({ id }) => drive.imported(id)));
  const all = done.flatMap((task) => task.files);
  expect(all.filter(({ status }) => status === 'imported')).toHaveLength(5);
  expect(all.filter(({ status }) => status === 'duplicate')).toHaveLength(15);
  expect(new Set(all.map(({ imageUid }) => imageUid)).size).toBe(5);
});

test('of one study for two patients at once the first succeeds, and the other is rejected with its problem', async () => {
  const study = uid();
  const [one, other] = [filesOf(study, 3), filesOf(study, 3)];
  const [first, second] = await Promise.all([drive.parsed(one), drive.parsed(other)]);
  await drive.decided(second.id, study, { patientId: nils, mismatchConfirmed: true });
  const ended = async (id: string) => ((await drive.confirm(id)).ok ? archive.waitForStep(id, 5) : archive.task(id));
  const done = await Promise.all([ended(first.id), ended(second.id)]);
  const owner = await patientOf(study);
  const [lucky, late] = owner === asa ? done : done.toReversed();
  expect(lucky).toMatchObject({ error: false });
  expect(lucky?.files.map(({ status }) => status)).toEqual(Array(3).fill('imported'));
  // Confirmed later, it was stopped before; confirmed concurrently, each file states the reason.
  for (const file of late?.files ?? [])
    expect([file.status, file.problem]).toEqual(
      late?.step === 3 ? ['parsed', null] : ['refused', 'study-of-another-patient'],
    );
  expect(archive.failures).toEqual([]);
});
