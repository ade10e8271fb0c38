import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../parts/icon-alert.tsx';
import classes from './form.module.css';
import type { Sending } from './use-sending.ts';

interface FormEndProps {
  readonly sending: Sending;
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
  /** Fetches what somebody else wrote; null where that cannot happen. */
  readonly onLoadTheirs: (() => void) | null;
}

/** What went wrong, and the two answers of a form. */
export const FormEnd = ({ sending, submit, disabled = false, onCancel, onLoadTheirs }: FormEndProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  return (
    <>
      <div aria-live="assertive">
        {sending.failure && <IconAlert>{sending.failure}</IconAlert>}
        {sending.conflict && (
          <div className={classes.conflict}>
            <IconAlert tone="caution">{t('conflict')}</IconAlert>
            {onLoadTheirs && (
              <Button variant="default" onClick={onLoadTheirs}>
                {t('loadTheirs')}
              </Button>
            )}
          </div>
        )}
      </div>
      <div className={classes.answers}>
        <Button variant="default" onClick={onCancel}>
          {t('shell:cancel')}
        </Button>
        <Button type="submit" loading={sending.busy} disabled={disabled || sending.conflict}>
          {submit}
        </Button>
      </div>
    </>
  );
};
