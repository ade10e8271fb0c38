import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type AccessAction, accessActions } from '../../../contract/access-log.ts';
import { isSearchable, searchHits } from '../../../contract/bounds.ts';
import { useGround } from '../ground.tsx';
import { DateInput } from '../language/date-input.tsx';
import { useReading } from '../reading.tsx';
import { AskedSelect, type Choice } from './asked-select.tsx';
import classes from './log.module.css';
import { isBackwards, type LogFilter } from './log-place.ts';

interface LogFiltersProps {
  readonly filter: LogFilter;
  /** Null: the person reads the log of every clinic, and chooses among them. */
  readonly ownClinicId: string | null;
  /** What is chosen, by name as far as it is known. */
  readonly person: Choice | null;
  readonly patient: Choice | null;
  readonly clinic: Choice | null;
  readonly onChange: (
    change: Partial<LogFilter>,
    names?: { readonly patient?: Choice; readonly clinic?: Choice },
  ) => void;
  readonly onClear: () => void;
}

const mostClinics = 50;
const isAction = (value: string | null): value is AccessAction => accessActions.some((action) => action === value);

/** What narrows the log, on one line. */
export const LogFilters = ({ filter, ownClinicId, person, patient, clinic, onChange, onClear }: LogFiltersProps) => {
  const { t } = useTranslation('log');
  const { accessLog, administration } = useGround();
  const reading = useReading();
  const clinicId = ownClinicId ?? filter.clinic;
  const people = useQuery({
    queryKey: ['access-log-people', clinicId],
    queryFn: async ({ signal }) =>
      (await accessLog()).people(ownClinicId === null && clinicId !== null ? { customerId: clinicId } : {}, signal),
  });
  const known = people.data ?? [];
  const persons = known.map(({ id, name, email }) => ({
    value: id,
    // Two of one name are told apart by their address.
    label: known.some((other) => other.name === name && other.id !== id) ? `${name} (${email})` : name,
  }));
  // Somebody who is of no clinic, or has left, is in no list.
  const isListed = person === null || persons.some(({ value }) => value === person.value);
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
        error={isBackwards(filter) && t('daysWrong')}
        onChange={(to) => onChange({ to: to || null })}
      />
      {ownClinicId === null && (
        <AskedSelect
          key={`clinic ${clinic?.label ?? ''}`}
          className={classes.choice}
          label={t('clinic')}
          placeholder={t('everything')}
          hint={t('everything')}
          nothing={t('emptyTitle')}
          chosen={clinic}
          canAsk={() => true}
          ask={(q) => ({
            queryKey: ['log-clinics', q],
            queryFn: async (context) =>
              (await administration()).customers({ ppage: mostClinics, ...(q !== '' && { q }) }).queryFn(context),
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
        placeholder={t('everybody')}
        data={isListed ? persons : [person, ...persons]}
        value={filter.person}
        searchable
        clearable
        maxDropdownHeight={320}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => onChange({ person: value })}
      />
      <AskedSelect
        key={`patient ${patient?.label ?? ''} ${clinicId}`}
        className={classes.choice}
        label={t('patient')}
        placeholder={clinicId === null ? t('patientNeedsClinic') : t('patientHint')}
        hint={t('patientSearch')}
        nothing={t('patientNone')}
        disabled={clinicId === null && patient === null}
        chosen={patient}
        canAsk={(text) => clinicId !== null && isSearchable(text)}
        ask={(q) => reading.patients({ customerId: clinicId ?? '', q, page: 1, ppage: searchHits })}
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
        onChange={(action) => onChange({ action: isAction(action) ? action : null })}
      />
      {isNarrowed && (
        <Button variant="subtle" className={classes.clear} onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
};
