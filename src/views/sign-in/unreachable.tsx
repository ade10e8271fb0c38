import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import classes from './sign-in.module.css';

/** The archive does not answer; the page asks again by itself. */
export const Unreachable = ({ onRetry, onForget }: { onRetry: () => void; onForget: (() => void) | null }) => {
  const { t } = useTranslation('sign-in');
  return (
    <div className={classes.stack}>
      <div role="status" className={classes.notice} data-tone="caution">
        <p>{t('loginServer')}</p>
        <p className={classes.quiet}>{t('unreachableText')}</p>
      </div>
      <EntryButton quiet onClick={onRetry}>
        {t('retryNow')}
      </EntryButton>
      {onForget && (
        <button type="button" className={classes.quietLink} onClick={onForget}>
          {t('somebodyElse')}
        </button>
      )}
    </div>
  );
};
