import { Checkbox, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { waitingReasons } from '../../../contract/day-lists.ts';
import { DateInput } from '../language/date-input.tsx';
import { today } from '../ui/dates.ts';
import classes from './search.module.css';
import { dayListOf, isBackwards, type SearchUrl, searchTypes } from './search-url.ts';

const everyReason = 'every';

/** Limits the waiting patients to one reason. */
const ReasonFilter = ({ url }: { readonly url: SearchUrl }) => {
  const { t } = useTranslation('search');
  return (
    <SegmentedControl
      className={classes.types}
      aria-label={t('waits')}
      value={url.reason ?? everyReason}
      onChange={(choice) => url.change({ reason: waitingReasons.find((one) => one === choice) ?? null })}
      data={[
        { value: everyReason, label: t('all') },
        ...waitingReasons.map((value) => ({ value, label: t(`reason-${value}`) })),
      ]}
    />
  );
};

/** Filters for patients or studies and a period: of the last study, of the study, or of the deletion. */
export const SearchFilters = ({
  url,
  canOpenRecycleBin,
}: {
  readonly url: SearchUrl;
  readonly canOpenRecycleBin: boolean;
}) => {
  const { t } = useTranslation('search');
  const day = today();
  const days = url.tab === 'bin' ? 'daysBin' : url.type === 'patients' ? 'daysPatients' : 'daysStudies';
  const wrong = isBackwards(url, day);
  if (dayListOf(url.tab)) return url.tab === 'waiting' && <ReasonFilter url={url} />;
  return (
    <>
      <SegmentedControl
        className={classes.types}
        aria-label={t('type')}
        value={url.type}
        onChange={(choice) => {
          const type = searchTypes.find((one) => one === choice);
          if (type) url.change({ type });
        }}
        data={searchTypes
          .filter((type) => type !== 'contents' || url.tab === 'bin')
          .map((value) => ({ value, label: t(value) }))}
      />
      <fieldset className={classes.days} title={t(days)}>
        <legend className={classes.visuallyHidden}>{t(days)}</legend>
        <DateInput
          className={classes.day}
          label={t('from')}
          max={url.to ?? day}
          value={url.from ?? ''}
          onChange={(from) => url.change({ from: from || null })}
        />
        <DateInput
          className={classes.day}
          label={t('to')}
          min={url.from ?? undefined}
          value={url.to ?? day}
          error={wrong && t('invalidPeriod')}
          // Today and later dates mean "until today".
          onChange={(to) => url.change({ to: to === '' || to === day ? null : to })}
        />
      </fieldset>
      {canOpenRecycleBin && url.tab === 'all' && (
        <Checkbox
          label={t('includeDeleted')}
          checked={url.deleted}
          onChange={(event) => url.change({ deleted: event.currentTarget.checked })}
        />
      )}
    </>
  );
};
