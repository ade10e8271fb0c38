import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { useAdministration } from '../administration.ts';
import { useCountText } from '../language/count-text.ts';
import { useFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { MatchedText } from '../parts/matched-text.tsx';
import { failureOfQuery } from '../reading.tsx';
import classes from './clinic-choice.module.css';

export interface ClinicOffered {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
}

interface ClinicChoiceProps {
  readonly label: string;
  readonly chosen: ClinicOffered | null;
  readonly onChoose: (clinic: ClinicOffered) => void;
  /** A clinic that cannot be chosen here. */
  readonly without: string | null;
}

const mostOffered = 20;
const pauseMs = 250;

/** One of the clinics of the archive, however many: those that a few letters of name, number or city find. */
export const ClinicChoice = ({ label, chosen, onChoose, without }: ClinicChoiceProps) => {
  const { t } = useTranslation('clinics');
  const failureText = useFailureText();
  const countText = useCountText();
  const group = useId();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), pauseMs);
  const answer = useQuery({
    ...useAdministration().customers({ ppage: mostOffered, ...(q !== '' && { q }) }),
    placeholderData: keepPreviousData,
  });
  const offered = answer.data?.data.filter(({ id }) => id !== without) ?? [];
  return (
    <div className={classes.choice}>
      <TextInput
        label={label}
        type="search"
        data-autofocus
        placeholder={t('find')}
        maxLength={bounds.query[1]}
        autoComplete="off"
        leftSection={<IconSearch aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.offered} role="radiogroup" aria-label={label} aria-busy={answer.isFetching}>
        {offered.map((clinic) => (
          <label key={clinic.id} className={classes.clinic}>
            <input type="radio" name={group} checked={chosen?.id === clinic.id} onChange={() => onChoose(clinic)} />
            <span className={classes.name}>
              <MatchedText text={clinic.name} query={q} />
            </span>
            <span className={classes.quiet}>{clinic.city}</span>
          </label>
        ))}
        {answer.data && offered.length === 0 && <p className={classes.quiet}>{t('none')}</p>}
        {answer.error && <IconAlert>{failureText(failureOfQuery(answer.error))}</IconAlert>}
      </div>
      {answer.data?.next && (
        <p className={classes.quiet}>{t('moreMatch', { shown: offered.length, of: countText(answer.data) })}</p>
      )}
    </div>
  );
};
