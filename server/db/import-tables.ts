import type { Generated } from 'kysely';
import type { FileStatus, ImportKind } from '../../contract/imports.ts';
import type { Json, JsonByDefault, Moment, MomentByDefault } from './column-types.ts';

export interface ImportTaskTable {
  id: string;
  customer_id: string;
  /** Chosen beforehand; null: decided study by study. */
  patient_id: string | null;
  account_id: string;
  kind: Generated<ImportKind>;
  /** What a person calls it. Names of folders can name people: never for the log. */
  name: Generated<string>;
  /** Its files come by way of the object store. */
  aws_upload: Generated<boolean>;
  /** contract importSteps */
  step: number;
  percent: Generated<number>;
  error: Generated<boolean>;
  total_files: number;
  mismatch_confirmed: Generated<boolean>;
  /** A person does not want it any more. */
  cancelled: Generated<boolean>;
  /** Who said that it may be imported. */
  confirmed_by: string | null;
  /** Who works on it, and until when the others keep off. */
  lease_owner: string | null;
  lease_until: Moment | null;
  created_at: MomentByDefault;
  updated_at: MomentByDefault;
}

export interface ImportFileTable {
  id: string;
  task_id: string;
  file_name: string;
  /** Folders and name within what was chosen, or within its zip, parted by `/`. */
  path: string;
  /** The row of the zip that it came in. */
  container_id: string | null;
  size_bytes: number;
  /** Null while its bytes are not in the store: in the object store still (`aws_name`), or missing from its disc. */
  sha256: string | null;
  /** Its name in the object store. */
  aws_name: string | null;
  status: FileStatus;
  problem: string | null;
  detail: string | null;
  /** What parsing found, kept for the import step. */
  summary: Json<unknown> | null;
  named_patient: Json<unknown> | null;
  modality: string | null;
  /** `import_study.key` */
  study_key: string | null;
  image_id: string | null;
  received_at: MomentByDefault;
}

/** A study that parsing found in an import, and what a person decided about it. */
export interface ImportStudyTable {
  task_id: string;
  /** The Study Instance UID; `pictures` for jpg and png files. */
  key: string;
  kind: 'dicom' | 'static';
  description: Generated<string>;
  study_date: string | null;
  modalities: Generated<string[]>;
  /** Everybody whom its files name, the most frequent first: contract writtenPatient[]. */
  named_patient: Json<unknown> | null;
  names_several: Generated<boolean>;
  left_out: Generated<boolean>;
  patient_id: string | null;
  /** Of pictures: the study that a person chose. */
  study_uid: string | null;
  template_id: string | null;
  /** Item index of the template -> import_file.id */
  links: JsonByDefault<Record<string, string>>;
  mismatch_confirmed: Generated<boolean>;
  /** Made with the first of its images. */
  viewset_id: string | null;
}

/** What was asked of the object store for one file of an import. Goes when nothing of it is left there. */
export interface ImportObjectTable {
  /** No foreign key: what lies in the object store must be found even when the task is gone. */
  task_id: string;
  /** The sender's own name of the upload. */
  key: string;
  /** The last part of the object's key in the store: `imports/<task_id>/<name>`. */
  name: string;
  path: string;
  size_bytes: number;
  part_bytes: number;
  /** Null until the store has opened it. */
  upload_id: string | null;
  /** Its row, once it is complete. */
  file_id: string | null;
  begun_at: MomentByDefault;
  /** The object store holds nothing of it any more. */
  gone_at: Moment | null;
}

/** A large file that comes in parts. */
export interface ImportPartTable {
  task_id: string;
  /** The sender's own name of it. */
  key: string;
  path: string;
  size_bytes: number;
  /** Known once it is whole, before its draft goes into the store. */
  sha256: string | null;
  /** The row that it became. */
  file_id: string | null;
  begun_at: MomentByDefault;
}
