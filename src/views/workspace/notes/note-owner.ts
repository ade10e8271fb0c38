import type { NoteSubject, NoteSummary } from '../../../../contract/notes.ts';

/** What a note is about. */
export interface NoteOwner {
  readonly subject: NoteSubject;
  readonly id: string;
  /** The newest version; null: there was never a note. */
  readonly note: NoteSummary | null;
  /** Its name in the list of unsaved work. */
  readonly name: string;
  /** Day of the image or study, `YYYY-MM-DD`; null when unknown. */
  readonly day: string | null;
  readonly teeth: readonly number[];
}

/** Returns whether there is a text. */
export const isWritten = (note: NoteSummary | null): note is NoteSummary => note !== null && note.state !== 'removed';
