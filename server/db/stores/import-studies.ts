import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { writtenPatient } from '../../../contract/imports.ts';
import type { ImportStudyTable } from '../import-tables.ts';
import type { Schema } from '../schema.ts';

export type ImportStudyRow = Selectable<ImportStudyTable>;

export const studiesOfTasks = async (db: Kysely<Schema>, taskIds: readonly string[]): Promise<ImportStudyRow[]> => {
  if (taskIds.length === 0) return [];
  return db
    .selectFrom('import_study')
    .selectAll()
    .where('task_id', 'in', taskIds)
    .orderBy('study_date', (order) => order.desc().nullsLast())
    .orderBy('key')
    .execute();
};

export const findImportStudy = (db: Kysely<Schema>, taskId: string, key: string): Promise<ImportStudyRow | undefined> =>
  db.selectFrom('import_study').selectAll().where('task_id', '=', taskId).where('key', '=', key).executeTakeFirst();

/** Locks a study until the transaction ends. */
export const lockImportStudy = (
  transaction: Transaction<Schema>,
  { task_id, key }: Pick<ImportStudyRow, 'task_id' | 'key'>,
): Promise<ImportStudyRow> =>
  transaction
    .selectFrom('import_study')
    .selectAll()
    .where('task_id', '=', task_id)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** Returns the chosen patient of a study, which cannot be changed until the transaction ends. */
export const lockPatientOfStudy = async (
  transaction: Transaction<Schema>,
  { task_id, key }: Pick<ImportStudyRow, 'task_id' | 'key'>,
): Promise<string | null | undefined> => {
  const row = await transaction
    .selectFrom('import_study')
    .select('patient_id')
    .where('task_id', '=', task_id)
    .where('key', '=', key)
    .forShare()
    .executeTakeFirst();
  return row?.patient_id;
};

const found = z.object({
  key: z.string(),
  named: writtenPatient.nullable(),
  modalities: z.array(z.string()),
  description: z.string().nullable(),
  study_date: z.string().nullable(),
  files: z.coerce.number(),
});
/** Files of one study that name the same patient (or none) in the same words. */
export type FoundFiles = z.infer<typeof found>;

/** Returns the files of a task that can be (or were) imported, grouped by study and named patient, most frequent first. */
export const foundInTask = async (db: Kysely<Schema>, taskId: string): Promise<FoundFiles[]> => {
  const { rows } = await sql`
    select study_key as key,
      case when jsonb_strip_nulls(named_patient - 'match') = '{}' then null else named_patient - 'match' end as named,
      array_remove(array_agg(distinct modality), null) as modalities,
      max(nullif(summary->>'studyDescription', '')) as description,
      min(summary->>'studyDate') as study_date, count(*) as files
    from import_file
    where task_id = ${taskId} and study_key is not null and status in ('parsed', 'duplicate', 'imported', 'left-out')
    group by 1, 2
    order by 1, count(*) desc, 2`.execute(db);
  return rows.map((row) => found.parse(row));
};

const counted = z.object({
  task_id: z.string(),
  study_key: z.string(),
  /** Not in the archive yet. */
  fresh: z.coerce.number(),
  /** In the archive, deleted. */
  deleted: z.coerce.number(),
  /** Held by the archive for another patient than the chosen one: neither their image nor their moved series belongs to the patient. */
  others: z.coerce.number(),
  /** Those of `others` whose image, or whose moved series, another patient has. */
  elsewhere: z.coerce.number(),
  files: z.coerce.number(),
});

/** Counts the files of each study that can be imported or are archived. */
export const countOfStudies = async (db: Kysely<Schema>, taskIds: readonly string[]) => {
  const { rows } = await sql`
    select file.task_id, file.study_key, count(*) as files,
      count(*) filter (where file.status in ('parsed', 'left-out')) as fresh,
      count(*) filter (where file.status <> 'imported'
        and coalesce(image.deleted_at, series.deleted_at, study.deleted_at) is not null) as deleted,
      count(*) filter (where study.patient_id is distinct from import_study.patient_id and not exists (
        select from series as moved join study as home on home.id = moved.study_id
        where moved.origin_study_uid = file.study_key and moved.origin_series_uid = file.summary->>'seriesUid'
          and moved.uid = moved.origin_series_uid and home.patient_id = import_study.patient_id)) as others,
      count(*) filter (where study.patient_id <> import_study.patient_id or exists (
        select from series as moved join study as home on home.id = moved.study_id join import_task on import_task.id = file.task_id
        where moved.origin_study_uid = file.study_key and moved.origin_series_uid = file.summary->>'seriesUid'
          and home.customer_id = import_task.customer_id and home.patient_id <> import_study.patient_id)) as elsewhere
    from import_file as file
    left join import_study on import_study.task_id = file.task_id and import_study.key = file.study_key
    left join image on image.id = file.image_id
    left join series on series.id = image.series_id
    left join study on study.id = series.study_id
    where file.task_id = any(${[...taskIds]}::uuid[]) and file.study_key is not null
      and file.status in ('parsed', 'duplicate', 'imported', 'left-out')
    group by 1, 2`.execute(db);
  return rows.map((row) => counted.parse(row));
};

export interface FoundStudy {
  readonly key: string;
  readonly kind: 'dicom' | 'static';
  readonly description: string;
  readonly studyDate: string | null;
  readonly modalities: readonly string[];
  readonly named: readonly unknown[];
  readonly namesSeveral: boolean;
  readonly patientId: string | null;
  /** Defaults until a user decides otherwise. */
  readonly leftOut: boolean;
}

/** Writes the studies found by parsing. Decisions about studies found before are kept. */
export const putStudies = async (db: Kysely<Schema>, taskId: string, studies: readonly FoundStudy[]): Promise<void> => {
  if (studies.length === 0) return;
  await db
    .insertInto('import_study')
    .values(
      studies.map((study) => ({
        task_id: taskId,
        key: study.key,
        kind: study.kind,
        description: study.description,
        study_date: study.studyDate,
        modalities: [...study.modalities],
        named_patient: JSON.stringify(study.named),
        names_several: study.namesSeveral,
        patient_id: study.patientId,
        left_out: study.leftOut,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['task_id', 'key']).doUpdateSet(({ ref }) => ({
        description: ref('excluded.description'),
        study_date: ref('excluded.study_date'),
        modalities: ref('excluded.modalities'),
        named_patient: ref('excluded.named_patient'),
        names_several: ref('excluded.names_several'),
      })),
    )
    .execute();
};

export type DecidedColumns = Partial<
  Pick<ImportStudyRow, 'left_out' | 'patient_id' | 'study_uid' | 'template_id' | 'links' | 'mismatch_confirmed'>
>;

/** A mount that is made (`template_id`), or one of the study that takes the images of `links` (`viewset_id`). */
export type MountColumns = Pick<DecidedColumns, 'template_id' | 'links'> & { readonly viewset_id?: string };

export const updateImportStudy = async (
  db: Kysely<Schema>,
  { task_id, key }: Pick<ImportStudyRow, 'task_id' | 'key'>,
  { links, ...columns }: DecidedColumns & MountColumns,
): Promise<void> => {
  const set = { ...columns, ...(links === undefined ? {} : { links: JSON.stringify(links) }) };
  if (Object.keys(set).length === 0) return;
  await db.updateTable('import_study').set(set).where('task_id', '=', task_id).where('key', '=', key).execute();
};

/** Returns archived studies with their patients, including deleted ones. */
export const archivedStudies = async (db: Kysely<Schema>, customerId: string, uids: readonly string[]) => {
  if (uids.length === 0) return [];
  return db
    .selectFrom('study')
    .select(['study.uid', 'study.id', 'study.patient_id', 'study.deleted_at'])
    .select((expression) =>
      expression
        .selectFrom('image')
        .innerJoin('series', 'series.id', 'image.series_id')
        .whereRef('series.study_id', '=', 'study.id')
        .where('image.deleted_at', 'is', null)
        .where('series.deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('images'))
        .$asScalar()
        .$castTo<number>()
        .as('images'),
    )
    .select((expression) =>
      expression
        .exists(
          expression
            .selectFrom('viewset')
            .whereRef('viewset.study_id', '=', 'study.id')
            .where('viewset.deleted_at', 'is', null)
            .select('viewset.id'),
        )
        .as('has_viewset'),
    )
    .where('study.customer_id', '=', customerId)
    .where('study.uid', 'in', uids)
    .execute();
};
