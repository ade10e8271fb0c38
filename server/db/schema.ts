import type { Generated, GeneratedAlways } from 'kysely';
import type { Calibration, Display, Mark } from '../../contract/displays.ts';
import type { AccessLogSealTable, AccessLogTable } from './access-log-tables.ts';
import type { Json, JsonByDefault, Moment, MomentByDefault, OptionalJson } from './column-types.ts';
import type { GalleryImageTable } from './gallery-table.ts';
import type {
  AccountPictureTable,
  AccountTable,
  CustomerTable,
  OidcTable,
  PasswordResetTable,
  PendingSignInTable,
  RecoveryCodeTable,
  RoleTable,
  SecretTable,
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
import type { LetterTable } from './letter-table.ts';
import type { StatisticsChangeTable, StatisticsTotalTable, StatisticsWeekTable } from './statistics-tables.ts';

export interface PatientTable {
  id: string;
  customer_id: string;
  personal_number: string;
  first_name: string;
  last_name: string;
  birth_date: string | null;
  sex: 'F' | 'M' | 'O' | null;
  comments: string | null;
  /** Names folded for the search (case and diacritics): first, then last name, each word with a space before it. */
  search_text: string;
  /** How many of these words, counted from the end, are of the last name. */
  last_words: Generated<number>;
  /** What lists by name are sorted by. */
  name_key: GeneratedAlways<string>;
  /** Digits of the personal number, with its century. */
  search_digits: string;
  last_study_date: string | null;
  version: Generated<number>;
  entered_date: MomentByDefault;
  modified_date: MomentByDefault;
  deleted_at: Moment | null;
  /** Who put it into the recycle bin; null when it is not there, or not known. */
  deleted_by: string | null;
}

export interface StudyTable {
  id: string;
  customer_id: string;
  patient_id: string;
  uid: string;
  description: string;
  study_date: string | null;
  accession_number: string | null;
  /** Description and accession number folded, each word with a space before it. */
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
}

export interface ImageTable {
  id: string;
  customer_id: string;
  series_id: string;
  sop_instance_uid: string;
  sop_class_uid: string | null;
  kind: 'image' | 'document';
  source: 'dicom' | 'picture';
  /** The stored object's bytes by content hash. */
  sha256: string;
  size_bytes: number;
  file_name: string;
  /** The jpg or png that this object was made from, kept as it came. */
  original_sha256: string | null;
  number: number | null;
  rows: number;
  columns: number;
  frames: number;
  transfer_syntax: string;
  compression: 'none' | 'lossless' | 'lossy';
  /** What the file says, ISO 3950. */
  teeth: number[];
  /** What a person says instead; null when nobody does. */
  chosen_teeth: number[] | null;
  laterality: 'L' | 'R' | 'B' | null;
  acquired_at: string | null;
  comments: string | null;
  sensor_type: string | null;
  thumb_status: Generated<'pending' | 'ready' | 'error'>;
  /** What is made for the viewer ahead; `reduced`: the small picture is there. */
  rendition_status: Generated<'pending' | 'reduced' | 'ready' | 'error'>;
  marks: JsonByDefault<Mark[]>;
  calibration: OptionalJson<Calibration>;
  /** Counts saves of marks and calibration, from 0. */
  marks_version: Generated<number>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
}

export interface StoredSlot {
  itemIndex: number;
  order: number;
  xPos: number;
  yPos: number;
  width: number;
  height: number;
  rotation: number;
  horizontalFlip: boolean;
  teeth: number[];
  description: string | null;
}

export interface TemplateTable {
  id: string;
  /** Null: all clinics have it. */
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
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
}

/** A slot of a mount: a copy of the template's, so that later changes of the template never reach it. */
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
}

/** How an image was left: in a viewset, or by itself (`viewset_id` null). It stays when the image leaves its slot. */
export interface ImageDisplayTable {
  image_id: string;
  viewset_id: string | null;
  /** Null: forgotten, as the file asks. */
  display: OptionalJson<Display>;
  version: number;
  account_id: string;
  saved_at: MomentByDefault;
}

/** The tray of a viewset: images that were unmounted there, in their order. */
export interface ViewsetDetachedTable {
  viewset_id: string;
  image_id: string;
  position: number;
}

/** A person's own choice of favourites; without a row the template's own flag counts. */
export interface TemplateFavoriteTable {
  account_id: string;
  template_id: string;
  is_favorite: boolean;
}

export interface SeedStateTable {
  name: string;
  value: Json<unknown>;
}

export interface Schema {
  customer: CustomerTable;
  role: RoleTable;
  account: AccountTable;
  account_picture: AccountPictureTable;
  oidc: OidcTable;
  sign_in_attempt: SignInAttemptTable;
  secret: SecretTable;
  recovery_code: RecoveryCodeTable;
  password_reset: PasswordResetTable;
  letter: LetterTable;
  pending_sign_in: PendingSignInTable;
  setting: SettingTable;
  patient: PatientTable;
  study: StudyTable;
  series: SeriesTable;
  image: ImageTable;
  template: TemplateTable;
  viewset: ViewsetTable;
  viewset_item: ViewsetItemTable;
  image_display: ImageDisplayTable;
  viewset_detached: ViewsetDetachedTable;
  gallery_image: GalleryImageTable;
  template_favorite: TemplateFavoriteTable;
  import_task: ImportTaskTable;
  import_file: ImportFileTable;
  import_study: ImportStudyTable;
  import_part: ImportPartTable;
  import_object: ImportObjectTable;
  access_log: AccessLogTable;
  access_log_seal: AccessLogSealTable;
  seed_state: SeedStateTable;
  statistics_week: StatisticsWeekTable;
  statistics_total: StatisticsTotalTable;
  statistics_change: StatisticsChangeTable;
}
