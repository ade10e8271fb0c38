import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DeletedPatient, DeletedStudy } from '../../../contract/bin.ts';
import { useCountText } from '../language/count-text.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { MatchedText } from '../parts/matched-text.tsx';
import { failureOfQuery } from '../reading.tsx';
import type { RecordRights } from '../record-rights.ts';
import { useRecords } from '../records.ts';
import { momentText } from './deleted-lists.tsx';
import { nameOfPatient, nameOfPerson, nameOfStudy } from './row-names.ts';
import classes from './search.module.css';
import type { ShownPlace } from './search-place.ts';
import type { IsGone } from './use-moved.ts';

interface DeletedTooProps {
  readonly clinicId: string;
  readonly place: ShownPlace;
  readonly query: string;
  readonly rights: RecordRights;
  readonly isGone: IsGone;
  readonly onRestorePatient: (patient: DeletedPatient) => void;
  readonly onRestoreStudy: (study: DeletedStudy) => void;
}

/** So many of the recycle bin stand below a list; all of them in the bin itself. */
const mostBelow = 5;

/** What the same search finds in the recycle bin. The days are those of the deletion there, so they narrow nothing here. */
export const DeletedToo = (props: DeletedTooProps) => {
  const { clinicId, place, query, rights, isGone, onRestorePatient, onRestoreStudy } = props;
  const { t } = useTranslation('search');
  const countText = useCountText();
  const failureText = useRecordFailureText();
  const records = useRecords();
  const asked = {
    ...({ customerId: clinicId, page: 1, ppage: mostBelow, sort: 'deletedAt', order: 'desc' } as const),
    ...(query !== '' && { q: query }),
  };
  const isPatients = place.type === 'patients';
  const patients = useQuery({
    ...records.deletedPatients(asked),
    enabled: isPatients,
    placeholderData: keepPreviousData,
  });
  const studies = useQuery({
    ...records.deletedStudies(asked),
    enabled: !isPatients,
    placeholderData: keepPreviousData,
  });
  const answer = isPatients ? patients : studies;
  const lines = isPatients
    ? (patients.data?.data ?? []).map((row) => ({
        ...{ id: row.id, name: nameOfPatient(row), deletedAt: row.deletedAt, reason: rights.patient },
        onRestore: () => onRestorePatient(row),
      }))
    : (studies.data?.data ?? []).map((row) => ({
        ...{ id: row.id, deletedAt: row.deletedAt, reason: rights.study },
        name: `${nameOfStudy(row, t('untitledStudy'))}, ${nameOfPerson(row.patient)}`,
        onRestore: () => onRestoreStudy(row),
      }));
  const shown = lines.filter(({ id }) => !isGone(id, answer.dataUpdatedAt));
  return (
    <section className={classes.deleted} aria-label={t('deletedFound')}>
      <h2 className={classes.deletedTitle}>{t('deletedFound')}</h2>
      {answer.isError && <IconAlert>{failureText(failureOfQuery(answer.error))}</IconAlert>}
      {answer.isSuccess && shown.length === 0 && <p className={classes.quiet}>{t('deletedNone')}</p>}
      <ul className={classes.deletedRows}>
        {shown.map(({ id, name, deletedAt, reason, onRestore }) => (
          <li key={id}>
            <span className={classes.deletedName}>
              <MatchedText text={name} query={query} />
            </span>
            <span className={classes.quiet}>
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
        <Button size="xs" variant="subtle" onClick={() => place.change({ tab: 'bin', from: null, to: null })}>
          {t('deletedMore', { number: countText(answer.data) })}
        </Button>
      )}
    </section>
  );
};
