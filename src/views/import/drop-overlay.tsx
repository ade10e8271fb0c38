import { useTranslation } from 'react-i18next';
import classes from './import.module.css';

/** While files are held above the page: where they go when they are let go. */
export const DropOverlay = ({ name, detail }: { name: string; detail?: string }) => {
  const { t } = useTranslation('import');
  return (
    <div className={classes.overlay} role="status">
      <div>
        {t('dropInto')}
        <strong>{name}</strong>
        {detail && <p>{detail}</p>}
        <p>{t('dropHint')}</p>
      </div>
    </div>
  );
};

/** While folders are opened; those of a disc take a moment. */
export const FoldersOpening = ({ count }: { count: number }) => {
  const { t } = useTranslation('import');
  return (
    <p className={classes.opening} role="status">
      {t('readingFolders', { count })}
    </p>
  );
};
