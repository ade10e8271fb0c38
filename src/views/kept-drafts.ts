import { createContext, useContext, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { uuid } from '../../contract/bounds.ts';

/** What a draft is about: enough for its words, and to open it again. */
export const draftMatter = z.discriminatedUnion('kind', [
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
  /** Changes of a mount, and of how images look and what is measured in them. */
  z.object({ kind: z.literal('hanging'), name: z.string(), patientId: uuid, viewsetId: uuid }),
  z.object({ kind: z.literal('looks'), name: z.string() }),
]);
export type DraftMatter = z.infer<typeof draftMatter>;

/** One of each thing that can be written. */
export const draftKey = (matter: DraftMatter, id: string): string => `${matter.kind}/${id}`;

export interface KeptDraft {
  readonly key: string;
  readonly place: string;
  readonly what: { readonly kind: string };
  readonly content?: unknown;
  readonly keptAt: number;
}

/** Work that the archive does not have yet, kept in this tab for the person who did it. See src/services/drafts.ts. */
export interface KeptDrafts {
  readonly offered: () => readonly KeptDraft[];
  readonly find: (key: string) => KeptDraft | null;
  readonly keep: (draft: { key: string; place: string; what: DraftMatter; content: unknown }) => void;
  readonly drop: (key: string) => void;
  readonly hold: (key: string) => () => void;
  readonly resume: (key: string | null) => void;
  readonly resumed: () => string | null;
  readonly subscribe: (listener: () => void) => () => void;
}

const none: readonly KeptDraft[] = [];
const nobodys: KeptDrafts = {
  offered: () => none,
  find: () => null,
  keep: () => undefined,
  drop: () => undefined,
  hold: () => () => undefined,
  resume: () => undefined,
  resumed: () => null,
  subscribe: () => () => undefined,
};

const DraftsContext = createContext<KeptDrafts>(nobodys);
export const DraftsProvider = DraftsContext.Provider;

/** Where a form stands that is not on a page of the product, nothing is kept. */
export const useDrafts = (): KeptDrafts => useContext(DraftsContext);

/** The draft that somebody wants to go on with, when it is about one of these kinds; null: none. */
export const useResumedDraft = (kinds: readonly DraftMatter['kind'][]): (KeptDraft & { what: DraftMatter }) | null => {
  const drafts = useDrafts();
  const key = useSyncExternalStore(drafts.subscribe, drafts.resumed);
  const draft = key === null ? null : drafts.find(key);
  const matter = draftMatter.safeParse(draft?.what).data;
  return draft && matter && kinds.includes(matter.kind) ? { ...draft, what: matter } : null;
};
