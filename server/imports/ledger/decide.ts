import type { Kysely } from 'kysely';
import { hasClaim } from '../../../contract/claims.ts';
import { type ImportDecision, importSteps } from '../../../contract/imports.ts';
import { proposeSlots } from '../../../contract/propose-slots.ts';
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
import type { Principal } from '../../domain/policy/principal.ts';
import { noRightError, ProblemError } from '../../domain/problem-error.ts';
import { imagesToMount } from './images-to-mount.ts';

/** A decision about one study; absent fields stay unchanged. */
export type DecisionRequest = { readonly [Field in keyof ImportDecision]?: ImportDecision[Field] | undefined };

const invalid = (fieldKey: string) => new ProblemError('invalid-request', [{ fieldKey }]);

/** Requires a patient of the import's clinic who is not deleted. @throws ProblemError 'not-found' */
const checkPatient = async (db: Kysely<Schema>, task: ImportTaskRow, id: string): Promise<void> => {
  const patient = await findPatient(db, id);
  if (patient?.customer_id !== task.customer_id) throw new ProblemError('not-found');
};

/** @throws ProblemError 'not-found' when the clinic of the import does not have the template */
const templateOf = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  id: string,
): Promise<TemplateRow> => {
  const template = await findTemplate(db, principal.accountId, id);
  const isTheirs = template && (template.customer_id === null || template.customer_id === task.customer_id);
  if (!isTheirs) throw new ProblemError('not-found');
  return template;
};

/** Pictures go to a study of the chosen patient; DICOM files always to their own. */
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
  if (!study || study.deleted_at !== null) throw new ProblemError('not-found');
  if (study.patient_id !== patientId) throw new ProblemError('study-of-another-patient');
};

/** Requires each link to name a slot of the template and an image of this study, each image once. @throws ProblemError 'invalid-request' */
const checkLinks = async (
  db: Kysely<Schema>,
  row: ImportStudyRow,
  template: TemplateRow | null,
  links: ImportDecision['imagesHashMap'],
): Promise<void> => {
  const files = Object.values(links);
  if (files.length === 0) return;
  const slots = new Set(template?.items.map((slot) => String(slot.itemIndex)));
  const images = new Set((await imagesToMount(db, row.task_id, row.key)).map((image) => image.id));
  const isSound =
    new Set(files).size === files.length &&
    Object.entries(links).every(([slot, file]) => slots.has(slot) && images.has(file));
  if (!isSound) throw invalid('imagesHashMap');
};

const linksOf = async (
  db: Kysely<Schema>,
  row: ImportStudyRow,
  template: TemplateRow | null,
  request: DecisionRequest,
): Promise<ImportDecision['imagesHashMap'] | undefined> => {
  if (request.imagesHashMap !== undefined) {
    await checkLinks(db, row, template, request.imagesHashMap);
    return request.imagesHashMap;
  }
  if (request.viewSetTemplateUuid === undefined || (template?.id ?? null) === row.template_id) return undefined;
  if (!template) return {};
  const { modality, items } = template;
  return proposeSlots({ modality, slots: items }, await imagesToMount(db, row.task_id, row.key));
};

/**
 * Writes the decision about one study. The task must be locked and in the validation step.
 * @throws ProblemError 'not-found', 'no-right', 'study-of-another-patient', 'invalid-request'
 */
export const writeDecision = async (
  db: Kysely<Schema>,
  principal: Principal,
  task: ImportTaskRow,
  row: ImportStudyRow,
  request: DecisionRequest,
): Promise<void> => {
  const changes: DecidedColumns = {};
  // The patient must be sent along: another user may have chosen a different one meanwhile.
  if (request.mismatchConfirmed && !request.patientId) throw invalid('patientId');
  const patientId = request.patientId === undefined ? row.patient_id : request.patientId;
  if (request.patientId) await checkPatient(db, task, request.patientId);
  if (patientId !== row.patient_id) {
    // Confirmation and study belonged to the previous patient.
    Object.assign(changes, { patient_id: patientId, mismatch_confirmed: false, study_uid: null });
  }
  if (request.mismatchConfirmed !== undefined) changes.mismatch_confirmed = request.mismatchConfirmed;
  if (request.studyUid) await checkStudy(db, task, row, patientId, request.studyUid);
  if (request.studyUid !== undefined && row.kind === 'static') changes.study_uid = request.studyUid;
  const templateId = request.viewSetTemplateUuid === undefined ? row.template_id : request.viewSetTemplateUuid;
  const requestsMount = templateId !== null && templateId !== row.template_id;
  if (requestsMount && hasClaim(principal.permissions, 'disable.new_series')) throw noRightError('disable.new_series');
  const template = templateId === null ? null : await templateOf(db, principal, task, templateId);
  const links = await linksOf(db, row, template, request);
  if (links !== undefined) changes.links = links;
  changes.template_id = templateId;
  if (request.leftOut !== undefined) changes.left_out = request.leftOut;
  await updateImportStudy(db, row, changes);
  // Left out in an earlier round of the same import, and included again.
  if (request.leftOut === false) await moveFiles(db, { taskId: task.id, key: row.key }, ['left-out'], 'parsed');
};

/**
 * Decides about one study of an import in the validation step. The task lock serializes deciding, confirming and cancelling.
 * @throws ProblemError 'import-not-found', 'import-wrong-step', and as `writeDecision`
 */
export const decideStudy = (
  db: Kysely<Schema>,
  principal: Principal,
  { id, key, ...request }: { readonly id: string; readonly key: string } & DecisionRequest,
): Promise<ImportStudyRow> =>
  db.transaction().execute(async (transaction) => {
    const task = await lockTask(transaction, id, 'update');
    if (!task) throw new ProblemError('import-not-found');
    if (task.error || task.step !== importSteps.validation) throw new ProblemError('import-wrong-step');
    const row = await findImportStudy(transaction, id, key);
    if (!row) throw new ProblemError('not-found');
    await writeDecision(transaction, principal, task, row, request);
    const decided = await findImportStudy(transaction, id, key);
    if (!decided) throw new ProblemError('not-found');
    return decided;
  });
