import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './form.module.css';
import type { SubmitState } from './use-form-submit.ts';

interface FormFooterProps {
  readonly sending: SubmitState;
  readonly submit: string;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
  /** Loads the version that another user saved; null where conflicts cannot happen. */
  readonly onLoadLatest: (() => void) | null;
}

/** Error text and the two buttons of a form. */
export const FormFooter = ({ sending, submit, disabled = false, onCancel, onLoadLatest }: FormFooterProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  return (
    <>
      <div aria-live="assertive">
        {sending.failure && <IconAlert>{sending.failure}</IconAlert>}
        {sending.conflict && (
          <div className={classes.conflict}>
            <IconAlert tone="caution">{t('conflict')}</IconAlert>
            {onLoadLatest && (
              <Button variant="default" onClick={onLoadLatest}>
                {t('loadCurrent')}
              </Button>
            )}
          </div>
        )}
      </div>
      <div className={classes.buttons}>
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
