import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { DateInput, type DateInputProps } from '../../src/views/language/date-input.tsx';
import { show } from './render.tsx';

type Given = Partial<Omit<DateInputProps, 'onChange'>> & { readonly onDate: (day: string) => void };

const Held = ({ onDate, value: first = '', ...rest }: Given) => {
  const [value, setValue] = useState(first);
  return (
    <>
      <DateInput
        label="From"
        {...rest}
        value={value}
        onChange={(day) => {
          onDate(day);
          setValue(day);
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        Clear
      </button>
    </>
  );
};

const open = async (given: Omit<Given, 'onDate'> = {}) => {
  const dates: string[] = [];
  await show(<Held {...given} onDate={(date) => dates.push(date)} />);
  return dates;
};
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
const opener = () => screen.getByRole('button', { name: 'Open calendar' });
const problem = () => {
  const id = field().getAttribute('aria-describedby');
  return id && document.getElementById(id)?.textContent;
};
const openCalendar = async () => {
  await userEvent.click(opener());
  await screen.findByRole('table', {}, { timeout: 20_000 });
  return within(screen.getByRole('dialog', { name: 'From' }));
};

describe('a date field', () => {
  it('shows the format, and reports a complete date at once', async () => {
    const dates = await open();
    expect(field().placeholder).toBe('YYYY-MM-DD');
    await userEvent.type(field(), '2026-01-05');
    expect(dates).toEqual(['2026-01-05']);
    await userEvent.clear(field());
    await userEvent.type(field(), '20260214');
    expect(dates).toEqual(['2026-01-05', '', '2026-02-14']);
    await userEvent.tab();
    expect(field().value).toBe('2026-02-14');
  });

  it('reports an extendable date when it is left or Enter is pressed', async () => {
    const dates = await open();
    await userEvent.type(field(), '2026-1-1');
    expect(dates).toEqual([]);
    await userEvent.type(field(), '5{Enter}');
    expect([dates, field().value]).toEqual([['2026-01-15'], '2026-01-15']);
    await userEvent.clear(field());
    await userEvent.type(field(), '6.2.2026');
    await userEvent.tab();
    expect([dates, field().value]).toEqual([['2026-01-15', '', '2026-02-06'], '2026-02-06']);
  });

  it('shows an error for an invalid date when it is left, and reports nothing', async () => {
    const dates = await open();
    await userEvent.type(field(), '5/1/2026');
    expect(field().getAttribute('aria-invalid')).toBeNull();
    await userEvent.tab();
    expect([field().value, problem()]).toEqual(['5/1/2026', 'Write the date as YYYY-MM-DD']);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await userEvent.clear(field());
    await userEvent.type(field(), '2026-02-31{Enter}');
    expect([field().value, problem()]).toEqual([
      '2026-02-31',
      'This date does not exist. Write the date as YYYY-MM-DD',
    ]);
    expect(dates).toEqual(['']);
    await userEvent.type(field(), '{Backspace}{Backspace}28');
    expect([dates, problem()]).toEqual([['', '2026-02-28'], null]);
  });

  it('reports invalid text to a form', async () => {
    const dates = await open({ inForm: true });
    fireEvent.change(field(), { target: { value: 'soon' } });
    fireEvent.change(field(), { target: { value: '5.1.2026' } });
    expect(dates).toEqual(['soon', '2026-01-05']);
  });

  it('discards the typed text when it gets another value', async () => {
    await open({ value: '2026-01-05' });
    await userEvent.type(field(), '?');
    const calendar = await openCalendar();
    expect(field().value).toBe('2026-01-05?');
    await userEvent.click(calendar.getByRole('button', { name: /^Monday,? 5 January 2026$/ }));
    expect([field().value, problem()]).toEqual(['2026-01-05', null]);
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(field().value).toBe('');
  });
});

describe('its calendar', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label');

  it('starts at the date, with weeks on Monday; choosing a date sets it and returns the focus', async () => {
    const dates = await open({ value: '2026-01-05' });
    expect(opener().getAttribute('aria-expanded')).toBe('false');
    const calendar = await openCalendar();
    expect(opener().getAttribute('aria-expanded')).toBe('true');
    expect(calendar.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Mon',
      'Tue',
      'Wed',
      'Thu',
      'Fri',
      'Sat',
      'Sun',
    ]);
    expect(calendar.getByRole('button', { pressed: true }).textContent).toBe('5');
    await waitFor(() => expect(focused()).toMatch(/5 January 2026/));
    await userEvent.click(calendar.getByRole('button', { name: /14 January 2026/ }));
    expect([dates, field().value]).toEqual([['2026-01-14'], '2026-01-14']);
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(opener()));
  });

  it('moves by keys across months and within the limits', async () => {
    const dates = await open({ value: '2026-01-30', min: '2026-01-20', max: '2026-02-10' });
    const calendar = await openCalendar();
    await waitFor(() => expect(focused()).toMatch(/30 January 2026/));
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toMatch(/6 February 2026/);
    await userEvent.keyboard('{PageDown}');
    expect(focused()).toMatch(/10 February 2026/);
    await userEvent.keyboard('{PageUp}{PageUp}');
    expect(focused()).toMatch(/20 January 2026/);
    expect(calendar.getByRole<HTMLButtonElement>('button', { name: /19 January 2026/ }).disabled).toBe(true);
    expect(calendar.getByRole<HTMLButtonElement>('button', { name: 'Previous month' }).disabled).toBe(true);
    await userEvent.keyboard('{End}{Enter}');
    expect(dates).toEqual(['2026-01-25']);
  });

  it('closes on Escape without a change, and returns the focus', async () => {
    const dates = await open({ value: '2026-01-05' });
    await openCalendar();
    await waitFor(() => expect(focused()).toMatch(/5 January 2026/));
    await userEvent.keyboard('{ArrowRight}{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(opener()));
    expect([dates, field().value]).toEqual([[], '2026-01-05']);
  });

  it('closes on a click elsewhere and on its button', async () => {
    await open();
    await openCalendar();
    await userEvent.click(field());
    expect(screen.queryByRole('dialog')).toBeNull();
    await openCalendar();
    await userEvent.click(opener());
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the focus from years to months to days', async () => {
    await open({ level: 'decade', max: '2026-01-05' });
    const calendar = await openCalendar();
    await userEvent.click(calendar.getByRole('button', { name: 'Previous ten years' }));
    await userEvent.click(calendar.getByRole('button', { name: '2015' }));
    expect(document.activeElement?.closest('td')).not.toBeNull();
    await userEvent.click(calendar.getByRole('button', { name: 'April 2015' }));
    expect(focused()).toMatch(/, 1 April 2015/);
    await userEvent.click(calendar.getByRole('button', { name: 'April 2015, choose a month' }));
    expect(document.activeElement?.closest('td')).not.toBeNull();
  });
});
