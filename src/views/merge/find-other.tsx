import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Combobox.css';
import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  bounds,
  isSearchable,
  searchDebounceMs,
  searchHits,
  searchMinimumCharacters,
} from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { AgeText } from '../language/age-text.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { PatientName } from '../language/patient-name.tsx';
import { ProtectedMark } from '../language/protected-mark.tsx';
import { today } from '../ui/dates.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import classes from './merge.module.css';

interface PatientFactsProps {
  /** "From" or "To". */
  readonly role: string;
  readonly patient: Patient | null;
  /** Shown while no patient is chosen. */
  readonly emptyText: string;
}

/** One side of a merge with the identifying attributes of the patient. */
export const PatientFacts = ({ role, patient, emptyText }: PatientFactsProps) => (
  <section className={classes.side} aria-label={role}>
    <h3 className={classes.role}>{role}</h3>
    {patient ? (
      <>
        <p className={classes.name}>
          {patient.mainInfo.firstName} {patient.mainInfo.lastName}
          <ProtectedMark of={patient.mainInfo} />
        </p>
        <p className={classes.fact}>{patient.mainInfo.personalNumber}</p>
        {patient.mainInfo.birthDate && (
          <p className={classes.fact}>
            {patient.mainInfo.birthDate}, <AgeText birthDate={patient.mainInfo.birthDate} day={today()} />
          </p>
        )}
      </>
    ) : (
      <p className={classes.fact}>{emptyText}</p>
    )}
  </section>
);

interface FindOtherProps {
  readonly customerId: string;
  /** The patient to exclude from the results. */
  readonly patientId: string;
  readonly onChoose: (other: Patient) => void;
}

/** Searches the other patient by the rules of the header's search box. */
export const FindOther = ({ customerId, patientId, onChoose }: FindOtherProps) => {
  const { t } = useTranslation(['merge', 'search']);
  const failureText = useFailureText();
  const { patients } = useAppQueries();
  const combobox = useCombobox();
  const [text, setText] = useState('');
  const [question] = useDebouncedValue(text.trim(), searchDebounceMs);
  const isSearching = isSearchable(question) && isSearchable(text);
  const answer = useQuery({
    // One more than displayed, because the excluded patient may be among them.
    ...patients({ customerId, q: question, page: 1, ppage: searchHits + 1 }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const isCurrent = isSearching && question === text.trim() && !answer.isPlaceholderData;
  const hits = isCurrent ? (answer.data?.data ?? []).filter(({ id }) => id !== patientId).slice(0, searchHits) : [];
  const statusText = () => {
    if (!isSearching) return t('search:counter', { typed: text.trim().length, minimum: searchMinimumCharacters });
    if (answer.isError) return failureText(failureOfQuery(answer.error));
    return isCurrent && answer.isSuccess && hits.length === 0 ? t('search:nothing', { text: question }) : null;
  };
  const message = statusText();
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const other = hits.find((hit) => hit.id === id);
        if (other) onChoose(other);
      }}
    >
      <Combobox.Target>
        <TextInput
          data-autofocus
          className={classes.find}
          label={t('find')}
          placeholder={t('search:boxHint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={bounds.query[1]}
          rightSection={answer.isFetching ? <Loader size={16} type="oval" aria-label={t('search:searching')} /> : null}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onFocus={() => text !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        {message !== null && <p className={classes.message}>{message}</p>}
        <Combobox.Options aria-label={t('search:hits')}>
          {hits.map(({ id, mainInfo }) => (
            <Combobox.Option key={id} value={id} className={classes.hit}>
              <span>
                <PatientName patient={mainInfo} query={question} />
              </span>
              <span className={classes.fact}>
                <MatchedText text={mainInfo.personalNumber} query={question} />
              </span>
              <span className={classes.fact}>
                <AgeText birthDate={mainInfo.birthDate} day={today()} />
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
