import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs';
import { useTranslation } from 'react-i18next';
import type { NoteSummary } from '../../../../contract/notes.ts';
import classes from './note.module.css';
import { isWritten } from './use-note.ts';

/** Returns the text that tells of a note; null without one. */
export const useNoteSignText = () => {
  const { t } = useTranslation('note');
  return (note: NoteSummary | null): string | null =>
    isWritten(note) ? t(note.state === 'draft' ? 'draftNote' : 'note') : null;
};

interface NoteSignProps {
  readonly note: NoteSummary | null;
  /** Without its text, where another element says it. */
  readonly iconOnly?: boolean;
}

/** A small sign that an image or mount has a note. */
export const NoteSign = ({ note, iconOnly = false }: NoteSignProps) => {
  const text = useNoteSignText()(note);
  if (text === null) return null;
  return (
    <span className={classes.sign} data-draft={note?.state === 'draft' || undefined}>
      <IconNote aria-hidden="true" />
      {!iconOnly && text}
    </span>
  );
};
