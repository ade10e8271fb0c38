import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs';
import { type ComponentProps, type ReactNode, Suspense, useId, useRef, useState } from 'react';
import type { CalendarWords } from './date-calendar.tsx';
import classes from './date-field.module.css';
import { lazily } from './lazily.ts';
import { dayOf } from './typed-day.ts';
import { useTypedDay } from './use-typed-day.ts';

const DateCalendar = lazily(async () => (await import('./date-calendar.tsx')).DateCalendar);

export interface DateWords {
  /** How a day is written, in the reader's letters. */
  readonly shape: string;
  readonly openCalendar: string;
  /** Why a text is no day, in words; null when it is one, or nothing. */
  readonly problem: (text: string) => string | null;
  readonly calendar: CalendarWords;
}

type InputProps = Omit<
  ComponentProps<'input'>,
  'defaultValue' | 'max' | 'min' | 'onChange' | 'placeholder' | 'size' | 'type' | 'value'
>;

export interface DateFieldProps extends InputProps {
  readonly label: string;
  readonly labelClassName?: string | undefined;
  /** The label is for those who hear it; who looks at the field sees what it is by its place, and by the hint. */
  readonly isBare?: boolean;
  readonly help?: string;
  readonly error?: ReactNode;
  /** A day `YYYY-MM-DD`, or ''. In a form it may be what was typed instead of one. */
  readonly value: string;
  /** Hears days, and of nothing as ''. */
  readonly onChange: (day: string) => void;
  /** Hears what is typed and is no day. Without it, that stays in the field. */
  readonly onOther?: (typed: string) => void;
  /** The calendar offers no other days; both are included. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** Where the calendar begins as long as there is no day. */
  readonly level?: 'month' | 'decade';
  readonly words: DateWords;
}

/** A day, typed in any usual form and shown in one, whatever the browser speaks; or chosen in a calendar, which is fetched when it is asked for. */
export const DateField = (props: DateFieldProps) => {
  const {
    label,
    labelClassName = '',
    isBare = false,
    help,
    error,
    words,
    min,
    max,
    level = 'month',
    ...others
  } = props;
  const { value, onChange, onOther, className = '', required, onBlur, onKeyDown, ...input } = others;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const typed = useTypedDay({ value, onChange, onOther });
  // A form says what is wrong when it is sent; here nobody else does.
  const isAlone = onOther === undefined;
  const wrong = error || (isAlone && typed.isLeft && words.problem(typed.text));
  const close = (isDone: boolean) => {
    setIsOpen(false);
    if (isDone) opener.current?.focus({ preventScroll: true });
  };
  return (
    <div className={className}>
      <label id={`${id}-label`} htmlFor={id} className={isBare ? classes.spoken : `${classes.label} ${labelClassName}`}>
        {label}
        {required && (
          <span aria-hidden="true" className={classes.required}>
            {' *'}
          </span>
        )}
      </label>
      {help && (
        <p id={`${id}-help`} className={classes.help}>
          {help}
        </p>
      )}
      <div className={classes.box}>
        <input
          autoComplete="off"
          inputMode="numeric"
          spellCheck={false}
          {...input}
          id={id}
          className={classes.input}
          placeholder={words.shape}
          required={required}
          title={isBare ? label : undefined}
          aria-invalid={Boolean(wrong) || undefined}
          aria-describedby={[help && `${id}-help`, wrong && `${id}-error`].filter(Boolean).join(' ') || undefined}
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
        />
        <button
          ref={opener}
          type="button"
          className={classes.opener}
          aria-label={words.openCalendar}
          aria-describedby={`${id}-label`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          title={words.openCalendar}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconCalendar aria-hidden="true" />
        </button>
        {isOpen && (
          <Suspense fallback={<span className={classes.awaited} />}>
            <DateCalendar
              label={label}
              opener={opener}
              value={dayOf(value)}
              min={min}
              max={max}
              level={level}
              words={words.calendar}
              onClose={close}
              onChoose={typed.choose}
            />
          </Suspense>
        )}
        <div className={classes.said} data-floats={isAlone || undefined} aria-live="polite">
          {wrong && (
            <p id={`${id}-error`} className={classes.error}>
              {wrong}
            </p>
          )}
        </div>
      </div>
    </div>
  );
};
