import { useEffect, useEffectEvent } from 'react';
import type { NoteSubject } from '../../../../contract/notes.ts';
import { useDrafts, useResumedDraft } from '../../app/drafts-context.ts';

interface ShownNote {
  readonly subject: NoteSubject;
  readonly id: string;
}

/** Opens the field of a note once its image or mount is shown and the user continues its unsaved text. */
export const useResumedNote = (notes: readonly ShownNote[], open: (subject: NoteSubject) => void): void => {
  const drafts = useDrafts();
  const draft = useResumedDraft(['note']);
  const shown = notes.find(({ id }) => draft?.what.kind === 'note' && draft.what.id === id) ?? null;
  const subject = shown?.subject ?? null;
  const resume = useEffectEvent((of: NoteSubject) => {
    drafts.resume(null);
    open(of);
  });
  useEffect(() => {
    if (subject !== null) resume(subject);
  }, [subject]);
};
