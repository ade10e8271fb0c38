import { NativeSelect } from '@mantine/core';
import IconSortAscending from '@tabler/icons-react/dist/esm/icons/IconSortAscending.mjs';
import IconSortDescending from '@tabler/icons-react/dist/esm/icons/IconSortDescending.mjs';
import { useTranslation } from 'react-i18next';
import { type GallerySort, gallerySorts } from '../../../contract/gallery.ts';
import type { ListPlace } from '../list-place.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import classes from './gallery.module.css';

/** By what the images are sorted, where there are no headings to press. */
export const GalleryOrder = ({ list }: { readonly list: ListPlace<GallerySort> }) => {
  const { t } = useTranslation('gallery');
  return (
    <div className={classes.order}>
      <NativeSelect
        aria-label={t('sort')}
        value={list.sort}
        data={gallerySorts.map((sort) => ({ value: sort, label: t(`sort-${sort}`) }))}
        onChange={(event) => {
          const sort = gallerySorts.find((one) => one === event.currentTarget.value);
          if (sort) list.change({ sort });
        }}
      />
      <ToolButton
        label={list.order === 'asc' ? t('ascending') : t('descending')}
        onClick={() => list.change({ order: list.order === 'asc' ? 'desc' : 'asc' })}
      >
        {list.order === 'asc' ? <IconSortAscending /> : <IconSortDescending />}
      </ToolButton>
    </div>
  );
};
