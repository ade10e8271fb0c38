import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoseSum, PatientDose } from '../../../../contract/dose.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { LazyDetails } from '../../ui/lazy-details.tsx';
import classes from './dose.module.css';

const units = {
  tubeVoltageKv: 'kV',
  tubeCurrentMa: 'mA',
  exposureTimeMs: 'ms',
  areaDoseMgyCm2: 'mGy·cm²',
  entranceDoseMgy: 'mGy',
  exposureIndex: '',
  targetExposureIndex: '',
  deviationIndex: '',
} as const;

type ExposureField = keyof typeof units;
const exposureFields = Object.keys(units) as ExposureField[];

/** Returns the text of a stated value with its unit, or that it is not stated. */
const useExposureText = () => {
  const { t, i18n } = useTranslation('dose');
  const format = new Intl.NumberFormat(i18n.language, { maximumSignificantDigits: 6, useGrouping: false });
  return (field: ExposureField, value: number | null): string =>
    value === null ? t('notStated') : `${format.format(value)}\u00a0${units[field]}`.trim();
};

/** Shown while a dose is loaded, or says why it was not. */
const DoseLoading = ({ error }: { readonly error: unknown }) => {
  const { t } = useTranslation('dose');
  const failureText = useRecordFailureText();
  if (!error) return <Loader size="xs" />;
  return <IconAlert>{t('failed', { reason: failureText(failureOfQuery(error)) })}</IconAlert>;
};

const StatedValues = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('dose');
  const exposureText = useExposureText();
  const { data, error } = useQuery(useAppQueries().imageDose(id));
  if (!data) return <DoseLoading error={error} />;
  return (
    <dl className={classes.values}>
      {exposureFields.map((field) => (
        <div key={field} data-missing={data[field] === null || undefined}>
          <dt>{t(field)}</dt>
          <dd>{exposureText(field, data[field])}</dd>
        </div>
      ))}
    </dl>
  );
};

/** How an image was exposed, as its file states it. It stays open when another image becomes active. */
export const ImageDoseFold = ({ id }: { readonly id: string }) => (
  <LazyDetails title={useTranslation('dose').t('imageTitle')}>
    <StatedValues id={id} />
  </LazyDetails>
);

interface SumLineProps {
  readonly title: string;
  readonly sum: DoseSum;
}

/** A name, its sum, and how many exposures have a part in it. */
const SumLine = ({ title, sum }: SumLineProps) => {
  const { t } = useTranslation('dose');
  const exposureText = useExposureText();
  return (
    <>
      <span className={classes.sum}>
        <span>{title}</span>
        <span>{exposureText('areaDoseMgyCm2', sum.areaDoseMgyCm2)}</span>
      </span>
      <span className={classes.dimmed}>{t('exposures', { count: sum.exposures, stated: sum.stated })}</span>
    </>
  );
};

interface YearProps {
  readonly year: PatientDose['years'][number];
  readonly medians: PatientDose['medians'];
}

const Year = ({ year, medians }: YearProps) => {
  const { t } = useTranslation(['dose', 'tooth-history']);
  const exposureText = useExposureText();
  return (
    <li>
      <div className={classes.ofYear}>
        <SumLine title={year.year === null ? t('noDate') : String(year.year)} sum={year} />
      </div>
      <ul className={classes.kinds}>
        {year.kinds.map((sum) => {
          const median = medians.find(({ kind }) => kind === sum.kind);
          return (
            <li key={sum.kind}>
              <SumLine title={t(`tooth-history:kind-${sum.kind}`)} sum={sum} />
              <span className={classes.dimmed}>
                {median
                  ? t('median', {
                      dose: exposureText('areaDoseMgyCm2', median.areaDoseMgyCm2),
                      count: median.exposures,
                    })
                  : t('noMedian')}
              </span>
            </li>
          );
        })}
      </ul>
    </li>
  );
};

const Years = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('dose');
  const { data, error } = useQuery(useAppQueries().patientDose(id));
  if (!data) return <DoseLoading error={error} />;
  return (
    <div className={classes.patient}>
      {data.years.length === 0 ? (
        <p className={classes.dimmed}>{t('none')}</p>
      ) : (
        <p className={classes.dimmed}>{t('explanation')}</p>
      )}
      {data.unread > 0 && <p role="status">{t('unread', { count: data.unread })}</p>}
      <ol className={classes.years}>
        {data.years.map((year) => (
          <Year key={year.year} year={year} medians={data.medians} />
        ))}
      </ol>
    </div>
  );
};

/** Sums of the doses that the files of a patient state, by year, beside the medians of the clinic. Use the id as `key`. */
export const PatientDoseFold = ({ id }: { readonly id: string }) => (
  <LazyDetails title={useTranslation('dose').t('patientTitle')}>
    <Years id={id} />
  </LazyDetails>
);
