import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeletedPatient, DeletedStudy } from '../../../contract/recycle-bin.ts';
import { useRecords } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import type { RecordRights } from '../app/rights.ts';
import { useCountText } from '../language/count-text.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { MatchedText } from '../ui/matched-text.tsx';
import { momentText } from './deleted-lists.tsx';
import type { IsGone } from './found-list.tsx';
import { fullName, nameOfPatient, nameOfStudy } from './row-names.ts';
import classes from './search.module.css';
import type { SearchUrl } from './search-url.ts';

interface DeletedTooProps {
  readonly clinicId: string;
  readonly url: SearchUrl;
  readonly query: string;
  readonly rights: RecordRights;
  readonly isGone: IsGone;
  readonly onRestorePatient: (patient: DeletedPatient) => void;
  readonly onRestoreStudy: (study: DeletedStudy) => void;
}

/** Maximum number of deleted records below a list; the recycle bin shows all. */
const maxBelow = 5;

/** Shows results of the same search in the recycle bin. The period does not apply: there it means the deletion date. */
export const DeletedToo = (props: DeletedTooProps) => {
  const { clinicId, url, query, rights, isGone, onRestorePatient, onRestoreStudy } = props;
  const { t } = useTranslation('search');
  const countText = useCountText();
  const failureText = useRecordFailureText();
  const records = useRecords();
  const request = {
    ...({ customerId: clinicId, page: 1, ppage: maxBelow, sort: 'deletedAt', order: 'desc' } as const),
    ...(query !== '' && { q: query }),
  };
  const isPatients = url.type === 'patients';
  const patients = useQuery({
    ...records.deletedPatients(request),
    enabled: isPatients,
    placeholderData: keepPreviousData,
  });
  const studies = useQuery({
    ...records.deletedStudies(request),
    enabled: !isPatients,
    placeholderData: keepPreviousData,
  });
  const answer = isPatients ? patients : studies;
  const lines = isPatients
    ? (patients.data?.data ?? []).map((row) => ({
        id: row.id,
        name: nameOfPatient(row),
        deletedAt: row.deletedAt,
        reason: rights.patient,
        onRestore: () => onRestorePatient(row),
      }))
    : (studies.data?.data ?? []).map((row) => ({
        id: row.id,
        deletedAt: row.deletedAt,
        reason: rights.study,
        name: `${nameOfStudy(row, t('untitledStudy'))}, ${fullName(row.patient)}`,
        onRestore: () => onRestoreStudy(row),
      }));
  const shown = lines.filter(({ id }) => !isGone(id, answer.dataUpdatedAt));
  return (
    <section className={classes.below} aria-label={t('deletedFound')}>
      <h2 className={classes.belowTitle}>{t('deletedFound')}</h2>
      {answer.isError && <IconAlert>{failureText(failureOfQuery(answer.error))}</IconAlert>}
      {answer.isSuccess && shown.length === 0 && <p className={classes.dimmed}>{t('deletedNone')}</p>}
      <ul className={classes.belowRows}>
        {shown.map(({ id, name, deletedAt, reason, onRestore }) => (
          <li key={id}>
            <span className={classes.belowName}>
              <MatchedText text={name} query={query} />
            </span>
            <span className={classes.dimmed}>
              {t('deletedAt')} {momentText(deletedAt)}
            </span>
            <Button
              size="xs"
              variant="default"
              disabled={reason !== null}
              title={reason ?? undefined}
              aria-label={t('restore', { name })}
              onClick={onRestore}
            >
              {t('restoreShort')}
            </Button>
          </li>
        ))}
      </ul>
      {answer.data && answer.data.totalCount > lines.length && (
        <Button size="xs" variant="subtle" onClick={() => url.change({ tab: 'bin', from: null, to: null })}>
          {t('deletedMore', { number: countText(answer.data) })}
        </Button>
      )}
    </section>
  );
};
