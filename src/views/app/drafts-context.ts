import { createContext, useContext, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { uuid } from '../../../contract/bounds.ts';
import { noteSubject } from '../../../contract/notes.ts';

/** What a draft is about: enough to name it and to open it again. */
export const draftSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('edit-patient'), name: z.string(), patientId: uuid }),
  z.object({ kind: z.literal('edit-study'), name: z.string(), patientId: uuid, studyId: uuid }),
  z.object({
    kind: z.literal('edit-image'),
    name: z.string(),
    patientId: uuid,
    imageUid: uuid,
    slotTeeth: z.array(z.number()),
  }),
  z.object({ kind: z.literal('edit-viewset'), name: z.string(), patientId: uuid, viewsetId: uuid }),
  z.object({ kind: z.literal('new-viewset'), name: z.string(), patientId: uuid, studyUid: z.string().nullable() }),
  z.object({ kind: z.literal('new-patient'), name: z.string() }),
  z.object({ kind: z.literal('import-patient'), name: z.string() }),
  /** Changes to a mount, and to the display settings and measurements of images. */
  z.object({ kind: z.literal('hanging'), name: z.string(), patientId: uuid, viewsetId: uuid }),
  z.object({ kind: z.literal('looks'), name: z.string() }),
  z.object({ kind: z.literal('note'), name: z.string(), patientId: uuid, subject: noteSubject, id: uuid }),
]);
export type DraftSubject = z.infer<typeof draftSubject>;

/** Returns the key of a draft: one draft per kind and record. */
export const draftKey = (matter: DraftSubject, id: string): string => `${matter.kind}/${id}`;

export interface StoredDraft {
  readonly key: string;
  readonly place: string;
  readonly what: { readonly kind: string };
  readonly content?: unknown;
  readonly keptAt: number;
}

/** Unsaved work of this tab, stored per user. See src/services/drafts.ts. */
export interface DraftStore {
  readonly offered: () => readonly StoredDraft[];
  readonly find: (key: string) => StoredDraft | null;
  readonly save: (draft: { key: string; place: string; what: DraftSubject; content: unknown }) => void;
  readonly drop: (key: string) => void;
  readonly markInUse: (key: string) => () => void;
  readonly resume: (key: string | null) => void;
  readonly resumed: () => string | null;
  readonly subscribe: (listener: () => void) => () => void;
}

const none: readonly StoredDraft[] = [];
const emptyDrafts: DraftStore = {
  offered: () => none,
  find: () => null,
  save: () => undefined,
  drop: () => undefined,
  markInUse: () => () => undefined,
  resume: () => undefined,
  resumed: () => null,
  subscribe: () => () => undefined,
};

const DraftsContext = createContext<DraftStore>(emptyDrafts);
export const DraftsProvider = DraftsContext.Provider;

/** Returns the draft store; without a provider nothing is stored. */
export const useDrafts = (): DraftStore => useContext(DraftsContext);

/** Returns the draft that the user chose to continue if it is of one of these kinds, else null. */
export const useResumedDraft = (
  kinds: readonly DraftSubject['kind'][],
): (StoredDraft & { what: DraftSubject }) | null => {
  const drafts = useDrafts();
  const key = useSyncExternalStore(drafts.subscribe, drafts.resumed);
  const draft = key === null ? null : drafts.find(key);
  const matter = draftSubject.safeParse(draft?.what).data;
  return draft && matter && kinds.includes(matter.kind) ? { ...draft, what: matter } : null;
};
