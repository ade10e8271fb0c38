import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AuthButton } from '../../ui/auth-controls.tsx';
import { hasDraggedFiles } from '../../ui/dropped-files.ts';
import { useIsLoadDelayed } from '../../ui/lazy-component.ts';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import classes from './page-loading.module.css';
import { useReloadOnReconnect } from './reload-on-reconnect.ts';

/** Says that files dropped while a page is loading were not taken: nothing else receives them yet. */
const useEarlyDropNotice = (): void => {
  const { t } = useTranslation('shell');
  const refuse = useEffectEvent(() => toast({ tone: 'bad', text: t('dropTooEarly'), close: t('close') }));
  useEffect(() => {
    const over = (event: DragEvent) => {
      // Otherwise the browser sends no `drop`.
      if (hasDraggedFiles(event.dataTransfer)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasDraggedFiles(event.dataTransfer)) return;
      event.preventDefault();
      refuse();
    };
    const page = document.documentElement;
    page.addEventListener('dragover', over);
    page.addEventListener('drop', drop);
    return () => {
      page.removeEventListener('dragover', over);
      page.removeEventListener('drop', drop);
    };
  }, []);
};

/** A loading spinner. `text` is read by screen readers. */
const Spinner = ({ text }: { text: string }) => (
  <div className={classes.place} role="status" aria-label={text}>
    <div className={classes.ring} />
  </div>
);

/** Shorter loads show no spinner. */
const slowLoadMs = 400;

/** Placeholder of a page being loaded: empty at first, then a spinner, or a notice about connection loss. */
export const PageLoading = () => {
  const { t } = useTranslation(['shell', 'failure']);
  const isLate = useIsLoadDelayed();
  useReloadOnReconnect(isLate);
  useEarlyDropNotice();
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
        text={t('opensByItself')}
        action={<AuthButton onClick={() => window.location.reload()}>{t('reload')}</AuthButton>}
      />
    );
  return isSlow ? <Spinner text={t('loading')} /> : null;
};
