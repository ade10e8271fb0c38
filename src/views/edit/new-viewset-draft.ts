import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { Study } from '../../../contract/studies.ts';
import { type DraftMatter, draftKey, useDrafts } from '../kept-drafts.ts';

const content = z.object({
  way: z.enum(['templates', 'own']),
  picked: z.string().nullable(),
  layout: z.object({
    rows: z.number(),
    columns: z.number(),
    gapPercent: z.number(),
    isPortrait: z.boolean(),
  }),
  keep: z.boolean(),
  typedName: z.string().nullable(),
  inNewStudy: z.boolean(),
});

/** What a person has chosen and typed of a new mount. */
export type NewViewsetChoice = z.infer<typeof content>;

/** What was kept of a new mount when the page went away; null when nothing was. */
export const useNewViewsetDraft = (patientId: string, study: Study | null) => {
  const drafts = useDrafts();
  const what: DraftMatter = { kind: 'new-viewset', name: '', patientId, studyUid: study?.uid ?? null };
  const key = draftKey(what, patientId);
  const [kept] = useState(() => content.safeParse(drafts.find(key)?.content).data ?? null);
  useEffect(() => drafts.hold(key), [drafts, key]);
  useEffect(() => {
    if (drafts.resumed() === key) drafts.resume(null);
  }, [drafts, key]);
  return {
    kept,
    keep: (choice: NewViewsetChoice) =>
      drafts.keep({ key, place: window.location.pathname + window.location.search, what, content: choice }),
    drop: () => drafts.drop(key),
  };
};
