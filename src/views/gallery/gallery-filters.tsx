import { Button, Menu, NativeSelect, Popover } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { imageSource } from '../../../contract/gallery.ts';
import { DateInput } from '../language/date-input.tsx';
import { useModalityName } from '../language/modality-name.tsx';
import { useToothText } from '../language/tooth-notation.ts';
import classes from './gallery.module.css';
import { type GalleryPlace, isBackwards } from './gallery-place.ts';

interface GalleryFiltersProps {
  readonly place: GalleryPlace;
  /** Those that the clinic's images have. */
  readonly modalities: readonly string[];
  readonly renderTeeth: (teeth: readonly number[], onChange: (teeth: readonly number[]) => void) => ReactNode;
}

/** Above so many teeth their number is said, not which. */
const mostNamed = 4;

const without = <Item,>(items: readonly Item[], item: Item): Item[] => items.filter((one) => one !== item);

/** What narrows the gallery, on one line. */
export const GalleryFilters = ({ place, modalities, renderTeeth }: GalleryFiltersProps) => {
  const { t } = useTranslation(['gallery', 'patient']);
  const modalityName = useModalityName();
  const toothText = useToothText();
  const { filter, narrow } = place;
  const known = [...new Set([...modalities, ...filter.modalities])];
  const chevron = <IconChevronDown aria-hidden="true" />;
  const teethText = () => {
    if (filter.teeth.length === 0) return t('teeth');
    if (filter.teeth.length > mostNamed) return t('teethCount', { count: filter.teeth.length });
    return t('teethChosen', { teeth: toothText(filter.teeth) });
  };
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={chevron} data-on={filter.modalities.length > 0 || undefined}>
            {filter.modalities.length === 0
              ? t('modality')
              : t('modalityChosen', { codes: filter.modalities.join(', ') })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {known.length === 0 && <Menu.Label>{t('noModalities')}</Menu.Label>}
          {known.map((code) => (
            <Menu.CheckboxItem
              key={code}
              checked={filter.modalities.includes(code)}
              onChange={(on) =>
                narrow({ modalities: on ? [...filter.modalities, code] : without(filter.modalities, code) })
              }
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
        error={isBackwards(filter) && t('daysWrong')}
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
      {place.isNarrowed && (
        <Button variant="subtle" onClick={place.clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
};
