import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../contract/patients.ts';
import { AgeText } from '../language/age-text.tsx';
import { useCountText } from '../language/count-text.ts';
import { PatientName } from '../language/patient-name.tsx';
import { today } from '../ui/dates.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import classes from './search-box.module.css';

interface HitListProps {
  readonly id: string;
  readonly hits: readonly Patient[];
  /** Patients with similar names, listed apart after the hits. */
  readonly similar: readonly Patient[];
  readonly query: string;
  /** The active row: hits, similar names, then "show all" where there are hits. */
  readonly chosen: number;
  readonly totalCount: number;
  readonly isTotalExact: boolean;
  /** Results of the previous query: shown, not selectable. */
  readonly isStale: boolean;
  /** Shown instead of hits. */
  readonly message: string | null;
  /** Retries; null where that cannot help. */
  readonly onRetry: (() => void) | null;
  readonly onPoint: (row: number) => void;
  readonly onPick: (row: number) => void;
}

/** Results under the search box: name, personal number, age, last study. Focus stays in the input. */
export const HitList = (props: HitListProps) => {
  const { id, hits, similar, query, chosen, totalCount, isTotalExact, isStale, message, onRetry, onPoint, onPick } =
    props;
  const { t } = useTranslation('search');
  const countText = useCountText();
  const rowProps = (row: number) => ({
    id: `${id}-${row}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': chosen === row,
    'aria-disabled': isStale || undefined,
    onPointerMove: () => !isStale && onPoint(row),
    // Prevents the input from losing focus before the click.
    onPointerDown: (event: React.PointerEvent) => event.preventDefault(),
    onMouseDown: (event: React.MouseEvent) => event.preventDefault(),
    onClick: () => !isStale && onPick(row),
  });
  const hitRow = ({ id: patientId, mainInfo }: Patient, row: number, matched: string) => (
    <div key={patientId} className={classes.hit} {...rowProps(row)}>
      <span className={classes.hitName}>
        <PatientName patient={mainInfo} query={matched} />
      </span>
      <span className={classes.dimmed}>
        <MatchedText text={mainInfo.personalNumber} query={matched} />
      </span>
      <span className={classes.dimmed}>
        <AgeText birthDate={mainInfo.birthDate} day={today()} />
      </span>
      <span className={classes.last}>{mainInfo.lastStudyDate?.slice(0, 10) ?? t('noStudy')}</span>
    </div>
  );
  return (
    <div className={classes.hits}>
      {message !== null && (
        <p className={classes.message} role="status">
          {message}
          {onRetry && (
            <button type="button" className={classes.retry} onClick={onRetry}>
              {t('retry')}
            </button>
          )}
        </p>
      )}
      <div
        id={`${id}-hits`}
        role="listbox"
        aria-label={t('hits')}
        aria-busy={isStale}
        data-stale={isStale || undefined}
      >
        {hits.map((patient, row) => hitRow(patient, row, query))}
        {similar.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div role="group" aria-labelledby={`${id}-similar`}>
            <div id={`${id}-similar`} className={classes.similar}>
              {t('similar')}
            </div>
            {similar.map((patient, row) => hitRow(patient, hits.length + row, ''))}
          </div>
        )}
        {hits.length > 0 && (
          <div className={classes.all} {...rowProps(hits.length + similar.length)}>
            {t('showAll', { count: totalCount, number: countText({ totalCount, isTotalExact }) })}
          </div>
        )}
      </div>
    </div>
  );
};
