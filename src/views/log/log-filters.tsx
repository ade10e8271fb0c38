import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  accessAction,
  accessActions,
  accessPattern,
  accessPatterns,
  manyPatients,
} from '../../../contract/access-log.ts';
import { isSearchable, searchDebounceMs, searchHits } from '../../../contract/bounds.ts';
import { useAppContext } from '../app/app-context.tsx';
import { type ReadQuery, useAppQueries } from '../app/queries-context.tsx';
import { DateInput } from '../language/date-input.tsx';
import classes from './log.module.css';
import { isBackwards, type LogFilter } from './log-filter.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface RemoteSelectProps<Found> {
  readonly label: string;
  readonly className?: string | undefined;
  readonly placeholder: string;
  /** Shown in the list while the text is too short or has no matches. */
  readonly hint: string;
  readonly nothing: string;
  readonly disabled?: boolean;
  readonly chosen: Choice | null;
  readonly canSearch: (text: string) => boolean;
  readonly find: (text: string) => ReadQuery<Found>;
  readonly choicesOf: (found: Found) => readonly Choice[];
  readonly onChoose: (choice: Choice | null) => void;
}

/** Select whose options are searched on the server. */
const RemoteSelect = <Found,>(props: RemoteSelectProps<Found>) => {
  const { label, className, placeholder, hint, nothing, disabled = false, chosen, canSearch, find, choicesOf } = props;
  const [text, setText] = useState(chosen?.label ?? '');
  const searchText = text === chosen?.label ? '' : text.trim();
  const [debouncedText] = useDebouncedValue(searchText, searchDebounceMs);
  const isSearching = canSearch(debouncedText) && canSearch(searchText);
  const results = useQuery({
    ...find(debouncedText),
    enabled: !disabled && isSearching,
    placeholderData: keepPreviousData,
  });
  const found = isSearching && results.data !== undefined ? choicesOf(results.data) : [];
  const others = found.filter(({ value }) => value !== chosen?.value);
  return (
    <Select
      label={label}
      className={className}
      placeholder={placeholder}
      data={chosen ? [chosen, ...others] : others}
      value={chosen?.value ?? null}
      searchable
      clearable
      disabled={disabled}
      searchValue={text}
      onSearchChange={setText}
      // The server has already filtered the options; while the user types, the selected option is hidden too.
      filter={({ options }) =>
        searchText === '' ? options : options.filter((one) => 'value' in one && one.value !== chosen?.value)
      }
      nothingFoundMessage={isSearching && results.isSuccess ? nothing : hint}
      onChange={(value) =>
        props.onChoose(others.find((choice) => choice.value === value) ?? (value === null ? null : chosen))
      }
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
      autoComplete="off"
    />
  );
};

interface LogFiltersProps {
  readonly filter: LogFilter;
  /** Null: the user can read the logs of all clinics and choose one. */
  readonly ownClinicId: string | null;
  /** The selected options, with names as far as known. */
  readonly user: Choice | null;
  readonly patient: Choice | null;
  readonly clinic: Choice | null;
  readonly onChange: (
    change: Partial<LogFilter>,
    names?: { readonly patient?: Choice; readonly clinic?: Choice },
  ) => void;
  readonly onClear: () => void;
}

const maxClinics = 50;

/** Filter bar of the access log. */
export const LogFilters = ({ filter, ownClinicId, user, patient, clinic, onChange, onClear }: LogFiltersProps) => {
  const { t } = useTranslation('log');
  const { accessLog, administration } = useAppContext();
  const queries = useAppQueries();
  const clinicId = ownClinicId ?? filter.clinic;
  const users = useQuery({
    queryKey: ['access-log-users', clinicId],
    queryFn: async ({ signal }) =>
      (await accessLog()).users(ownClinicId === null && clinicId !== null ? { customerId: clinicId } : {}, signal),
  });
  const known = users.data ?? [];
  const userChoices = known.map(({ id, name, email }) => ({
    value: id,
    // Users with the same name are distinguished by e-mail address.
    label: known.some((other) => other.name === name && other.id !== id) ? `${name} (${email})` : name,
  }));
  // Users without a clinic and former users are not in the list.
  const isListed = user === null || userChoices.some(({ value }) => value === user.value);
  const isNarrowed = Object.values(filter).some((value) => value !== null);
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <DateInput
        className={classes.day}
        label={t('from')}
        max={filter.to ?? undefined}
        value={filter.from ?? ''}
        onChange={(from) => onChange({ from: from || null })}
      />
      <DateInput
        className={classes.day}
        label={t('to')}
        min={filter.from ?? undefined}
        value={filter.to ?? ''}
        error={isBackwards(filter) && t('invalidPeriod')}
        onChange={(to) => onChange({ to: to || null })}
      />
      {ownClinicId === null && (
        <RemoteSelect
          key={`clinic ${clinic?.label ?? ''}`}
          className={classes.choice}
          label={t('clinic')}
          placeholder={t('everything')}
          hint={t('everything')}
          nothing={t('emptyTitle')}
          chosen={clinic}
          canSearch={() => true}
          find={(q) => ({
            queryKey: ['log-clinics', q],
            queryFn: async (context) =>
              (await administration()).customers({ ppage: maxClinics, ...(q !== '' && { q }) }).queryFn(context),
          })}
          choicesOf={({ data }) => data.map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(choice) =>
            onChange({ clinic: choice?.value ?? null, person: null, patient: null }, choice ? { clinic: choice } : {})
          }
        />
      )}
      <Select
        className={classes.choice}
        label={t('person')}
        placeholder={t('allUsers')}
        data={isListed ? userChoices : [user, ...userChoices]}
        value={filter.person}
        searchable
        clearable
        maxDropdownHeight={320}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => onChange({ person: value })}
      />
      <RemoteSelect
        key={`patient ${patient?.label ?? ''} ${clinicId}`}
        className={classes.choice}
        label={t('patient')}
        placeholder={clinicId === null ? t('patientNeedsClinic') : t('patientHint')}
        hint={t('patientSearch')}
        nothing={t('patientNone')}
        disabled={clinicId === null && patient === null}
        chosen={patient}
        canSearch={(text) => clinicId !== null && isSearchable(text)}
        find={(q) => queries.patients({ customerId: clinicId ?? '', q, page: 1, ppage: searchHits })}
        choicesOf={({ data }) =>
          data.map(({ id, mainInfo }) => ({
            value: id,
            label: `${mainInfo.firstName} ${mainInfo.lastName}, ${mainInfo.personalNumber}`,
          }))
        }
        onChoose={(choice) => onChange({ patient: choice?.value ?? null }, choice ? { patient: choice } : {})}
      />
      <Select
        className={classes.choice}
        label={t('action')}
        placeholder={t('everything')}
        data={accessActions.map((action) => ({ value: action, label: t(action) }))}
        value={filter.action}
        searchable
        clearable
        maxDropdownHeight={320}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(action) => onChange({ action: accessAction.safeParse(action).data ?? null })}
      />
      <Select
        className={classes.choice}
        label={t('pattern')}
        placeholder={t('everything')}
        data={accessPatterns.map((pattern) => ({
          value: pattern,
          label: t(`pattern-${pattern}`, { many: manyPatients }),
        }))}
        value={filter.pattern}
        clearable
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(pattern) => onChange({ pattern: accessPattern.safeParse(pattern).data ?? null })}
      />
      {isNarrowed && (
        <Button variant="subtle" className={classes.clear} onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
};
