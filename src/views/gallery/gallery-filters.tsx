import { Button, Menu, NativeSelect, Popover } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconSortAscending from '@tabler/icons-react/dist/esm/icons/IconSortAscending.mjs';
import IconSortDescending from '@tabler/icons-react/dist/esm/icons/IconSortDescending.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type GallerySort, gallerySorts, imageSource } from '../../../contract/gallery.ts';
import type { ListUrlState } from '../app/list-url-state.ts';
import { DateInput } from '../language/date-input.tsx';
import { useModalityName } from '../language/modality-name.tsx';
import { useToothText } from '../language/tooth-notation.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import classes from './gallery.module.css';
import { type GalleryUrl, isBackwards } from './gallery-url.ts';

interface GalleryFiltersProps {
  readonly url: GalleryUrl;
  /** Modalities that occur in the clinic. */
  readonly modalities: readonly string[];
  readonly renderTeeth: (teeth: readonly number[], onChange: (teeth: readonly number[]) => void) => ReactNode;
}

/** Above this number of teeth only the count is shown. */
const maxNamed = 4;

const without = <Item,>(items: readonly Item[], item: Item): Item[] => items.filter((one) => one !== item);

/** Filter bar of the gallery. */
export const GalleryFilters = ({ url, modalities, renderTeeth }: GalleryFiltersProps) => {
  const { t } = useTranslation(['gallery', 'patient']);
  const modalityName = useModalityName();
  const toothText = useToothText();
  const { filter, narrow } = url;
  const known = [...new Set([...modalities, ...filter.modality])];
  const chevron = <IconChevronDown aria-hidden="true" />;
  const teethText = () => {
    if (filter.teeth.length === 0) return t('teeth');
    if (filter.teeth.length > maxNamed) return t('teethCount', { count: filter.teeth.length });
    return t('teethChosen', { teeth: toothText(filter.teeth) });
  };
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={chevron} data-on={filter.modality.length > 0 || undefined}>
            {filter.modality.length === 0 ? t('modality') : t('modalityChosen', { codes: filter.modality.join(', ') })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {known.length === 0 && <Menu.Label>{t('noModalities')}</Menu.Label>}
          {known.map((code) => (
            <Menu.CheckboxItem
              key={code}
              checked={filter.modality.includes(code)}
              onChange={(on) => narrow({ modality: on ? [...filter.modality, code] : without(filter.modality, code) })}
            >
              {modalityName(code) === code ? code : `${modalityName(code)} (${code})`}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <DateInput
        className={classes.day}
        isBare
        label={t('from')}
        max={filter.to ?? undefined}
        value={filter.from ?? ''}
        onChange={(from) => narrow({ from: from || null })}
      />
      <DateInput
        className={classes.day}
        isBare
        label={t('to')}
        min={filter.from ?? undefined}
        value={filter.to ?? ''}
        error={isBackwards(filter) && t('invalidPeriod')}
        onChange={(to) => narrow({ to: to || null })}
      />
      <Popover position="bottom" width={560} withinPortal trapFocus returnFocus shadow="md">
        <Popover.Target>
          <Button variant="default" rightSection={chevron} data-on={filter.teeth.length > 0 || undefined}>
            {teethText()}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={classes.teeth} aria-label={t('teeth')}>
          {renderTeeth(filter.teeth, (teeth) => narrow({ teeth }))}
          <Button
            variant="subtle"
            disabled={filter.teeth.length === 0}
            className={classes.clear}
            onClick={() => narrow({ teeth: [] })}
          >
            {t('clearTeeth')}
          </Button>
        </Popover.Dropdown>
      </Popover>
      <NativeSelect
        aria-label={t('source')}
        value={filter.source ?? ''}
        data={[
          { value: '', label: t('allSources') },
          ...imageSource.options.map((source) => ({
            value: source,
            label: source === 'dicom' ? t('patient:sourceDicom') : t('patient:sourcePicture'),
          })),
        ]}
        onChange={(event) => narrow({ source: imageSource.safeParse(event.currentTarget.value).data ?? null })}
      />
      {url.isNarrowed && (
        <Button variant="subtle" onClick={url.clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
};

/** Sort control for the grid, which has no column headers. */
export const GalleryOrder = ({ list }: { readonly list: ListUrlState<GallerySort> }) => {
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
