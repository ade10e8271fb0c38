import { Button, Checkbox } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './merge.module.css';

export const nameOf = ({ mainInfo }: Patient) => `${mainInfo.firstName} ${mainInfo.lastName}`;

interface ConfirmationProps<Preview> {
  readonly preview: UseQueryResult<Preview>;
  /** Identifies the request; an error is shown for the same request only. */
  readonly request: string;
  /** Null when nothing would move. */
  readonly understoodText: (preview: Preview) => string | null;
  readonly confirmText: string;
  /** Performs the request; the server rejects it if the preview is outdated. */
  readonly onConfirm: (preview: Preview) => Promise<void>;
  /** Null when the other patient is fixed. */
  readonly onOther: (() => void) | null;
  readonly onClose: () => void;
  readonly children: (preview: Preview) => ReactNode;
}

/** Shows what a request would move, with a box to tick and the buttons. */
export const Confirmation = <Preview extends { readonly seen: string }>(props: ConfirmationProps<Preview>) => {
  const { preview, request, understoodText, confirmText, onConfirm, onOther, onClose, children } = props;
  const { t } = useTranslation(['merge', 'shell']);
  const failureText = useRecordFailureText();
  /** Preview that was shown when the box was ticked; a new preview unticks it. */
  const [understood, setUnderstood] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ readonly request: string; readonly text: string } | null>(null);
  // Focus moves to the box because the search field is unmounted.
  const hasFocused = useRef(false);
  const focusOnce = (box: HTMLInputElement | null) => {
    if (box && !hasFocused.current) box.focus();
    hasFocused.current ||= box !== null;
  };
  const shown = preview.data ?? null;
  const label = shown && understoodText(shown);
  const isUnderstood = shown !== null && understood === shown.seen;
  const confirm = async () => {
    if (!shown || !isUnderstood) return;
    setBusy(true);
    setFailed(null);
    try {
      await onConfirm(shown);
    } catch (error) {
      const failure = failureOfQuery(error);
      const isConflict = failure.code === 'conflict';
      if (isConflict) {
        setUnderstood(null);
        await preview.refetch();
      }
      setFailed({ request, text: isConflict ? t('changed') : failureText(failure) });
      setBusy(false);
    }
  };
  return (
    <>
      {shown && children(shown)}
      {shown && label !== null && (
        <Checkbox
          ref={focusOnce}
          className={classes.understood}
          label={label}
          checked={isUnderstood}
          onChange={(event) => setUnderstood(event.currentTarget.checked ? shown.seen : null)}
        />
      )}
      <div aria-live="assertive">
        {preview.isError && <IconAlert>{failureText(failureOfQuery(preview.error))}</IconAlert>}
        {failed?.request === request && <IconAlert>{failed.text}</IconAlert>}
      </div>
      <div className={classes.end}>
        {onOther && (
          <Button variant="subtle" className={classes.other} onClick={onOther}>
            {t('change')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button color="red.9" disabled={!isUnderstood} loading={busy} onClick={() => void confirm()}>
          {confirmText}
        </Button>
      </div>
    </>
  );
};
