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
import { AgeText } from '../language/age-text.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { today } from '../parts/age.ts';
import { MatchedText } from '../parts/matched-text.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import classes from './merge.module.css';

interface FindOtherProps {
  readonly patient: Patient;
  readonly onChoose: (other: Patient) => void;
}

/** Finds the other patient, by the rules of the search box of the header. */
export const FindOther = ({ patient, onChoose }: FindOtherProps) => {
  const { t } = useTranslation(['merge', 'search']);
  const failureText = useFailureText();
  const { patients } = useReading();
  const combobox = useCombobox();
  const [text, setText] = useState('');
  const [question] = useDebouncedValue(text.trim(), searchDebounceMs);
  const asks = isSearchable(question) && isSearchable(text);
  const answer = useQuery({
    // One more than are shown: the patient may be among them.
    ...patients({ customerId: patient.customerId, q: question, page: 1, ppage: searchHits + 1 }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  const isCurrent = asks && question === text.trim() && !answer.isPlaceholderData;
  const hits = isCurrent ? (answer.data?.data ?? []).filter(({ id }) => id !== patient.id).slice(0, searchHits) : [];
  const said = () => {
    if (!asks) return t('search:counter', { typed: text.trim().length, minimum: searchMinimumCharacters });
    if (answer.isError) return failureText(failureOfQuery(answer.error));
    return isCurrent && answer.isSuccess && hits.length === 0 ? t('search:nothing', { text: question }) : null;
  };
  const message = said();
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
                <MatchedText text={`${mainInfo.lastName}, ${mainInfo.firstName}`} query={question} />
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
