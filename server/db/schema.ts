import type { Generated } from 'kysely';
import type { Calibration, Display, Measurement, StoredAnnotation } from '../../contract/displays.ts';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import type { StoredAuthors } from '../domain/authored-marks.ts';
import type { StoredSlot } from '../domain/stored-slot.ts';
import type { AccessLogSealTable, AccessLogTable } from './access-log-tables.ts';
import type { Json, JsonByDefault, Moment, MomentByDefault, OptionalJson } from './column-types.ts';
import type { DestructionFileTable, DestructionOrderTable } from './destruction-tables.ts';
import type { DicomTransferTables } from './dicom-transfer-tables.ts';
import type { GalleryImageTable } from './gallery-table.ts';
import type { ImageGradeTable } from './grade-table.ts';
import type {
  AccountPictureTable,
  AccountTable,
  CustomerTable,
  DataKeyTable,
  DicomDeviceTable,
  DirectoryTokenTable,
  OidcTable,
  PasskeyTable,
  PasswordResetTable,
  PendingSignInTable,
  RecoveryCodeTable,
  RoleTable,
  SecretTable,
  ServiceAccountClinicTable,
  ServiceAccountTable,
  SettingTable,
  SignInAttemptTable,
} from './identity-tables.ts';
import type {
  ImportFileTable,
  ImportObjectTable,
  ImportPartTable,
  ImportStudyTable,
  ImportTaskTable,
} from './import-tables.ts';
import type { FileCheckTable, StoredFileFaultTable } from './integrity-tables.ts';
import type { LogReviewTable } from './log-review-table.ts';
import type { MailTable } from './mail-table.ts';
import type { MonitorCheckTable } from './monitor-check-table.ts';
import type { NoteTable } from './note-tables.ts';
import type { BackupRunTable, DeriveClaimTable, NodeTable, SeedStateTable } from './operation-tables.ts';
import type { ImagingOrderTable, PerformedStepTable } from './order-tables.ts';
import type { PatientOpeningTable, PatientTable } from './patient-tables.ts';
import type { RecordChangeTable } from './record-change-table.ts';
import type { SharedLinkImageTable, SharedLinkOpeningTable, SharedLinkTable } from './shared-link-tables.ts';
import type { StatisticsChangeTable, StatisticsTotalTable, StatisticsWeekTable } from './statistics-tables.ts';

export interface StudyTable {
  id: string;
  customer_id: string;
  patient_id: string;
  uid: string;
  description: string;
  study_date: string | null;
  accession_number: string | null;
  /** Normalized description and accession number, a space before each word. */
  search_text: Generated<string>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
  deleted_by: string | null;
}

export interface SeriesTable {
  id: string;
  study_id: string;
  uid: string;
  modality: string;
  number: number | null;
  description: string | null;
  deleted_at: Moment | null;
  deleted_by: string | null;
  /** Of a series moved from another patient: the UIDs in its files. Null: those of the study and its own. */
  origin_study_uid: string | null;
  origin_series_uid: string | null;
}

export interface ImageTable {
  id: string;
  customer_id: string;
  series_id: string;
  sop_instance_uid: string;
  sop_class_uid: string | null;
  kind: 'image' | 'document';
  source: 'dicom' | 'picture';
  /** Content hash of the stored object. */
  sha256: string;
  size_bytes: number;
  file_name: string;
  /** The picture (JPEG, PNG, TIFF, HEIC) that this object was made from, unchanged. */
  original_sha256: string | null;
  number: number | null;
  rows: number;
  columns: number;
  frames: number;
  transfer_syntax: string;
  compression: 'none' | 'lossless' | 'lossy';
  /** As in the file, ISO 3950. */
  teeth: number[];
  /** Edited by a user; null when not edited. */
  chosen_teeth: number[] | null;
  laterality: 'L' | 'R' | 'B' | null;
  acquired_at: string | null;
  comments: string | null;
  sensor_type: string | null;
  thumb_status: Generated<'pending' | 'ready' | 'error'>;
  /** State of prepared renditions; `reduced`: the reduced one exists. */
  rendition_status: Generated<'pending' | 'reduced' | 'ready' | 'error'>;
  /** Failed attempts at the thumbnail or rendition since the last success. */
  derive_attempts: Generated<number>;
  /** When an `error` of either is retried. */
  derive_retry_at: Moment | null;
  /** The `error` is permanent: the file cannot be decoded. */
  derive_final: Generated<boolean>;
  /** `read`: the two columns below hold what the file states. Older servers leave it `pending`. */
  dose_status: Generated<'pending' | 'read'>;
  /** Irradiation Event UIDs, joined by a backslash; null when not stated. */
  irradiation_event: string | null;
  /** Dose area product in mGy*cm2, above 0; null when not stated. */
  area_dose: number | null;
  /** Attributes of the file that searches by DICOMweb return; null: not read yet. Empty for a file that cannot be read. */
  dicom_attributes: OptionalJson<DicomJson>;
  marks: JsonByDefault<Measurement[]>;
  annotations: JsonByDefault<StoredAnnotation[]>;
  mark_authors: OptionalJson<StoredAuthors>;
  calibration: OptionalJson<Calibration>;
  /** Version of marks, annotations and calibration, from 0. */
  marks_version: Generated<number>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
  deleted_by: string | null;
}

export interface TemplateTable {
  id: string;
  /** Null: available to all clinics. */
  customer_id: string | null;
  name: string;
  width: number;
  height: number;
  modality: string;
  is_favorite: Generated<boolean>;
  items: Json<StoredSlot[]>;
}

export interface ViewsetTable {
  id: string;
  study_id: string;
  name: string;
  comments: string | null;
  template_id: string | null;
  width: number;
  height: number;
  /** It arrived as a Basic Structured Display; null: made here. */
  structured_display: OptionalJson<StructuredDisplay>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
  deleted_by: string | null;
}

/** The stored object that a mount arrived as, and what of it the mount does not show. */
export interface StructuredDisplay {
  readonly imageId: string;
  readonly notTaken: readonly string[];
}

/** A slot of a viewset, copied from the template, so that template changes do not affect it. */
export interface ViewsetItemTable {
  viewset_id: string;
  item_index: number;
  capture_order: number;
  x_pos: number;
  y_pos: number;
  width: number;
  height: number;
  rotation: number;
  horizontal_flip: boolean;
  teeth: number[];
  description: string | null;
  image_id: string | null;
  /** SOP Instance UID of an image that has not arrived; null: none is missing. */
  awaited_uid: Generated<string | null>;
}

/** Display settings of an image: in a viewset, or by itself (`viewset_id` null). They stay when the image leaves its slot. */
export interface ImageDisplayTable {
  image_id: string;
  viewset_id: string | null;
  /** Null: reset to the file's settings. */
  display: OptionalJson<Display>;
  version: number;
  /** Null: it arrived as a presentation state. */
  account_id: string | null;
  saved_at: MomentByDefault;
}

/** The tray of a viewset: unmounted images in order. */
export interface ViewsetDetachedTable {
  viewset_id: string;
  image_id: string;
  position: number;
}

/** A user's choice of favourites; without a row the template's own flag applies. */
export interface TemplateFavoriteTable {
  account_id: string;
  template_id: string;
  is_favorite: boolean;
}

/** One row: state of the files folder. */
export interface ArchiveFilesTable {
  singleton: Generated<boolean>;
  /** Highest value that the folder's counter may have. */
  generation: Generated<number>;
  /** Value that the folder's counter has durably reached. */
  confirmed: Generated<number>;
  /** When the database was found to be older than the folder; sweeping stops until an administrator decides. */
  older_since: Moment | null;
  unnamed_files: Generated<number>;
  unnamed_bytes: Generated<number>;
  quarantined_files: Generated<number>;
  quarantined_bytes: Generated<number>;
  quarantined_since: Moment | null;
}

export interface Schema extends DicomTransferTables {
  customer: CustomerTable;
  role: RoleTable;
  account: AccountTable;
  account_picture: AccountPictureTable;
  directory_token: DirectoryTokenTable;
  service_account: ServiceAccountTable;
  service_account_clinic: ServiceAccountClinicTable;
  dicom_device: DicomDeviceTable;
  oidc: OidcTable;
  sign_in_attempt: SignInAttemptTable;
  secret: SecretTable;
  data_key: DataKeyTable;
  passkey: PasskeyTable;
  recovery_code: RecoveryCodeTable;
  password_reset: PasswordResetTable;
  letter: MailTable;
  pending_sign_in: PendingSignInTable;
  setting: SettingTable;
  patient: PatientTable;
  patient_opening: PatientOpeningTable;
  imaging_order: ImagingOrderTable;
  performed_step: PerformedStepTable;
  study: StudyTable;
  series: SeriesTable;
  image: ImageTable;
  template: TemplateTable;
  viewset: ViewsetTable;
  viewset_item: ViewsetItemTable;
  image_display: ImageDisplayTable;
  viewset_detached: ViewsetDetachedTable;
  image_note: NoteTable;
  viewset_note: NoteTable;
  image_grade: ImageGradeTable;
  monitor_check: MonitorCheckTable;
  log_review: LogReviewTable;
  image_change: RecordChangeTable;
  study_change: RecordChangeTable;
  patient_change: RecordChangeTable;
  gallery_image: GalleryImageTable;
  template_favorite: TemplateFavoriteTable;
  import_task: ImportTaskTable;
  import_file: ImportFileTable;
  import_study: ImportStudyTable;
  import_part: ImportPartTable;
  import_object: ImportObjectTable;
  shared_link: SharedLinkTable;
  shared_link_image: SharedLinkImageTable;
  shared_link_opening: SharedLinkOpeningTable;
  access_log: AccessLogTable;
  access_log_seal: AccessLogSealTable;
  destruction_order: DestructionOrderTable;
  destruction_file: DestructionFileTable;
  archive_files: ArchiveFilesTable;
  seed_state: SeedStateTable;
  stored_file_fault: StoredFileFaultTable;
  file_check: FileCheckTable;
  backup_run: BackupRunTable;
  derive_claim: DeriveClaimTable;
  node: NodeTable;
  statistics_week: StatisticsWeekTable;
  statistics_total: StatisticsTotalTable;
  statistics_change: StatisticsChangeTable;
}
