import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import { imagesOfImportStudy } from '../../db/stores/images.ts';
import { type ImportStudyRow, lockImportStudy, updateImportStudy } from '../../db/stores/import-studies.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { actorOf } from '../../db/stores/received-tasks.ts';
import type { ViewsetVersion } from '../../db/stores/record-edits.ts';
import { readPlacement, writePlacement } from '../../db/stores/stored-placement.ts';
import { findStudyOfPatient } from '../../db/stores/studies.ts';
import { templateById } from '../../db/stores/templates.ts';
import { viewsetItemOf } from '../../db/stores/viewset-slots.ts';
import { insertViewset, lockViewsets, updateViewset, viewsetIdsOfStudy } from '../../db/stores/viewsets.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import { isMounted } from '../../domain/placement.ts';

export interface FinishedStudy {
  readonly patientId: string;
  /** Viewsets whose content changed. */
  readonly viewsets: readonly ViewsetVersion[];
}

/** Returns the images of the study's files by file id; documents cannot be mounted. */
const imagesOfFiles = async (
  transaction: Transaction<Schema>,
  study: ImportStudyRow,
): Promise<ReadonlyMap<string, { readonly imageId: string; readonly canMount: boolean }>> => {
  const rows = await imagesOfImportStudy(transaction, study);
  return new Map(rows.map((row) => [row.id, { imageId: row.imageId, canMount: row.kind === 'image' }]));
};

/** Returns the image of each slot: each image once, although two files may be the same image. */
const placedImages = (
  study: ImportStudyRow,
  images: Awaited<ReturnType<typeof imagesOfFiles>>,
): ReadonlyMap<number, string> => {
  const placed = new Map<number, string>();
  for (const [slot, fileId] of Object.entries(study.links)) {
    const image = images.get(fileId);
    if (image?.canMount && ![...placed.values()].includes(image.imageId)) placed.set(Number(slot), image.imageId);
  }
  return placed;
};

const makeViewset = async (
  transaction: Transaction<Schema>,
  study: ImportStudyRow,
  templateId: string,
  studyId: string,
  placed: ReadonlyMap<number, string>,
): Promise<ViewsetVersion> => {
  const { name, width, height, items } = await templateById(transaction, templateId);
  const id = randomUUID();
  const slots = items.map((slot) => ({ ...viewsetItemOf(id, slot), image_id: placed.get(slot.itemIndex) ?? null }));
  const viewset = { id, study_id: studyId, name, comments: null, template_id: templateId, width, height };
  await insertViewset(transaction, viewset, slots);
  await updateImportStudy(transaction, study, { viewset_id: id });
  return { id, version: 1 };
};

/**
 * Mounts images in a viewset that exists already, where the slot is empty and no user has unmounted the image since.
 * Returns the images.
 */
const mountLateImages = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  placed: ReadonlyMap<number, string>,
): Promise<readonly string[]> => {
  const now = await readPlacement(transaction, viewsetId);
  const { slots, tray } = now.placement;
  const late = [...placed].filter(
    ([slot, image]) => slots.get(slot) === null && !isMounted(now.placement, image) && !tray.includes(image),
  );
  await writePlacement(transaction, viewsetId, now, { tray, slots: new Map([...slots, ...late]) });
  return late.map(([, image]) => image);
};

/**
 * Finishes a study: creates the requested viewset once, with its images mounted. Images that are mounted nowhere appear in the tray of the
 * study's viewsets, so their versions are incremented. Null when no file was imported.
 */
export const finishStudy = (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  found: ImportStudyRow,
): Promise<FinishedStudy | null> =>
  db.transaction().execute(async (transaction) => {
    const study = await lockImportStudy(transaction, found);
    const images = await imagesOfFiles(transaction, study);
    if (images.size === 0 || study.patient_id === null) return null;
    const patientId = study.patient_id;
    const uid = study.kind === 'dicom' ? study.key : (study.study_uid ?? derivedUid('study', study.task_id));
    const studyId = await findStudyOfPatient(transaction, { customerId: task.customer_id, patientId, uid });
    if (studyId === undefined) return { patientId, viewsets: [] };
    const placed = placedImages(study, images);
    const there = await viewsetIdsOfStudy(transaction, studyId);
    const locked = there.length === 0 ? [] : await lockViewsets(transaction, there);
    const viewsets: ViewsetVersion[] = [];
    const access = { at: new Date(), accountId: actorOf(task), customerId: task.customer_id, patientId };
    for (const { id } of locked) {
      const late = id === study.viewset_id ? await mountLateImages(transaction, id, placed) : [];
      await insertAccesses(
        transaction,
        late.map((objectId) => ({ ...access, action: 'image.mounted', objectId })),
      );
      viewsets.push({ id, version: await updateViewset(transaction, id) });
    }
    if (study.template_id !== null && study.viewset_id === null) {
      const made = await makeViewset(transaction, study, study.template_id, studyId, placed);
      viewsets.push(made);
      await insertAccesses(transaction, [{ ...access, action: 'viewset.created', objectId: made.id }]);
    }
    return { patientId, viewsets };
  });
