import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchDebounceMs } from '../../../contract/bounds.ts';
import type { Readable } from '../reading.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface AskedSelectProps<Found> {
  readonly label: string;
  readonly className?: string | undefined;
  readonly placeholder: string;
  /** Said in the list while the text is too short, or fits nothing. */
  readonly hint: string;
  readonly nothing: string;
  readonly disabled?: boolean;
  readonly chosen: Choice | null;
  readonly canAsk: (text: string) => boolean;
  readonly ask: (text: string) => Readable<Found>;
  readonly choicesOf: (found: Found) => readonly Choice[];
  readonly onChoose: (choice: Choice | null) => void;
}

/** One of many that only the archive can list: it is asked with what is typed. */
export const AskedSelect = <Found,>(props: AskedSelectProps<Found>) => {
  const { label, className, placeholder, hint, nothing, disabled = false, chosen, canAsk, ask, choicesOf } = props;
  const [text, setText] = useState(chosen?.label ?? '');
  const typed = text === chosen?.label ? '' : text.trim();
  const [question] = useDebouncedValue(typed, searchDebounceMs);
  const isAsking = canAsk(question) && canAsk(typed);
  const answer = useQuery({ ...ask(question), enabled: !disabled && isAsking, placeholderData: keepPreviousData });
  const found = isAsking && answer.data !== undefined ? choicesOf(answer.data) : [];
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
      // The archive has chosen among them already.
      filter={({ options }) =>
        typed === '' ? options : options.filter((one) => 'value' in one && one.value !== chosen?.value)
      }
      nothingFoundMessage={isAsking && answer.isSuccess ? nothing : hint}
      onChange={(value) =>
        props.onChoose(others.find((choice) => choice.value === value) ?? (value === null ? null : chosen))
      }
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
      autoComplete="off"
    />
  );
};
