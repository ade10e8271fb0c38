import { ActionIcon, Popover, Skeleton, TextInput, type TextInputProps } from '@mantine/core';
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../ui/lazy-component.ts';
import { dayOf, dayProblem, isWhole } from '../ui/typed-day.ts';
import classes from './date-input.module.css';

/** Returns a function that explains why a text is not a date; null when it is one or empty. */
export const useDateProblem = (): ((text: string) => string | null) => {
  const { t } = useTranslation('dates');
  return (text) => {
    const problem = dayProblem(text);
    return problem && t(problem);
  };
};

interface Typed {
  readonly text: string;
  /** The user left the field: incomplete text counts as an error. */
  readonly isLeft: boolean;
}

interface TypedDayOptions {
  readonly value: string;
  readonly onChange: (day: string) => void;
  /** Invalid and incomplete text is reported too. */
  readonly inForm: boolean;
}

/**
 * Text of a date field. A complete date is reported at once, any other when the field is left or Enter is pressed;
 * invalid text stays until it is corrected or the field gets another value.
 */
const useTypedDay = ({ value, onChange, inForm }: TypedDayOptions) => {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (typed?.isLeft) setTyped(null);
  }
  return {
    text: typed?.text ?? value,
    isLeft: typed?.isLeft ?? false,
    type: (text: string) => {
      setTyped({ text, isLeft: false });
      const day = dayOf(text);
      if (text.trim() === '') onChange('');
      else if (day !== null && isWhole(text)) onChange(day);
      else if (inForm) onChange(day ?? text);
    },
    leave: () => {
      if (typed === null) return;
      const day = dayOf(typed.text);
      if (day === null && typed.text.trim() !== '') return setTyped({ text: typed.text, isLeft: true });
      setTyped(null);
      if (day !== null && day !== value) onChange(day);
    },
    choose: (day: string) => {
      setTyped(null);
      onChange(day);
    },
  };
};

const DateCalendar = lazyComponent(async () => (await import('./date-calendar.tsx')).DateCalendar);

export interface DateInputProps
  extends Omit<TextInputProps, 'classNames' | 'defaultValue' | 'label' | 'max' | 'min' | 'onChange' | 'type'> {
  readonly label: string;
  /** The label is only for screen readers; the placeholder shows the purpose. */
  readonly isBare?: boolean;
  /** A date `YYYY-MM-DD` or ''. In a form it may be invalid text. */
  readonly value: string;
  /** Called with a date, or '' when emptied. */
  readonly onChange: (day: string) => void;
  /** The form receives invalid text too and shows the error; otherwise the field does when it is left. */
  readonly inForm?: boolean;
  /** Limits of the calendar, both inclusive. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** First calendar view when there is no date. */
  readonly level?: 'month' | 'decade';
}

/** A date field: accepts common formats and shows one, independent of the browser; the calendar is loaded on demand. */
export const DateInput = (props: DateInputProps) => {
  const { label, isBare = false, inForm = false, error, min, max, level = 'month', ...others } = props;
  const { value, onChange, onBlur, onKeyDown, ...input } = others;
  const { t } = useTranslation('dates');
  const problem = useDateProblem();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const typed = useTypedDay({ value, onChange, inForm });
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      offset={6}
      shadow="md"
      hideDetached={false}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <TextInput
        autoComplete="off"
        inputMode="numeric"
        spellCheck={false}
        description={inForm && t('shape')}
        {...input}
        id={id}
        classNames={{
          root: classes.field ?? '',
          wrapper: classes.box ?? '',
          input: classes.input ?? '',
          label: isBare ? (classes.visuallyHidden ?? '') : '',
          error: inForm ? '' : (classes.floating ?? ''),
        }}
        label={label}
        title={isBare ? label : undefined}
        placeholder={t('shape')}
        error={error || (!inForm && typed.isLeft && problem(typed.text))}
        errorProps={{ role: 'alert' }}
        value={typed.text}
        onChange={(event) => typed.type(event.currentTarget.value)}
        onBlur={(event) => {
          typed.leave();
          onBlur?.(event);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') typed.leave();
          onKeyDown?.(event);
        }}
        rightSectionPointerEvents="all"
        rightSectionWidth={32}
        rightSection={
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('openCalendar')}
              aria-describedby={`${id}-label`}
              title={t('openCalendar')}
              onClick={() => setIsOpen(!isOpen)}
            >
              <IconCalendar aria-hidden="true" />
            </ActionIcon>
          </Popover.Target>
        }
      />
      <Popover.Dropdown aria-labelledby={`${id}-label`} aria-modal="true" data-mantine-stop-propagation>
        <Suspense fallback={<Skeleton width={252} height={312} />}>
          <DateCalendar
            value={dayOf(value)}
            min={min}
            max={max}
            level={level}
            onChoose={(day) => {
              typed.choose(day);
              setIsOpen(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
};
