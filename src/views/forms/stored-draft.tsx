import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type DraftSubject, useDrafts } from '../app/drafts-context.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './form.module.css';

type Values = Readonly<Record<string, unknown>>;

interface Merged<V extends Values> {
  /** The own changes, merged with those of others in unchanged fields. */
  readonly values: V;
  /** Fields that others have changed. */
  readonly theirs: readonly (keyof V & string)[];
  /** Fields changed by both. */
  readonly both: readonly (keyof V & string)[];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Merges own changes made on `basis` into the server's current values, field by field. Fields that the form no longer has
 * are dropped.
 */
export const mergedOf = <V extends Values>(basis: Values, mine: Values, now: V): Merged<V> => {
  const fields = Object.keys(now) as (keyof V & string)[];
  const known = fields.filter((field) => Object.hasOwn(mine, field) && Object.hasOwn(basis, field));
  const written = known.filter((field) => !isSame(mine[field], basis[field]));
  const theirs = known.filter((field) => !isSame(now[field], basis[field]));
  const values = Object.fromEntries(fields.map((field) => [field, written.includes(field) ? mine[field] : now[field]]));
  return {
    values: values as V,
    theirs,
    both: theirs.filter((field) => written.includes(field) && !isSame(mine[field], now[field])),
  };
};

/** The draft that a form writes. */
export interface FormDraft {
  readonly key: string;
  readonly what: DraftSubject;
}

const content = z.object({
  basis: z.record(z.string(), z.unknown()),
  mine: z.record(z.string(), z.unknown()),
});

/** A restored draft: changes made by others since, and when it was last written, in milliseconds since 1970. */
interface RestoredDraft<V extends Record<string, unknown>> extends Merged<V> {
  readonly keptAt: number;
  /** The current values on the server. */
  readonly now: V;
}

const placeNow = () => window.location.pathname + window.location.search;

/**
 * Stores form input until it is saved or discarded (`drop`), and restores it on top of the server's current values
 * when the form opens again.
 */
export const useStoredDraft = <V extends Record<string, unknown>>(
  draft: FormDraft | null,
  form: UseFormReturnType<V>,
): { readonly restoredDraft: RestoredDraft<V> | null; readonly discard: () => void } => {
  const drafts = useDrafts();
  const key = draft?.key ?? null;
  const [initial] = useState(form.values);
  const [restoredDraft, setTakenUp] = useState<RestoredDraft<V> | null>(() => {
    const stored = key === null ? null : drafts.find(key);
    const read = content.safeParse(stored?.content).data;
    if (!stored || !read) return null;
    return { ...mergedOf(read.basis, read.mine, initial), keptAt: stored.keptAt, now: initial };
  });
  const written = useRef(false);
  const restore = useEffectEvent((restored: V) => form.setValues(restored));
  const save = useEffectEvent((values: V) => {
    if (!draft) return;
    if (form.isDirty()) {
      written.current = true;
      drafts.save({ ...draft, place: placeNow(), content: { basis: initial, mine: values } });
    } else if (written.current) drafts.drop(draft.key);
  });

  useEffect(() => (key === null ? undefined : drafts.markInUse(key)), [drafts, key]);
  useEffect(() => {
    if (restoredDraft) restore(restoredDraft.values);
    if (drafts.resumed() === key) drafts.resume(null);
  }, [restoredDraft, drafts, key]);

  const { values } = form;
  useEffect(() => save(values), [values]);

  /** Resets the form to the server's values and deletes the draft. */
  const discard = () => {
    setTakenUp(null);
    form.setValues(initial);
    if (key !== null) drafts.drop(key);
  };
  return { restoredDraft, discard };
};

interface RestoredDraftNoteProps<V extends Record<string, unknown>> {
  readonly restoredDraft: RestoredDraft<V> | null;
  /** Returns the label of a field, and its value as text. */
  readonly nameOf: (field: keyof V & string) => string;
  readonly textOf?: (field: keyof V & string, value: unknown) => string;
  readonly onDiscardDraft: () => void;
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Shows that a form was restored from a draft, and which fields another user has changed since. */
export const RestoredDraftNote = <V extends Record<string, unknown>>(props: RestoredDraftNoteProps<V>) => {
  const { restoredDraft, nameOf, textOf = (_, value) => plainText(value), onDiscardDraft } = props;
  const { t, i18n } = useTranslation('drafts');
  if (!restoredDraft) return null;
  const time = new Date(restoredDraft.keptAt).toLocaleTimeString(i18n.language, { hour: '2-digit', minute: '2-digit' });
  return (
    <div className={classes.restoredDraft} role="status">
      <p>{t('restoredText', { time })}</p>
      {restoredDraft.theirs.length > 0 && (
        <>
          <IconAlert tone="caution">{t('changedMeanwhile')}</IconAlert>
          <ul>
            {restoredDraft.theirs.map((field) => {
              const words = { field: nameOf(field), value: textOf(field, restoredDraft.now[field]) || t('empty') };
              return (
                <li key={field}>
                  {restoredDraft.both.includes(field) ? t('conflictingField', words) : t('changedField', words)}
                </li>
              );
            })}
          </ul>
        </>
      )}
      <Button variant="default" size="compact-sm" onClick={onDiscardDraft}>
        {t('discard')}
      </Button>
    </div>
  );
};
