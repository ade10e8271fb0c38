import type { Generated, GeneratedAlways } from 'kysely';
import type { Moment, MomentByDefault } from './column-types.ts';

export interface PatientTable {
  id: string;
  customer_id: string;
  personal_number: string;
  first_name: string;
  last_name: string;
  birth_date: string | null;
  sex: 'F' | 'M' | 'O' | null;
  comments: string | null;
  /** Names normalized for search (case and diacritics): first, then last name, a space before each word. */
  search_text: string;
  /** How many of these words, from the end, are of the last name. */
  last_words: Generated<number>;
  /** Sort form of the name. */
  name_key: GeneratedAlways<string>;
  /** Digits of the personal number, with its century. */
  search_digits: string;
  last_study_date: string | null;
  has_protected_identity: Generated<boolean>;
  version: Generated<number>;
  entered_date: MomentByDefault;
  modified_date: MomentByDefault;
  deleted_at: Moment | null;
  /** The account that deleted it; null when not deleted or unknown. */
  deleted_by: string | null;
}

/** When an account last opened a patient. */
export interface PatientOpeningTable {
  account_id: string;
  patient_id: string;
  opened_at: Moment;
}
