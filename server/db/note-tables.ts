import type { NoteState } from '../../contract/notes.ts';
import type { MomentByDefault } from './column-types.ts';

/** A saved version of the note on an image or viewset. Rows are only inserted; a trigger rejects anything else. */
export interface NoteTable {
  /** The image or viewset. */
  subject_id: string;
  /** From 1, without gaps. */
  version: number;
  state: NoteState;
  text: string;
  author_id: string;
  /** Name of the author at that time. */
  author_name: string;
  saved_at: MomentByDefault;
}
