import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './older-pages.module.css';

interface OlderPagesProps {
  /** From 1. */
  readonly page: number;
  readonly rowsPerPage: number;
  readonly totalCount: number;
  readonly onPage: (page: number) => void;
}

/** Buttons to the newer and the older rows of a list whose newest row is first. */
export const OlderPages = ({ page, rowsPerPage, totalCount, onPage }: OlderPagesProps) => {
  const { t } = useTranslation('lists');
  const before = (page - 1) * rowsPerPage;
  const last = Math.min(before + rowsPerPage, totalCount);
  return (
    <div className={classes.pages}>
      <Button variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('newer')}
      </Button>
      <span>{t('range', { from: before + 1, to: last, of: totalCount })}</span>
      <Button variant="default" disabled={last >= totalCount} onClick={() => onPage(page + 1)}>
        {t('older')}
      </Button>
    </div>
  );
};
