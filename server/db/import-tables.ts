import type { Generated } from 'kysely';
import type { FileStatus, ImportKind } from '../../contract/imports.ts';
import type { Json, JsonByDefault, Moment, MomentByDefault } from './column-types.ts';

export interface ImportTaskTable {
  id: string;
  customer_id: string;
  /** Patient chosen in advance; null: decided per study. */
  patient_id: string | null;
  /** The user who began it; null: a program or device sent it. */
  account_id: string | null;
  kind: Generated<ImportKind>;
  /** Name given by the user. Folder names can name patients: never for the log. */
  name: Generated<string>;
  /** Its files come through the object store. */
  aws_upload: Generated<boolean>;
  /** contract importSteps */
  step: number;
  percent: Generated<number>;
  error: Generated<boolean>;
  total_files: number;
  mismatch_confirmed: Generated<boolean>;
  /** Cancelled by a user. */
  cancelled: Generated<boolean>;
  /** The user who confirmed the import. */
  confirmed_by: string | null;
  /** The node that works on it, and the end of its lease. */
  lease_owner: string | null;
  lease_until: Moment | null;
  /** How its objects were sent; null: a user chose files. */
  source: 'dicomweb' | 'dicom' | null;
  /** Id of the service account, device or user that sent them. */
  source_id: string | null;
  source_name: string | null;
  /** Study Instance UID of the sent objects; empty when they have none. */
  source_study: string | null;
  /** Images of exactly one patient go in without a user's decision. */
  at_once: Generated<boolean>;
  /** The end of what was sent, as far as the sender has said. */
  sent_at: Moment | null;
  /** Whether it goes in without a user is decided, once. */
  judged_at: Moment | null;
  created_at: MomentByDefault;
  updated_at: MomentByDefault;
}

export interface ImportFileTable {
  id: string;
  task_id: string;
  file_name: string;
  /** Folders and name within the chosen folder or zip, separated by `/`. */
  path: string;
  /** The row of the zip that contained it. */
  container_id: string | null;
  size_bytes: number;
  /** Null while its bytes are not in the store: still in the object store (`aws_name`), or missing from its disc. */
  sha256: string | null;
  /** Its name in the object store. */
  aws_name: string | null;
  status: FileStatus;
  problem: string | null;
  detail: string | null;
  /** Parse result, stored for the import step. */
  summary: Json<unknown> | null;
  named_patient: Json<unknown> | null;
  modality: string | null;
  /** `import_study.key` */
  study_key: string | null;
  image_id: string | null;
  /** The import restored the image, its series or its study from the recycle bin. */
  was_restored: Generated<boolean>;
  received_at: MomentByDefault;
}

/** A study found in an import, and the user's decision about it. */
export interface ImportStudyTable {
  task_id: string;
  /** The Study Instance UID; `pictures` for pictures. */
  key: string;
  kind: 'dicom' | 'static';
  description: Generated<string>;
  study_date: string | null;
  modalities: Generated<string[]>;
  /** Patients named in its files, most frequent first: contract writtenPatient[]. */
  named_patient: Json<unknown> | null;
  names_several: Generated<boolean>;
  left_out: Generated<boolean>;
  patient_id: string | null;
  /** Study chosen by the user; for pictures only. */
  study_uid: string | null;
  template_id: string | null;
  /** Item index of the template -> import_file.id */
  links: JsonByDefault<Record<string, string>>;
  mismatch_confirmed: Generated<boolean>;
  /** Created with the first of its images, or the one of the study that takes them. */
  viewset_id: string | null;
}

/** Upload of one import file to the object store. Removed when the store holds nothing of it. */
export interface ImportObjectTable {
  /** No foreign key: objects in the store must be found even when the task is gone. */
  task_id: string;
  /** The sender's name of the upload. */
  key: string;
  /** The last part of the object's key: `imports/<task_id>/<name>`. */
  name: string;
  path: string;
  size_bytes: number;
  part_bytes: number;
  /** Null until the store has opened it. */
  upload_id: string | null;
  /** Its file row, once complete. */
  file_id: string | null;
  begun_at: MomentByDefault;
  /** The object store holds nothing of it any more. */
  gone_at: Moment | null;
}

/** A large file received in parts. */
export interface ImportPartTable {
  task_id: string;
  /** The sender's name of the upload. */
  key: string;
  path: string;
  size_bytes: number;
  /** Known once complete, before the draft is moved into the store. */
  sha256: string | null;
  /** Its file row. */
  file_id: string | null;
  begun_at: MomentByDefault;
}
