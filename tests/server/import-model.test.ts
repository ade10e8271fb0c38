import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportDecision, type ImportTask, importSteps } from '../../contract/imports.ts';
import { type Random, randomFrom } from '../../demo/phantom/random.ts';
import { ensureStandardTemplates } from '../../server/db/stores/templates.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { clinicImport } from './clinic-import.ts';
import { smallObject } from './small-object.ts';

/** Random imports; more with `DENTARIUM_IMPORT_RUNS`. The title of a failing test contains its seed. */
const runs = Number(process.env.DENTARIUM_IMPORT_RUNS ?? 12);

let archive: ArchiveUnderTest;
let drive: ReturnType<typeof clinicImport>;
/** Patient named in the files -> patient in the archive. */
const patients = new Map<string, string>();
let foreign: string;

beforeAll(async () => {
  archive = await archiveUnderTest();
  drive = clinicImport(archive);
  const { customerId, otherCustomerId } = archive.clinics;
  await ensureStandardTemplates(archive.db);
  patients.set('Lindström^Åsa', await archive.addPatient());
  patients.set(
    'Berg^Nils',
    await archive.addPatient({
      customerId,
      firstName: 'Nils',
      lastName: 'Berg',
      personalNumber: '19900202-2384',
      birthDate: '1990-02-02',
    }),
  );
  foreign = await archive.addPatient({ customerId: otherCustomerId });
});

afterAll(() => archive.close());

const berg = { PatientName: 'Berg^Nils', PatientID: '19900202-2384', PatientBirthDate: '19900202' };

/** Objects shared by all imports of a run: copies, other bytes of the same UID, a study that names two patients, broken files. */
const filesOfRun = (seed: number): readonly [string, Uint8Array][] => {
  const of = (study: number, sop: number, more: Parameters<typeof smallObject>[0] = {}) =>
    smallObject({ StudyInstanceUID: `2.25.4${seed}${study}`, SOPInstanceUID: `2.25.5${seed}${study}${sop}`, ...more });
  return [
    ['a/1.dcm', of(1, 1)],
    ['a/2.dcm', of(1, 2)],
    ['a/copy.dcm', of(1, 1)],
    ['a/other.dcm', of(1, 2, { ImageComments: 'Other bytes' })],
    ['b/1.dcm', of(2, 1, berg)],
    ['b/2.dcm', of(2, 2, berg)],
    ['mixed/1.dcm', of(3, 1)],
    ['mixed/2.dcm', of(3, 2, berg)],
    ['broken.dcm', of(1, 9).subarray(0, 400)],
    ['letter.txt', Buffer.from('no image at all')],
  ];
};

/** Expected state of an import, derived from the calls alone. */
interface Known {
  readonly id: string;
  /** `study patient`: a user confirmed it although the files name another patient. */
  readonly confirmed: Set<string>;
  withdrawn: boolean;
}

const settled = async (id: string): Promise<ImportTask> => {
  for (;;) {
    const task = await archive.task(id);
    const { preparing, parsing, importing } = importSteps;
    if (task.error || ![preparing, parsing, importing].some((step) => step === task.step)) return task;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const step = async (random: Random, known: Known, files: readonly [string, Uint8Array][]): Promise<void> => {
  const { id } = known;
  const decide = async () => {
    const { studies } = await archive.task(id);
    const study = studies[Math.floor(random.next() * studies.length)];
    if (!study) return;
    const patientId = random.pick([foreign, ...patients.values()]);
    const decision = random.pick<Partial<ImportDecision>>([
      { patientId },
      { patientId, mismatchConfirmed: true },
      { mismatchConfirmed: true },
      { leftOut: random.chance(0.5) },
      { viewSetTemplateUuid: standardTemplate('bitewings2').uuid },
      { viewSetTemplateUuid: null },
    ]);
    // Before the reply: a concurrent call may be the effective one.
    if (decision.patientId && decision.mismatchConfirmed) known.confirmed.add(`${study.key} ${patientId}`);
    const reply = await drive.decide(id, study.key, decision);
    if (decision.patientId === foreign) expect(reply.ok).toBe(false);
  };
  const calls: Record<string, () => Promise<unknown>> = {
    send: async () => {
      const [name, bytes] = random.pick(files as [[string, Uint8Array], ...[string, Uint8Array][]]);
      await archive.send(id, name.replace('/', ' '), bytes);
    },
    parse: () => archive.post('/resource/ImageImport/dicom/parse', { id }),
    decide,
    confirm: () => drive.confirm(id, { mismatchConfirmed: random.chance(0.3) }),
    retry: () => drive.retry(id),
    wait: () => settled(id),
    cancel: async () => {
      if ((await drive.cancel(id)).ok) known.withdrawn = true;
    },
  };
  const likely = ['send', 'send', 'send', 'parse', 'wait', 'decide', 'decide', 'confirm', 'retry', 'wait'] as const;
  const name = random.chance(0.04) ? 'cancel' : random.pick(likely);
  await calls[name]?.();
};

const over: readonly string[] = ['imported', 'duplicate', 'refused', 'ignored', 'unpacked', 'left-out'];

const checkTask = async (known: Known): Promise<void> => {
  const task = await settled(known.id);
  const isDone = task.step === importSteps.done;
  for (const file of task.files) {
    if (isDone) expect(over).toContain(file.status);
    if (file.status === 'refused' || file.status === 'ignored') expect(file.problem).not.toBeNull();
    if (file.status === 'imported') expect(file.imageUid).not.toBeNull();
    if (file.status === 'imported' && known.withdrawn) expect(isDone || task.step === importSteps.importing).toBe(true);
  }
  const own = task.files.filter((file) => file.status === 'imported');
  if (isDone) expect(task.error).toBe(false);
  if (isDone) expect(task.files.some(({ status }) => status === 'imported' || status === 'duplicate')).toBe(true);
  for (const file of own) {
    const image = await archive.db
      .selectFrom('image')
      .innerJoin('series', 'series.id', 'image.series_id')
      .innerJoin('study', 'study.id', 'series.study_id')
      .select(['image.sha256', 'image.size_bytes', 'image.customer_id', 'study.patient_id'])
      .where('image.id', '=', file.imageUid)
      .executeTakeFirstOrThrow();
    expect(image.customer_id).toBe(task.customerId);
    expect(await archive.archive.files.sizeOf(image.sha256)).toBe(image.size_bytes);
    const named = patients.get(file.patient?.name ?? '');
    const isConfirmed = known.confirmed.has(`${file.studyKey} ${image.patient_id}`);
    expect(named === image.patient_id || isConfirmed).toBe(true);
  }
};

test.each(Array.from({ length: runs }, (_, index) => index + 1))(
  'random imports, seed %i: each image has the named or confirmed patient, and none is imported twice',
  async (seed) => {
    const random = randomFrom('imports', seed);
    const files = filesOfRun(seed);
    const begin = async (): Promise<Known> => ({ id: await drive.begin({}), confirmed: new Set(), withdrawn: false });
    const imports = [await begin(), await begin()] as [Known, Known];
    for (let count = 0; count < 30; count += 1) {
      const together = random.chance(0.5) ? [random.pick(imports), random.pick(imports)] : [random.pick(imports)];
      await Promise.all(together.map((known) => step(random, known, files)));
    }
    for (const known of imports) await checkTask(known);
    // No image came from two files.
    const rows = await archive.db
      .selectFrom('import_file')
      .select('image_id')
      .where('status', '=', 'imported')
      .where('image_id', 'is not', null)
      .execute();
    expect(new Set(rows.map((row) => row.image_id)).size).toBe(rows.length);
    expect(archive.failures).toEqual([]);
  },
  60_000,
);

test('some of the random imports succeeded, and some files were rejected', async () => {
  const rows = await archive.db.selectFrom('import_file').select(['status']).distinct().execute();
  const statuses = rows.map((row) => row.status);
  expect(statuses).toEqual(expect.arrayContaining(['imported', 'refused']));
  const tasks = await archive.db.selectFrom('import_task').select(['step', 'error', 'cancelled']).execute();
  expect(tasks.some((task) => task.step === importSteps.done)).toBe(true);
});
