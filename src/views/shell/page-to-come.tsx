import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { useIsLate } from '../parts/lazily.ts';
import { Notice } from '../parts/notice.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { useReloadWhenBack } from './reload-when-back.ts';

/** What is there sooner than this comes without a word. */
const slowLoadMs = 400;

/** In place of a page that is being fetched: nothing for a moment, then that it comes, or that the line is cut. */
export const PageToCome = () => {
  const { t } = useTranslation(['shell', 'failure']);
  const isLate = useIsLate();
  useReloadWhenBack(isLate);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowLoadMs);
    return () => clearTimeout(timer);
  }, []);
  if (isLate)
    return (
      <Notice
        isPage
        urgent
        title={t('failure:offline')}
        text={t('comesLate')}
        action={<EntryButton onClick={() => window.location.reload()}>{t('reload')}</EntryButton>}
      />
    );
  return isSlow ? <Spinner text={t('loading')} /> : null;
};
