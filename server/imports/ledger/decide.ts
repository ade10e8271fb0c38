import type { Kysely } from 'kysely';
import { mayDo } from '../../../contract/claims.ts';
import { type ImportDecision, importSteps } from '../../../contract/imports.ts';
import type { Schema } from '../../db/schema.ts';
import { moveFiles } from '../../db/stores/import-outcomes.ts';
import {
  type DecidedColumns,
  findImportStudy,
  type ImportStudyRow,
  updateImportStudy,
} from '../../db/stores/import-studies.ts';
import { type ImportTaskRow, lockTask } from '../../db/stores/imports.ts';
import { findPatient } from '../../db/stores/patients.ts';
import { findStudyByUid } from '../../db/stores/studies.ts';
import { findTemplate, type TemplateRow } from '../../db/stores/templates.ts';
import type { Principal } from '../../policy/principal.ts';
import { Refusal, withoutRight } from '../../refusal.ts';
import { imagesToPlace } from './images-to-place.ts';
import { proposeSlots } from './propose-slots.ts';

/** What a person says about one study; what is not there stays as it is. */
export type Wish = { readonly [Field in keyof ImportDecision]?: ImportDecision[Field] | undefined };

const invalid = (fieldKey: string) => new Refusal('invalid-request', [{ fieldKey }]);

/** Somebody of the clinic of the import who is not in the recycle bin. @throws Refusal 'not-found' */
const checkPatient = async (db: Kysely<Schema>, task: ImportTaskRow, id: string): Promise<void> => {
  const patient = await findPatient(db, id);
  if (patient?.customer_id !== task.customer_id) throw new Refusal('not-found');
};

/** @throws Refusal 'no-right', 'not-found' when the clinic of the import does not have it */
const templateOf = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  id: string,
): Promise<TemplateRow> => {
  const template = await findTemplate(db, principal.accountId, id);
  const isTheirs = template && (template.customer_id === null || template.customer_id === task.customer_id);
  if (!isTheirs) throw new Refusal('not-found');
  return template;
};

/** Pictures go to a study of the chosen patient; DICOM files to their own, always. */
const checkStudy = async (
  db: Kysely<Schema>,
  task: ImportTaskRow,
  row: ImportStudyRow,
  patientId: string | null,
  uid: string,
): Promise<void> => {
  if (row.kind === 'dicom') {
    if (uid !== row.key) throw invalid('studyUid');
    return;
  }
  const study = await findStudyByUid(db, task.customer_id, uid);
  if (!study || study.deleted_at !== null) throw new Refusal('not-found');
  if (study.patient_id !== patientId) throw new Refusal('study-of-another-patient');
};

/** Each link names a slot of the template and an image of this study in this import, each image once. @throws Refusal 'invalid-request' */
const checkLinks = async (
  db: Kysely<Schema>,
  row: ImportStudyRow,
  template: TemplateRow | null,
  links: ImportDecision['imagesHashMap'],
): Promise<void> => {
  const files = Object.values(links);
  if (files.length === 0) return;
  const slots = new Set(template?.items.map((slot) => String(slot.itemIndex)));
  const images = new Set((await imagesToPlace(db, row.task_id, row.key)).map((image) => image.id));
  const isSound =
    new Set(files).size === files.length &&
    Object.entries(links).every(([slot, file]) => slots.has(slot) && images.has(file));
  if (!isSound) throw invalid('imagesHashMap');
};

const linksOf = async (
  db: Kysely<Schema>,
  row: ImportStudyRow,
  template: TemplateRow | null,
  wish: Wish,
): Promise<ImportDecision['imagesHashMap'] | undefined> => {
  if (wish.imagesHashMap !== undefined) {
    await checkLinks(db, row, template, wish.imagesHashMap);
    return wish.imagesHashMap;
  }
  if (wish.viewSetTemplateUuid === undefined || (template?.id ?? null) === row.template_id) return undefined;
  if (!template) return {};
  const { modality, items } = template;
  return proposeSlots({ modality, slots: items }, await imagesToPlace(db, row.task_id, row.key));
};

/**
 * Writes what a person says about one study. The task must be locked, and wait for validation.
 * @throws Refusal 'not-found', 'no-right', 'study-of-another-patient', 'invalid-request'
 */
export const writeDecision = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  row: ImportStudyRow,
  wish: Wish,
): Promise<void> => {
  const changes: DecidedColumns = {};
  // Of whom it is said must be said with it: somebody else may have chosen another patient meanwhile.
  if (wish.mismatchConfirmed && !wish.patientId) throw invalid('patientId');
  const patientId = wish.patientId === undefined ? row.patient_id : wish.patientId;
  if (wish.patientId) await checkPatient(db, task, wish.patientId);
  if (patientId !== row.patient_id) {
    // What was confirmed was confirmed of somebody else, and the study is somebody else's too.
    Object.assign(changes, { patient_id: patientId, mismatch_confirmed: false, study_uid: null });
  }
  if (wish.mismatchConfirmed !== undefined) changes.mismatch_confirmed = wish.mismatchConfirmed;
  if (wish.studyUid) await checkStudy(db, task, row, patientId, wish.studyUid);
  if (wish.studyUid !== undefined && row.kind === 'static') changes.study_uid = wish.studyUid;
  const templateId = wish.viewSetTemplateUuid === undefined ? row.template_id : wish.viewSetTemplateUuid;
  const asksForMount = templateId !== null && templateId !== row.template_id;
  if (asksForMount && mayDo(principal.permissions, 'disable.new_series')) throw withoutRight('disable.new_series');
  const template = templateId === null ? null : await templateOf(db, principal, task, templateId);
  const links = await linksOf(db, row, template, wish);
  if (links !== undefined) changes.links = links;
  changes.template_id = templateId;
  if (wish.leftOut !== undefined) changes.left_out = wish.leftOut;
  await updateImportStudy(db, row, changes);
  // Left out in an earlier round of the same import, and wanted now.
  if (wish.leftOut === false) await moveFiles(db, { taskId: task.id, key: row.key }, ['left-out'], 'parsed');
};

/**
 * Decides about one study of an import that waits for validation. Confirming, withdrawing and deciding take turns.
 * @throws Refusal 'import-not-found', 'import-wrong-step', and as above
 */
export const decideStudy = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, key, ...wish }: { readonly id: string; readonly key: string } & Wish,
): Promise<ImportStudyRow> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new Refusal('import-not-found');
    if (task.error || task.step !== importSteps.validation) throw new Refusal('import-wrong-step');
    const row = await findImportStudy(transaction, id, key);
    if (!row) throw new Refusal('not-found');
    await writeDecision(transaction, principal, task, row, wish);
    const decided = await findImportStudy(transaction, id, key);
    if (!decided) throw new Refusal('not-found');
    return decided;
  });
