import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import { type ImportStudyRow, updateImportStudy } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import type { ViewsetVersion } from '../../db/stores/record-edits.ts';
import { insertViewset, lockViewsets, updateViewset } from '../../db/stores/viewsets.ts';
import { hangs } from '../../resource/hanging.ts';
import { hangingOf, writeHanging } from '../../resource/viewset-hanging.ts';
import { viewsetItemOf } from '../../resource/viewset-slots.ts';
import { derivedUid } from '../read/derived-uid.ts';

export interface FinishedStudy {
  readonly patientId: string;
  /** Viewsets that look different now. */
  readonly viewsets: readonly ViewsetVersion[];
}

/** The images that the files of the study became, or are in the archive; documents cannot hang. */
const imagesOfFiles = async (
  transaction: Transaction<Schema>,
  study: ImportStudyRow,
): Promise<ReadonlyMap<string, { readonly imageId: string; readonly canHang: boolean }>> => {
  const rows = await transaction
    .selectFrom('import_file')
    .innerJoin('image', 'image.id', 'import_file.image_id')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['import_file.id', 'image.id as imageId', 'image.kind'])
    .where('import_file.task_id', '=', study.task_id)
    .where('import_file.study_key', '=', study.key)
    .where('import_file.status', 'in', ['imported', 'duplicate'])
    .where('study.patient_id', '=', study.patient_id)
    .execute();
  return new Map(rows.map((row) => [row.id, { imageId: row.imageId, canHang: row.kind === 'image' }]));
};

/** What hangs where: each image once, though two files may be the same image. */
const hungImages = (
  study: ImportStudyRow,
  images: Awaited<ReturnType<typeof imagesOfFiles>>,
): ReadonlyMap<number, string> => {
  const hung = new Map<number, string>();
  for (const [slot, fileId] of Object.entries(study.links)) {
    const image = images.get(fileId);
    if (image?.canHang && ![...hung.values()].includes(image.imageId)) hung.set(Number(slot), image.imageId);
  }
  return hung;
};

const makeViewset = async (
  transaction: Transaction<Schema>,
  study: ImportStudyRow,
  templateId: string,
  studyId: string,
  hung: ReadonlyMap<number, string>,
): Promise<ViewsetVersion> => {
  const { name, width, height, items } = await transaction
    .selectFrom('template')
    .selectAll()
    .where('id', '=', templateId)
    .executeTakeFirstOrThrow();
  const id = randomUUID();
  const slots = items.map((slot) => ({ ...viewsetItemOf(id, slot), image_id: hung.get(slot.itemIndex) ?? null }));
  const viewset = { id, study_id: studyId, name, comments: null, template_id: templateId, width, height };
  await insertViewset(transaction, viewset, slots);
  await updateImportStudy(transaction, study, { viewset_id: id });
  return { id, version: 1 };
};

/** Files that came in at a later try: into their slots, as far as these are empty and nobody has taken the image out of its slot since. */
const hangLate = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  hung: ReadonlyMap<number, string>,
): Promise<void> => {
  const now = await hangingOf(transaction, viewsetId);
  const { slots, tray } = now.hanging;
  const late = [...hung].filter(
    ([slot, image]) => slots.get(slot) === null && !hangs(now.hanging, image) && !tray.includes(image),
  );
  await writeHanging(transaction, viewsetId, now, { tray, slots: new Map([...slots, ...late]) });
};

const viewsetsOf = async (transaction: Transaction<Schema>, studyId: string): Promise<string[]> => {
  const rows = await transaction
    .selectFrom('viewset')
    .select('id')
    .where('study_id', '=', studyId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
};

/**
 * All files of a study are in: makes the mount that was asked for, once, with the images in their slots. What hangs nowhere lies loose in the
 * study, and so in the tray of the mounts that it has: they count one version further. Null when no file came in.
 */
export const finishStudy = (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  { task_id, key }: ImportStudyRow,
): Promise<FinishedStudy | null> =>
  db.transaction().execute(async (transaction) => {
    const study = await transaction
      .selectFrom('import_study')
      .selectAll()
      .where('task_id', '=', task_id)
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const images = await imagesOfFiles(transaction, study);
    if (images.size === 0 || study.patient_id === null) return null;
    const uid = study.kind === 'dicom' ? key : (study.study_uid ?? derivedUid('study', task_id));
    const archived = await transaction
      .selectFrom('study')
      .select('id')
      .where('customer_id', '=', task.customer_id)
      .where('uid', '=', uid)
      .where('patient_id', '=', study.patient_id)
      .executeTakeFirst();
    if (!archived) return { patientId: study.patient_id, viewsets: [] };
    const hung = hungImages(study, images);
    const there = await viewsetsOf(transaction, archived.id);
    const locked = there.length === 0 ? [] : await lockViewsets(transaction, there);
    const viewsets: ViewsetVersion[] = [];
    for (const { id } of locked) {
      if (id === study.viewset_id) await hangLate(transaction, id, hung);
      viewsets.push({ id, version: await updateViewset(transaction, id) });
    }
    if (study.template_id !== null && study.viewset_id === null) {
      const made = await makeViewset(transaction, study, study.template_id, archived.id, hung);
      viewsets.push(made);
      await insertAccesses(transaction, [
        {
          at: new Date(),
          accountId: task.confirmed_by ?? task.account_id,
          customerId: task.customer_id,
          patientId: study.patient_id,
          action: 'viewset.created',
          objectId: made.id,
        },
      ]);
    }
    return { patientId: study.patient_id, viewsets };
  });
