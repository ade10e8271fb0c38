import { Loader, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSearchable, searchDebounceMs, searchHits } from '../../../../contract/bounds.ts';
import type { Patient } from '../../../../contract/patients.ts';
import { useAppQueries } from '../../app/queries-context.tsx';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { ProtectedMark } from '../../language/protected-mark.tsx';
import { comparison, type FileIdentity, type FoundPatient } from './identity.rules.ts';
import classes from './patient.module.css';

interface PatientChoiceProps {
  readonly patient: FoundPatient;
  readonly named: FileIdentity | null;
  /** How they match; null: unknown. */
  readonly match: 'same' | 'possible' | null;
  readonly chosen: boolean;
  readonly busy: boolean;
  readonly onChoose: () => void;
}

/** A patient to choose, with the reasons for the suggestion. */
export const PatientChoice = ({ patient, named, match, chosen, busy, onChoose }: PatientChoiceProps) => {
  const { t } = useTranslation('import-decide');
  const { alike, apart } = comparison(named, patient);
  return (
    <li>
      <UnstyledButton
        className={classes.choice}
        data-match={match ?? undefined}
        aria-pressed={chosen}
        disabled={busy}
        onClick={onChoose}
      >
        <span className={classes.name}>
          {patient.lastName}, {patient.firstName}
          <ProtectedMark of={patient} />
        </span>
        <span className={classes.digits}>
          {[patient.personalNumber, patient.birthDate].filter(Boolean).join(' · ')}
        </span>
        <span className={classes.reasons}>
          {alike.map((facet) => (
            <span key={facet} data-tone="good">
              {t(`alike-${facet}`)}
            </span>
          ))}
          {apart.map((facet) => (
            <span key={facet} data-tone="bad">
              {t(`apart-${facet}`)}
            </span>
          ))}
        </span>
        {busy && chosen && <Loader size={16} type="oval" aria-label={t('comparing')} />}
      </UnstyledButton>
    </li>
  );
};

export const fetchFoundPatient = ({ id, mainInfo }: Patient): FoundPatient => ({
  id,
  firstName: mainInfo.firstName,
  lastName: mainInfo.lastName,
  personalNumber: mainInfo.personalNumber,
  birthDate: mainInfo.birthDate,
  protectedIdentity: mainInfo.protectedIdentity,
});

interface FindPatientProps {
  readonly clinicId: string;
  readonly named: FileIdentity | null;
  /** The chosen patient, or the one being sent. */
  readonly chosen: string | null;
  readonly busy: boolean;
  readonly onChoose: (patientId: string) => void;
}

/** Searches patients of the clinic by the rules of the header's search box. */
export const FindPatient = ({ clinicId, named, chosen, busy, onChoose }: FindPatientProps) => {
  const { t } = useTranslation(['import-decide', 'search', 'shell']);
  const queries = useAppQueries();
  const [text, setText] = useState('');
  const [question] = useDebouncedValue(text.trim(), searchDebounceMs);
  const isSearching = isSearchable(question) && isSearchable(text);
  const answer = useQuery({
    ...queries.patients({ customerId: clinicId, q: question, page: 1, ppage: searchHits }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const hits = isSearching ? answer.data : undefined;
  return (
    <div className={classes.find}>
      <TextInput
        label={t('find')}
        placeholder={t('search:boxHint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={30}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div aria-live="polite">
        {isSearching && answer.isError && <QueryFailed error={answer.error} onRetry={() => void answer.refetch()} />}
        {hits?.data.length === 0 && <p className={classes.dimmed}>{t('search:nothing', { text: question })}</p>}
        {hits && hits.totalCount > hits.data.length && (
          <p className={classes.dimmed}>{t('moreHits', { count: hits.totalCount - hits.data.length })}</p>
        )}
      </div>
      {hits && hits.data.length > 0 && (
        <ul className={classes.choices} aria-label={t('search:hits')}>
          {hits.data.map((patient) => (
            <PatientChoice
              key={patient.id}
              patient={fetchFoundPatient(patient)}
              named={named}
              match={null}
              chosen={patient.id === chosen}
              busy={busy}
              onChoose={() => onChoose(patient.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
};
