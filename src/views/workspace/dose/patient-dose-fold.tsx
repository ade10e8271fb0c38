import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoseSum, PatientDose } from '../../../../contract/dose.ts';
import { useAppQueries } from '../../app/queries-context.tsx';
import { LazyDetails } from '../../ui/lazy-details.tsx';
import classes from './dose.module.css';
import { DoseLoading } from './dose-loading.tsx';
import { useExposureText } from './dose-texts.ts';

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
