import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../parts/tool-button.tsx';

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly totalCount: number;
  readonly onPage: (page: number) => void;
}

/** "11–20 of 57" and the two ways to go; nothing when everything fits on one page. */
export const Pager = ({ page, perPage, totalCount, onPage }: PagerProps) => {
  const { t } = useTranslation('search');
  if (totalCount <= perPage && page === 1) return null;
  const to = Math.min(totalCount, page * perPage);
  return (
    <>
      <span>{t('range', { from: Math.min(totalCount, (page - 1) * perPage + 1), to, count: totalCount })}</span>
      <ToolButton label={t('previousPage')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft />
      </ToolButton>
      <ToolButton label={t('nextPage')} disabled={to >= totalCount} onClick={() => onPage(page + 1)}>
        <IconChevronRight />
      </ToolButton>
    </>
  );
};
