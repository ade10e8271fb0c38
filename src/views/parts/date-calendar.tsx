import { Popover } from '@mantine/core';
import { DatePicker, DatesProvider, type DatesProviderSettings } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { useClickOutside } from '@mantine/hooks';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { today } from './age.ts';
import { dayByKey, within } from './calendar-keys.ts';
import classes from './date-calendar.module.css';

type Level = 'month' | 'year' | 'decade';

export interface CalendarWords {
  /** A tag of the language in which days and months are named. */
  readonly language: string;
  readonly previous: Readonly<Record<Level, string>>;
  readonly next: Readonly<Record<Level, string>>;
  readonly chooseMonth: string;
  readonly chooseYear: string;
}

interface DateCalendarProps {
  /** What the day is of. */
  readonly label: string;
  /** The button that it belongs to. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly value: string | null;
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** Where it begins when there is no day yet. */
  readonly level: 'month' | 'decade';
  readonly words: CalendarWords;
  readonly onChoose: (day: string) => void;
  /** `isDone`: by its own keys and days, so that the focus goes back; else somebody went elsewhere. */
  readonly onClose: (isDone: boolean) => void;
}

const settings: DatesProviderSettings = { firstDayOfWeek: 1, weekendDays: [], consistentWeeks: true };

/** Names of days and months, as a language writes them within others: without the dot of an abbreviation. */
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

const Days = ({
  value,
  min,
  max,
  level: first,
  words,
  onChoose,
  onClose,
}: Omit<DateCalendarProps, 'label' | 'opener'>) => {
  const now = today();
  const [start] = useState(() => within(value ?? now, min, max));
  const [shown, setShown] = useState(start);
  const [level, setLevel] = useState<Level>(value === null ? first : 'month');
  /** The day that a key led to. */
  const [wanted, setWanted] = useState<{ readonly day: string } | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const name = namesIn(words.language);
  const firstDay = within(`${shown.slice(0, 7)}-01`, min, max);
  /** Where the focus goes in the month that is shown. */
  const goal = start.slice(0, 7) === shown.slice(0, 7) ? start : firstDay;

  useEffect(() => {
    if (wanted) box.current?.querySelector<HTMLElement>(`[data-day="${wanted.day}"]`)?.focus();
  }, [wanted]);

  // Months and years take each other's place, and the button that led there goes with them.
  useEffect(() => {
    const held = document.activeElement;
    if (!box.current || (box.current.contains(held) && !held?.matches(':disabled'))) return;
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
    setShown(there);
    setWanted({ day: there });
  };

  return (
    <div ref={box} className={classes.days} onKeyDownCapture={onKey}>
      <p className={classes.spoken} aria-live="polite">
        {level === 'month' && name.month(shown)}
      </p>
      <DatesProvider settings={settings}>
        <DatePicker
          classNames={classes}
          value={value}
          onChange={(day) => {
            if (day === null) return;
            onChoose(day);
            onClose(true);
          }}
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
            monthLevelControl: `${name.month(shown)}, ${words.chooseMonth}`,
            yearLevelControl: `${shown.slice(0, 4)}, ${words.chooseYear}`,
            ...{ previousMonth: words.previous.month, nextMonth: words.next.month },
            ...{ previousYear: words.previous.year, nextYear: words.next.year },
            ...{ previousDecade: words.previous.decade, nextDecade: words.next.decade },
          }}
          __stopPropagation
        />
      </DatesProvider>
    </div>
  );
};

/** A calendar below its field, over whatever lies there. Escape and a chosen day lead back to its button. */
export const DateCalendar = ({ label, opener, ...days }: DateCalendarProps) => {
  const [dropdown, setDropdown] = useState<HTMLElement | null>(null);
  useClickOutside(() => days.onClose(false), null, [dropdown, opener.current]);
  return (
    <Popover
      opened
      position="bottom-start"
      offset={4}
      shadow="md"
      withinPortal
      hideDetached={false}
      withRoles={false}
      trapFocus
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        ref={setDropdown}
        className={classes.calendar}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
        data-mantine-stop-propagation
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          days.onClose(true);
        }}
      >
        <Days {...days} />
      </Popover.Dropdown>
    </Popover>
  );
};
