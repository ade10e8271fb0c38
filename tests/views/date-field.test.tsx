import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { DateInput } from '../../src/views/language/date-input.tsx';
import type { DateFieldProps } from '../../src/views/parts/date-field.tsx';
import { show } from './render.tsx';

type Given = Partial<Omit<DateFieldProps, 'onChange' | 'words'>> & { readonly heard: (day: string) => void };

const Held = ({ heard, value: first = '', ...rest }: Given) => {
  const [value, setValue] = useState(first);
  return (
    <>
      <DateInput
        label="From"
        {...rest}
        value={value}
        onChange={(day) => {
          heard(day);
          setValue(day);
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        Clear
      </button>
    </>
  );
};

const open = async (given: Omit<Given, 'heard'> = {}) => {
  const heard: string[] = [];
  await show(<Held {...given} heard={(day) => heard.push(day)} />);
  return heard;
};
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
const opener = () => screen.getByRole('button', { name: 'Open calendar' });
const problem = () => {
  const id = field().getAttribute('aria-describedby');
  return id && document.getElementById(id)?.textContent;
};
const openCalendar = async () => {
  await userEvent.click(opener());
  return within(await screen.findByRole('dialog', { name: 'From' }, { timeout: 20_000 }));
};

describe('a date field', () => {
  it('shows how a day is written, and hands it on as soon as it is whole', async () => {
    const heard = await open();
    expect(field().placeholder).toBe('YYYY-MM-DD');
    await userEvent.type(field(), '2026-01-05');
    expect(heard).toEqual(['2026-01-05']);
    await userEvent.clear(field());
    await userEvent.type(field(), '20260214');
    expect(heard).toEqual(['2026-01-05', '', '2026-02-14']);
    await userEvent.tab();
    expect(field().value).toBe('2026-02-14');
  });

  it('waits with a day that may become another until it is left, or Enter is pressed', async () => {
    const heard = await open();
    await userEvent.type(field(), '2026-1-1');
    expect(heard).toEqual([]);
    await userEvent.type(field(), '5{Enter}');
    expect([heard, field().value]).toEqual([['2026-01-15'], '2026-01-15']);
    await userEvent.clear(field());
    await userEvent.type(field(), '6.2.2026');
    await userEvent.tab();
    expect([heard, field().value]).toEqual([['2026-01-15', '', '2026-02-06'], '2026-02-06']);
  });

  it('says what is no day when it is left, keeps it, and hands nothing on', async () => {
    const heard = await open();
    await userEvent.type(field(), '5/1/2026');
    expect(field().getAttribute('aria-invalid')).toBeNull();
    await userEvent.tab();
    expect([field().value, problem()]).toEqual(['5/1/2026', 'Write the date as YYYY-MM-DD']);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await userEvent.clear(field());
    await userEvent.type(field(), '2026-02-31{Enter}');
    expect([field().value, problem()]).toEqual(['2026-02-31', 'There is no such day. Write the date as YYYY-MM-DD']);
    expect(heard).toEqual(['']);
    await userEvent.type(field(), '{Backspace}{Backspace}28');
    expect([heard, problem()]).toEqual([['', '2026-02-28'], null]);
  });

  it('tells a form what was typed instead of a day', async () => {
    const typed: string[] = [];
    const heard = await open({ onOther: (text) => typed.push(text) });
    fireEvent.change(field(), { target: { value: 'soon' } });
    fireEvent.change(field(), { target: { value: '5.1.2026' } });
    expect([typed, heard]).toEqual([['soon', '2026-01-05'], []]);
  });

  it('gives up what was typed when it is given another value', async () => {
    await open({ value: '2026-01-05' });
    await userEvent.type(field(), '?');
    await userEvent.click(opener());
    expect(field().value).toBe('2026-01-05?');
    await userEvent.click(await screen.findByRole('button', { name: /^Monday,? 5 January 2026$/ }));
    expect([field().value, problem()]).toEqual(['2026-01-05', null]);
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(field().value).toBe('');
  });
});

describe('its calendar', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label');

  it('begins at the day, with the week on a Monday; a chosen day is the value, and leads back to the button', async () => {
    const heard = await open({ value: '2026-01-05' });
    expect(opener().getAttribute('aria-expanded')).toBe('false');
    const calendar = await openCalendar();
    expect(opener().getAttribute('aria-expanded')).toBe('true');
    expect(calendar.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      ...['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    ]);
    expect(calendar.getByRole('button', { pressed: true }).textContent).toBe('5');
    await waitFor(() => expect(focused()).toMatch(/5 January 2026/));
    await userEvent.click(calendar.getByRole('button', { name: /14 January 2026/ }));
    expect([heard, field().value]).toEqual([['2026-01-14'], '2026-01-14']);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener());
  });

  it('is walked by keys, over the ends of months and within what is offered', async () => {
    const heard = await open({ value: '2026-01-30', min: '2026-01-20', max: '2026-02-10' });
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
    expect(heard).toEqual(['2026-01-25']);
  });

  it('goes by Escape, back to its button, and changes nothing', async () => {
    const heard = await open({ value: '2026-01-05' });
    await openCalendar();
    await waitFor(() => expect(focused()).toMatch(/5 January 2026/));
    await userEvent.keyboard('{ArrowRight}{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener());
    expect([heard, field().value]).toEqual([[], '2026-01-05']);
  });

  it('goes when somebody goes elsewhere, or presses its button again', async () => {
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
