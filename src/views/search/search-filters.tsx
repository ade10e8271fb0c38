import { Checkbox, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DateInput } from '../language/date-input.tsx';
import { today } from '../parts/age.ts';
import classes from './search.module.css';
import { isBackwards, type ShownPlace, searchTypes } from './search-place.ts';

/** Patients or studies, and the days: of the last study, of the study, or of the deletion. */
export const SearchFilters = ({ place, mayOpenBin }: { readonly place: ShownPlace; readonly mayOpenBin: boolean }) => {
  const { t } = useTranslation('search');
  const day = today();
  const days = place.tab === 'bin' ? 'daysBin' : place.type === 'patients' ? 'daysPatients' : 'daysStudies';
  const wrong = isBackwards(place, day);
  return (
    <>
      <SegmentedControl
        aria-label={t('type')}
        value={place.type}
        onChange={(wanted) => {
          const type = searchTypes.find((one) => one === wanted);
          if (type) place.change({ type });
        }}
        data={searchTypes.map((value) => ({ value, label: t(value) }))}
      />
      <fieldset className={classes.days} title={t(days)}>
        <legend className={classes.spoken}>{t(days)}</legend>
        <DateInput
          className={classes.day}
          labelClassName={classes.dayName}
          label={t('from')}
          max={place.to ?? day}
          value={place.from ?? ''}
          onChange={(from) => place.change({ from: from || null })}
        />
        <DateInput
          className={classes.day}
          labelClassName={classes.dayName}
          label={t('to')}
          min={place.from ?? undefined}
          value={place.to ?? day}
          error={wrong && t('daysWrong')}
          // Today is what is meant anyhow, tomorrow too.
          onChange={(to) => place.change({ to: to === '' || to === day ? null : to })}
        />
      </fieldset>
      {mayOpenBin && place.tab === 'all' && (
        <Checkbox
          label={t('deletedToo')}
          checked={place.deletedToo}
          onChange={(event) => place.change({ deletedToo: event.currentTarget.checked })}
        />
      )}
    </>
  );
};
