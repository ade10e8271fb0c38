import { DatePicker, DatesProvider, type DatesProviderSettings } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { dayByKey, within } from '../ui/calendar-keys.ts';
import { today } from '../ui/dates.ts';
import classes from './date-calendar.module.css';

interface DateCalendarProps {
  readonly value: string | null;
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** First view when there is no date yet. */
  readonly level: 'month' | 'decade';
  readonly onChoose: (day: string) => void;
}

const settings: DatesProviderSettings = { firstDayOfWeek: 1, weekendDays: [], consistentWeeks: true };

/** Returns formatters for day and month names, without abbreviation dots. */
const namesIn = (language: string) => {
  const by = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (day: string) => format.format(new Date(`${day}T00:00:00Z`));
  };
  const short = (name: (day: string) => string) => (day: string) => name(day).replace(/\.$/, '');
  return {
    day: by({ dateStyle: 'full' }),
    month: by({ month: 'long', year: 'numeric' }),
    monthShort: short(by({ month: 'short' })),
    weekday: short(by({ weekday: 'short' })),
  };
};

/** A calendar. Keys move by day, week, month and year within the limits. */
export const DateCalendar = ({ value, min, max, level: first, onChoose }: DateCalendarProps) => {
  const { t, i18n } = useTranslation('dates');
  const now = today();
  const [start] = useState(() => within(value ?? now, min, max));
  const [shown, setShown] = useState(start);
  const [level, setLevel] = useState<'month' | 'year' | 'decade'>(value === null ? first : 'month');
  const box = useRef<HTMLDivElement>(null);
  // Day first, as in the other three languages.
  const name = namesIn(i18n.language === 'en' ? 'en-GB' : i18n.language);
  const firstDay = within(`${shown.slice(0, 7)}-01`, min, max);
  /** The focused date of the shown month. */
  const goal = start.slice(0, 7) === shown.slice(0, 7) ? start : firstDay;

  // The focus is on an element around the calendar when its code has just loaded or the focused button was removed.
  useEffect(() => {
    const held = document.activeElement;
    if (!box.current || !held || !(held.contains(box.current) || held.matches(':disabled'))) return;
    const place = '[data-autofocus]:enabled, td > [tabindex="0"]';
    box.current.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  });

  const onKey = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event;
    const day = target instanceof HTMLElement && target.dataset.day;
    const next = day && !ctrlKey && !metaKey && !altKey && dayByKey(day, key, shiftKey);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    const there = within(next, min, max);
    flushSync(() => setShown(there));
    box.current?.querySelector<HTMLElement>(`[data-day="${there}"]`)?.focus();
  };

  return (
    <div ref={box} className={classes.calendar} onKeyDownCapture={onKey}>
      <p className={classes.visuallyHidden} aria-live="polite">
        {level === 'month' && name.month(shown)}
      </p>
      <DatesProvider settings={settings}>
        <DatePicker
          classNames={classes}
          value={value}
          onChange={(day) => day !== null && onChoose(day)}
          date={shown}
          onDateChange={setShown}
          level={level}
          onLevelChange={setLevel}
          {...(min !== undefined && { minDate: min })}
          {...(max !== undefined && { maxDate: max })}
          enableKeyboardNavigation={false}
          hideOutsideDates
          highlightToday
          weekdayFormat={name.weekday}
          monthLabelFormat={name.month}
          monthsListFormat={name.monthShort}
          getDayAriaLabel={name.day}
          getDayProps={(day) => ({
            'data-day': day,
            'data-autofocus': day === goal || undefined,
            'aria-current': day === now ? 'date' : undefined,
            'aria-pressed': day === value || undefined,
          })}
          getMonthControlProps={(month) => ({ 'aria-label': name.month(month) })}
          getYearControlProps={(year) => ({ 'data-autofocus': year.slice(0, 4) === start.slice(0, 4) || undefined })}
          ariaLabels={{
            monthLevelControl: `${name.month(shown)}, ${t('chooseMonth')}`,
            yearLevelControl: `${shown.slice(0, 4)}, ${t('chooseYear')}`,
            previousMonth: t('previousMonth'),
            nextMonth: t('nextMonth'),
            previousYear: t('previousYear'),
            nextYear: t('nextYear'),
            previousDecade: t('previousDecade'),
            nextDecade: t('nextDecade'),
          }}
          __stopPropagation
        />
      </DatesProvider>
    </div>
  );
};
