import { fileProblem, type ImportFile, type ImportTask, importStep, namedPatient } from '../../../contract/imports.ts';
import type { ImportFileRow, ImportTaskRow } from '../../db/stores/imports.ts';

const importFileOf = (row: ImportFileRow): ImportFile => ({
  id: row.id,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  path: row.path,
  containerId: row.container_id,
  status: row.status,
  problem: row.problem === null ? null : fileProblem.parse(row.problem),
  detail: row.detail,
  patient: row.named_patient === null ? null : namedPatient.parse(row.named_patient),
  modality: row.modality,
  studyKey: row.study_key,
  thumbLink: null,
  teeth: [],
  acquiredAt: null,
  imageUid: row.image_id,
});

/** A task and its files as the contract shows them. */
export const importTaskOf = (task: ImportTaskRow, files: readonly ImportFileRow[]): ImportTask => ({
  id: task.id,
  kind: task.kind,
  name: task.name,
  patientId: task.patient_id,
  customerId: task.customer_id,
  step: importStep.parse(task.step),
  percent: task.percent,
  error: task.error,
  totalFilesCount: task.total_files,
  files: files.map(importFileOf),
  studies: [],
  dicomSystemName: task.id,
  createdAt: task.created_at.toISOString(),
});
