import { NativeSelect } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconChevronsLeft from '@tabler/icons-react/dist/esm/icons/IconChevronsLeft.mjs';
import { useTranslation } from 'react-i18next';
import type { ListReply } from '../app/list-page.ts';
import { type ListUrlState, pageSizes } from '../app/list-url-state.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import { useCountText } from './count-text.ts';
import classes from './list-toolbar.module.css';

interface ListFooterProps<Sort extends string> {
  readonly list: ListUrlState<Sort>;
  /** Null while the first page loads. */
  readonly reply: ListReply<unknown> | null;
  /** Number of selected rows, on all pages. */
  readonly chosen?: number;
  readonly onForgetChosen?: () => void;
}

/** Footer of a list: row count, page size and paging. */
export const ListFooter = <Sort extends string>(props: ListFooterProps<Sort>) => {
  const { list, reply, chosen = 0, onForgetChosen } = props;
  const { t } = useTranslation('lists');
  const countText = useCountText();
  const sizes = pageSizes.some((size) => size === list.ppage)
    ? pageSizes
    : [...pageSizes, list.ppage].sort((one, other) => one - other);
  const first = (list.page - 1) * list.ppage + 1;
  return (
    <div className={classes.foot}>
      {chosen > 0 && (
        <span role="status" className={classes.chosen}>
          {t('chosen', { count: chosen })}
          <button type="button" className={classes.forget} onClick={onForgetChosen}>
            {t('forgetChosen')}
          </button>
        </span>
      )}
      <div className={classes.size}>
        <span aria-hidden="true">{t('perPage')}</span>
        <NativeSelect
          aria-label={t('perPage')}
          data={sizes.map(String)}
          value={String(list.ppage)}
          onChange={(event) => list.change({ ppage: Number(event.currentTarget.value) })}
        />
      </div>
      <span className={classes.range} role="status">
        {reply && reply.data.length > 0
          ? t('range', {
              from: countText.number(first),
              to: countText.number(first + reply.data.length - 1),
              of: countText(reply),
            })
          : reply && t('noRows')}
      </span>
      <ToolButton label={t('firstPage')} disabled={list.page <= 1} onClick={() => list.goTo(1)}>
        <IconChevronsLeft />
      </ToolButton>
      <ToolButton label={t('previousPage')} disabled={list.page <= 1} onClick={() => list.goTo(list.page - 1)}>
        <IconChevronLeft />
      </ToolButton>
      <ToolButton
        label={t('nextPage')}
        disabled={!reply?.next}
        onClick={() => list.goTo(list.page + 1, reply?.next ?? null)}
      >
        <IconChevronRight />
      </ToolButton>
    </div>
  );
};
