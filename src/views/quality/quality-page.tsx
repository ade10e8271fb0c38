import { useTranslation } from 'react-i18next';
import { dateOnly } from '../../../contract/bounds.ts';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { optional, useUrlState } from '../app/url-state.ts';
import { DateInput } from '../language/date-input.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { halfYearOf } from './period.ts';
import classes from './quality.module.css';
import { QualityReport } from './quality-report.tsx';
import { QualitySample } from './quality-sample.tsx';

interface QualityPageProps {
  readonly clinicId: string;
  /** Whether the user sees statistics of the clinic. */
  readonly mayReport: boolean;
  readonly hrefOf: (image: GalleryImage) => string;
}

const schema = { from: optional(dateOnly), to: optional(dateOnly) };

/** The quality of a clinic's images in a period: the report, and a sample to grade. */
export const QualityPage = ({ clinicId, mayReport, hrefOf }: QualityPageProps) => {
  const { t } = useTranslation(['quality', 'header']);
  const [filter, change] = useUrlState(schema);
  const halfYear = halfYearOf(new Date());
  const period = { from: filter.from ?? halfYear.from, to: filter.to ?? halfYear.to };
  const isBackwards = period.to < period.from;
  return (
    <div className={classes.page}>
      <PageHeading>{t('header:quality')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <search className={classes.period} aria-label={t('period')}>
        <DateInput
          label={t('from')}
          max={period.to}
          value={period.from}
          onChange={(from) => change({ from: from || null })}
        />
        <DateInput
          label={t('to')}
          min={period.from}
          value={period.to}
          error={isBackwards && t('invalidPeriod')}
          onChange={(to) => change({ to: to || null })}
        />
      </search>
      {!isBackwards && (
        <>
          {mayReport && <QualityReport clinicId={clinicId} period={period} />}
          <QualitySample clinicId={clinicId} period={period} hrefOf={hrefOf} />
        </>
      )}
    </div>
  );
};
