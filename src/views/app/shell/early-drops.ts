import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { hasDraggedFiles } from '../../ui/dropped-files.ts';
import { toast } from '../../ui/toast.ts';

/** Says that files dropped while a page is loading were not taken: nothing else receives them yet. */
export const useEarlyDropNotice = (): void => {
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
