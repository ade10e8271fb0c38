import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { type DraftMatter, useDrafts } from '../kept-drafts.ts';
import { type Merged, mergedOf } from './merged.rules.ts';

/** Which draft a form writes. */
export interface FormDraft {
  readonly key: string;
  readonly what: DraftMatter;
}

const content = z.object({
  basis: z.record(z.string(), z.unknown()),
  mine: z.record(z.string(), z.unknown()),
});

/** What a form took up again: what others changed meanwhile, and when it was last written, in milliseconds since 1970. */
export interface TakenUp<V extends Record<string, unknown>> extends Merged<V> {
  readonly keptAt: number;
  /** What the archive has now. */
  readonly now: V;
}

const placeNow = () => window.location.pathname + window.location.search;

/**
 * Keeps what is written in a form until it is saved or given up (`drop`), and fills it in again when the form opens anew, on top of what the
 * archive has by then. `initial`: what the form began with; the same values as the form's own initial ones.
 */
export const useKeptDraft = <V extends Record<string, unknown>>(
  draft: FormDraft | null,
  form: UseFormReturnType<V>,
): { readonly takenUp: TakenUp<V> | null; readonly giveUp: () => void } => {
  const drafts = useDrafts();
  const key = draft?.key ?? null;
  const [initial] = useState(form.values);
  const [takenUp, setTakenUp] = useState<TakenUp<V> | null>(() => {
    const kept = key === null ? null : drafts.find(key);
    const read = content.safeParse(kept?.content).data;
    if (!kept || !read) return null;
    return { ...mergedOf(read.basis, read.mine, initial), keptAt: kept.keptAt, now: initial };
  });
  const written = useRef(false);
  const latest = useRef({ draft, form });
  useEffect(() => {
    latest.current = { draft, form };
  });

  useEffect(() => (key === null ? undefined : drafts.hold(key)), [drafts, key]);
  useEffect(() => {
    if (takenUp) latest.current.form.setValues(takenUp.values);
    if (drafts.resumed() === key) drafts.resume(null);
  }, [takenUp, drafts, key]);

  const { values } = form;
  useEffect(() => {
    const { draft: now, form: current } = latest.current;
    if (!now) return;
    if (current.isDirty()) {
      written.current = true;
      drafts.keep({ ...now, place: placeNow(), content: { basis: initial, mine: values } });
    } else if (written.current) drafts.drop(now.key);
  }, [values, initial, drafts]);

  /** The archive's values again, and none of those that were kept. */
  const giveUp = () => {
    setTakenUp(null);
    form.setValues(initial);
    if (key !== null) drafts.drop(key);
  };
  return { takenUp, giveUp };
};
