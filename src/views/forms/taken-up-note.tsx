import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './form.module.css';
import type { TakenUp } from './use-kept-draft.ts';

interface TakenUpNoteProps<V extends Record<string, unknown>> {
  readonly takenUp: TakenUp<V> | null;
  /** What a field is called, and its value in words. */
  readonly nameOf: (field: keyof V & string) => string;
  readonly textOf?: (field: keyof V & string, value: unknown) => string;
  readonly onGiveUp: () => void;
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Says that a form holds what was written earlier, and what somebody else has changed meanwhile: later and earlier edit, both told. */
export const TakenUpNote = <V extends Record<string, unknown>>(props: TakenUpNoteProps<V>) => {
  const { takenUp, nameOf, textOf = (_, value) => plainText(value), onGiveUp } = props;
  const { t, i18n } = useTranslation('drafts');
  if (!takenUp) return null;
  const time = new Date(takenUp.keptAt).toLocaleTimeString(i18n.language, { hour: '2-digit', minute: '2-digit' });
  return (
    <div className={classes.takenUp} role="status">
      <p>{t('takenUp', { time })}</p>
      {takenUp.theirs.length > 0 && (
        <>
          <IconAlert tone="caution">{t('changedMeanwhile')}</IconAlert>
          <ul>
            {takenUp.theirs.map((field) => {
              const words = { field: nameOf(field), value: textOf(field, takenUp.now[field]) || t('empty') };
              return (
                <li key={field}>{takenUp.both.includes(field) ? t('bothWrote', words) : t('theyWrote', words)}</li>
              );
            })}
          </ul>
        </>
      )}
      <Button variant="default" size="compact-sm" onClick={onGiveUp}>
        {t('discard')}
      </Button>
    </div>
  );
};
