import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { maxNoteLength, type NoteSubject, type NoteSummary, normalizedNote } from '../../../../contract/notes.ts';
import { type DraftSubject, draftKey, useDrafts } from '../../app/drafts-context.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { useUnsavedWarning } from '../../forms/unsaved-changes.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { useWorkspace } from '../workspace-context.ts';

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

/** Unsaved text, and the version that it is based on. */
const unsavedNote = z.object({ text: z.string(), version: z.number().int() });

/** Why a text cannot be saved. */
export type SaveObstacle = 'loading' | 'saving' | 'empty' | 'unchanged' | 'tooLong' | 'conflict' | 'unsaved';

const obstacleOf = (facts: { loading: boolean; saving: boolean; conflict: boolean; text: string }) => {
  if (facts.loading) return 'loading';
  if (facts.saving) return 'saving';
  if (facts.conflict) return 'conflict';
  const text = normalizedNote(facts.text);
  if (text === '') return 'empty';
  return text.length > maxNoteLength ? 'tooLong' : null;
};

/** The unsaved text of a note. It is kept under the key of its image or mount, so it never goes to another one. */
const useUnsavedNote = ({ subject, id, name }: NoteOwner) => {
  const { patientId } = useWorkspace();
  const drafts = useDrafts();
  const what: DraftSubject = { kind: 'note', name, patientId, subject, id };
  const key = draftKey(what, id);
  const stored = useSyncExternalStore(drafts.subscribe, () => drafts.find(key));
  useEffect(() => drafts.markInUse(key), [drafts, key]);
  const read = () => unsavedNote.safeParse(drafts.find(key)?.content).data ?? null;
  const place = `${window.location.pathname}${subject === 'image' ? `?image=${id}` : ''}`;
  return {
    unsaved: unsavedNote.safeParse(stored?.content).data ?? null,
    read,
    keep: (content: z.infer<typeof unsavedNote>) => drafts.save({ key, place, what, content }),
    drop: () => drafts.drop(key),
  };
};

/** Versions and unsaved text of the note on one image or mount, and what can be done with them. Use the id as `key` of the component. */
export const useNote = (owner: NoteOwner) => {
  const { subject, id } = owner;
  const { patientId } = useWorkspace();
  const queries = useAppQueries();
  const failureText = useRecordFailureText();
  const { unsaved, read, keep, drop } = useUnsavedNote(owner);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isRejected, setRejected] = useState(false);
  const announced = owner.note?.version ?? 0;
  const query = useQuery({ ...queries.note(subject, id), enabled: announced > 0 });
  const versions = query.data?.versions ?? [];
  const newest = versions[0] ?? null;
  const version = newest?.version ?? 0;

  // Another user's version is announced with the image or mount.
  const { refetch } = query;
  const isOutdated = query.isSuccess && announced > version;
  useEffect(() => {
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);

  const savedText = newest?.text ?? '';
  const text = unsaved?.text ?? savedText;
  const isChanged = normalizedNote(text) !== savedText;
  const isLoading = announced > version;
  const isConflict = unsaved !== null && unsaved.version < version;
  useUnsavedWarning(isChanged);

  const obstacle = obstacleOf({ loading: isLoading, saving: isSaving, conflict: isConflict, text });
  const draftObstacle: SaveObstacle | null = obstacle ?? (isChanged ? null : 'unchanged');
  const signObstacle: SaveObstacle | null = obstacle ?? (isChanged || newest?.state !== 'signed' ? null : 'unchanged');

  const removeObstacle: SaveObstacle | null = isSaving ? 'saving' : unsaved === null ? null : 'unsaved';

  const send = async (change: { state: 'draft' | 'signed'; text: string } | { state: 'removed' }) => {
    setSaving(true);
    setFailure(null);
    setRejected(false);
    try {
      const saved = await queries.saveNote({ subject, id, version: unsaved?.version ?? version, ...change }, patientId);
      const later = read();
      // What was typed while saving continues on the saved version.
      if (later && later.text !== text) keep({ ...later, version: saved.version });
      else drop();
    } catch (error) {
      const reason = failureOfQuery(error);
      setRejected(reason.code === 'conflict');
      if (reason.code !== 'conflict') setFailure(failureText(reason));
    } finally {
      setSaving(false);
    }
  };

  return {
    versions,
    newest,
    text,
    isChanged,
    isLoading,
    loadFailure: query.isError ? failureText(failureOfQuery(query.error)) : null,
    retry: () => void refetch(),
    /** The version of another user that was saved while this text was written. */
    theirs: isConflict && !isSaving ? newest : null,
    /** The save was rejected, and the version of the other user is not here yet. */
    isRejected: isRejected && !isConflict && isChanged,
    failure,
    draftObstacle,
    signObstacle,
    write: (next: string) => {
      if (next === savedText) drop();
      else keep({ text: next, version: unsaved?.version ?? version });
    },
    save: () => {
      if (draftObstacle === null) void send({ state: 'draft', text });
    },
    sign: () => {
      if (signObstacle === null) void send({ state: 'signed', text });
    },
    removeObstacle,
    remove: () => {
      if (removeObstacle === null) void send({ state: 'removed' });
    },
    useTheirs: () => {
      setRejected(false);
      drop();
    },
    keepMine: () => {
      setRejected(false);
      keep({ text, version });
    },
  };
};

export type Note = ReturnType<typeof useNote>;
