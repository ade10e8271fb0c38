import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSearchable, searchDebounceMs, searchHits } from '../../../../contract/bounds.ts';
import type { Patient } from '../../../../contract/patients.ts';
import { useFailureText } from '../../language/failure-text.ts';
import { IconAlert } from '../../parts/icon-alert.tsx';
import { failureOfQuery, useReading } from '../../reading.tsx';
import type { FoundPatient, Named } from './named.rules.ts';
import classes from './patient.module.css';
import { PatientChoice } from './patient-choice.tsx';

export const foundPatient = ({ id, mainInfo }: Patient): FoundPatient => ({
  id,
  firstName: mainInfo.firstName,
  lastName: mainInfo.lastName,
  personalNumber: mainInfo.personalNumber,
  birthDate: mainInfo.birthDate,
});

interface FindPatientProps {
  readonly clinicId: string;
  readonly named: Named | null;
  /** The one that is chosen, or is on its way to be. */
  readonly chosen: string | null;
  readonly busy: boolean;
  readonly onChoose: (patientId: string) => void;
}

/** Finds any patient of the clinic, by the rules of the search box of the header. */
export const FindPatient = ({ clinicId, named, chosen, busy, onChoose }: FindPatientProps) => {
  const { t } = useTranslation(['import-decide', 'search', 'shell']);
  const failureText = useFailureText();
  const reading = useReading();
  const [text, setText] = useState('');
  const [question] = useDebouncedValue(text.trim(), searchDebounceMs);
  const asks = isSearchable(question) && isSearchable(text);
  const answer = useQuery({
    ...reading.patients({ customerId: clinicId, q: question, page: 1, ppage: searchHits }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  const hits = asks ? answer.data : undefined;
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
        {asks && answer.isError && (
          <>
            <IconAlert>{failureText(failureOfQuery(answer.error))}</IconAlert>
            <Button variant="default" onClick={() => void answer.refetch()}>
              {t('shell:retry')}
            </Button>
          </>
        )}
        {hits?.data.length === 0 && <p className={classes.quiet}>{t('search:nothing', { text: question })}</p>}
        {hits && hits.totalCount > hits.data.length && (
          <p className={classes.quiet}>{t('moreHits', { count: hits.totalCount - hits.data.length })}</p>
        )}
      </div>
      {hits && hits.data.length > 0 && (
        <ul className={classes.choices} aria-label={t('search:hits')}>
          {hits.data.map((patient) => (
            <PatientChoice
              key={patient.id}
              patient={foundPatient(patient)}
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
