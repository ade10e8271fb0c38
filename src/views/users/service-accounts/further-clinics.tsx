import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../../contract/bounds.ts';
import { useAdministration } from '../../app/loaded-services.ts';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { useCountText } from '../../language/count-text.ts';
import classes from './service-accounts.module.css';

export interface Clinic {
  readonly id: string;
  readonly name: string;
}

const maxOptions = 20;
const debounceMs = 250;

interface FurtherClinicsProps {
  readonly chosen: readonly Clinic[];
  /** Id of the clinic that the account has in any case. */
  readonly excludedId: string;
  readonly onChange: (chosen: readonly Clinic[]) => void;
}

/** Searches clinics and chooses any number of them. The chosen ones stay in the list, whatever is searched. */
export const FurtherClinics = ({ chosen, excludedId, onChange }: FurtherClinicsProps) => {
  const { t } = useTranslation(['users', 'clinics']);
  const countText = useCountText();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), debounceMs);
  const { data, error, refetch, isFetching } = useQuery({
    ...useAdministration().customers({ ppage: maxOptions, ...(q !== '' && { q }) }),
    placeholderData: keepPreviousData,
  });
  const isChosen = ({ id }: Clinic) => chosen.some((clinic) => clinic.id === id);
  const found = data?.data.filter((clinic) => clinic.id !== excludedId && !isChosen(clinic)) ?? [];
  const toggle = ({ id, name }: Clinic) =>
    onChange(
      chosen.some((clinic) => clinic.id === id)
        ? chosen.filter((clinic) => clinic.id !== id)
        : [...chosen, { id, name }],
    );
  return (
    <fieldset className={classes.clinics}>
      <legend className={classes.legend}>{t('serviceFurther')}</legend>
      <TextInput
        aria-label={t('serviceFind')}
        type="search"
        placeholder={t('clinics:find')}
        maxLength={bounds.query[1]}
        autoComplete="off"
        leftSection={<IconSearch aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.offered} aria-busy={isFetching}>
        {[...chosen, ...found].map((clinic) => (
          <Checkbox key={clinic.id} label={clinic.name} checked={isChosen(clinic)} onChange={() => toggle(clinic)} />
        ))}
      </div>
      {data?.next && (
        <p className={classes.dimmed}>{t('clinics:moreMatch', { shown: data.data.length, of: countText(data) })}</p>
      )}
      {error ? <QueryFailed error={error} onRetry={() => void refetch()} /> : null}
    </fieldset>
  );
};
