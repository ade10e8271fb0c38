import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccessEntry, accessActions } from '../../contract/access-log.ts';
import { type AccessLog, type Ground, GroundProvider, type LogAsked } from '../../src/views/ground.tsx';
import { languages } from '../../src/views/language/languages.ts';
import { LogPage } from '../../src/views/log/log-page.tsx';
import { askedOf, filterOf, isBackwards, logPath, paramsOf } from '../../src/views/log/log-place.ts';
import { shownRows } from '../../src/views/log/shown-rows.ts';
import { type Reading, ReadingProvider } from '../../src/views/reading.tsx';
import { show } from './render.tsx';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const patient = { id: id(1), name: 'Åsa Lind', personalNumber: '19850423-2381' };
const person = { id: id(2), name: 'Maja Lindqvist', email: 'maja@prov.example' };
const clinic = { id: id(3), name: 'Provkliniken' };

const entry = (number: number, more: Partial<AccessEntry> = {}): AccessEntry => ({
  id: String(number),
  at: '2026-10-25T01:30:00.000Z',
  action: 'patient.opened',
  account: person,
  ...{ role: 'Doctor', clinic, patient, detail: null },
  ...more,
});

const many = (count: number, first = count) => Array.from({ length: count }, (_, index) => entry(first - index));

/** The page above a log that is ours to give; what it was asked for is noted. */
const open = async (
  pages: (asked: LogAsked, before: string | null) => Promise<{ data: AccessEntry[]; hasMore: boolean }>,
  { address = '/log', extract }: { address?: string; extract?: AccessLog['extract'] } = {},
) => {
  window.history.replaceState(null, '', address);
  const asked: { asked: LogAsked; before: string | null }[] = [];
  const log: AccessLog = {
    page: (wish, before) => {
      asked.push({ asked: wish, before });
      return pages(wish, before);
    },
    people: async () => [person],
    extract: extract ?? (() => Promise.reject(new Error('not asked for'))),
  };
  const found = { queryKey: ['patients'], queryFn: async () => ({ data: [], totalCount: 0 }) };
  const ground = { accessLog: async () => log } as unknown as Ground;
  const reading = { patients: () => found } as unknown as Reading;
  await show(
    <GroundProvider value={ground}>
      <ReadingProvider value={reading}>
        <LogPage ownClinicId={clinic.id} />
      </ReadingProvider>
    </GroundProvider>,
  );
  return asked;
};

/** A box of 600 pixels and rows of 37, as jsdom lays nothing out. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    const count = Number(this.querySelector('[aria-rowcount]')?.getAttribute('aria-rowcount') ?? 0);
    return Math.max(600, count * 37);
  });
  HTMLElement.prototype.scrollTo ??= () => {};
});
afterEach(() => vi.restoreAllMocks());

describe('the page of the access log', () => {
  it('says in words who did what of whom, in the time of the clinics', async () => {
    await open(async () => ({
      data: [
        entry(3),
        entry(2, { action: 'sign-in', patient: null, detail: 'password' }),
        entry(1, { action: 'sign-in.refused', account: null, role: null, patient: null, detail: 'incorrect-login' }),
      ],
      hasMore: false,
    }));
    await screen.findByText('Unknown account');
    const rows = screen.getAllByRole('row');
    expect(rows).toHaveLength(4);
    expect(rows[1]?.textContent).toContain('2026-10-25 02:30:00');
    expect(rows[1]?.textContent).toContain('Maja Lindqvist');
    expect(rows[1]?.textContent).toContain('Opened the patient');
    expect(rows[2]?.textContent).toContain('Signed in');
    expect(rows[2]?.textContent).toContain('Password');
    expect(rows[3]?.textContent).toContain('Unknown account');
    expect(rows[3]?.textContent).toContain('Incorrect username or password');
    expect(screen.getByText('The log ends here')).toBeTruthy();
  });

  it('draws the rows in sight alone, and fetches older ones as the end comes near', async () => {
    const asked = await open(async (_, before) => {
      const first = before === null ? 1_000 : Number(before) - 1;
      return { data: many(100, first), hasMore: first > 800 };
    });
    await screen.findByText('2026-10-25', { selector: '[data-entry="1000"] span' });
    expect(document.querySelectorAll('[data-entry]').length).toBeLessThan(50);
    const box = screen.getByRole('region', { name: 'Access log' });
    for (const top of [2_500, 6_000, 10_000]) {
      box.scrollTop = top;
      fireEvent.scroll(box);
      await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false'));
    }
    await waitFor(() => expect(asked.map(({ before }) => before)).toEqual([null, '901', '801']));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('301'));
    box.scrollTop = 300 * 37 - 600;
    fireEvent.scroll(box);
    await waitFor(() => expect(document.querySelector('[data-entry="701"]')).toBeTruthy());
    expect(document.querySelector('[data-entry="1000"]')).toBeNull();
  });

  it('is narrowed to a patient by their name, which never stands in the address', async () => {
    const asked = await open(async () => ({ data: many(3), hasMore: false }));
    await userEvent.click(
      (await screen.findAllByRole('button', { name: 'Show only what concerns Åsa Lind' }))[0] as Element,
    );
    await waitFor(() => expect(asked.at(-1)?.asked).toEqual({ patientId: patient.id }));
    expect(window.location.search).toBe(`?patient=${patient.id}`);
    expect(await screen.findByRole('heading', { name: 'Access to Åsa Lind' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(asked.at(-1)?.asked).toEqual({}));
    expect(window.location.search).toBe('');
  });

  it('gives the extract of the chosen patient and period, in the language of the page', async () => {
    const wanted: unknown[] = [];
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.download);
    });
    URL.createObjectURL = () => 'blob:x';
    URL.revokeObjectURL = () => {};
    let refuse = false;
    await open(async () => ({ data: many(1), hasMore: false }), {
      address: `/log?patient=${patient.id}&from=2026-01-01&person=${person.id}`,
      extract: async (asked) => {
        wanted.push(asked);
        if (refuse) throw Object.assign(new Error(), { failure: { kind: 'offline' } });
        return { name: 'log-extract-2026-11-21.pdf', content: new Blob(['x']) };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Download as PDF' }));
    await waitFor(() => expect(clicked).toEqual(['log-extract-2026-11-21.pdf']));
    expect(wanted).toEqual([{ patientId: patient.id, format: 'pdf', language: 'en', from: '2026-01-01' }]);
    refuse = true;
    await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
    expect(await screen.findByText(/The log extract could not be fetched/)).toBeTruthy();
    expect(clicked).toHaveLength(1);
  });

  it('says when nothing fits, when the period is turned around, and when the archive does not answer', async () => {
    const asked = await open(async () => ({ data: [], hasMore: false }), {
      address: '/log?from=2026-02-02&to=2026-02-01',
    });
    expect(await screen.findByRole('heading', { name: 'The period ends before it begins' })).toBeTruthy();
    expect(asked).toEqual([]);
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-03' } });
    expect(await screen.findByRole('heading', { name: 'No entries' })).toBeTruthy();
    expect(asked.at(-1)?.asked).toEqual({ from: '2026-02-02', to: '2026-02-03' });
  });

  it('can be asked for again after a failure, and keeps what is there when older entries do not come', async () => {
    let fails = true;
    const asked = await open(async (_, before) => {
      if (fails) throw Object.assign(new Error(), { failure: { kind: 'offline' } });
      if (before !== null) throw Object.assign(new Error(), { failure: { kind: 'offline' } });
      return { data: many(100), hasMore: true };
    });
    const again = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    await userEvent.click(again);
    const box = screen.getByRole('region', { name: 'Access log' });
    await screen.findByRole('table');
    await waitFor(() => expect(document.querySelectorAll('[data-entry]').length).toBeGreaterThan(10));
    box.scrollTop = 3_000;
    fireEvent.scroll(box);
    expect(await screen.findByText('Older entries could not be fetched')).toBeTruthy();
    expect(document.querySelectorAll('[data-entry]').length).toBeGreaterThan(10);
    // It waits for a person instead of asking for ever.
    expect(asked.filter(({ before }) => before !== null)).toHaveLength(1);
  });

  it('tells no difference between a patient elsewhere and none', async () => {
    await open(() => Promise.reject(Object.assign(new Error(), { failure: { kind: 'refused', code: 'not-found' } })), {
      address: `/log?patient=${id(9)}`,
    });
    expect(await screen.findByText(/no such patient, or the patient belongs to another clinic/)).toBeTruthy();
  });
});

describe('an address of the log', () => {
  it('is its filter, and back', () => {
    const address = `from=2026-01-01&to=2026-01-31&person=${id(2)}&patient=${id(1)}&action=image.opened&clinic=${id(3)}`;
    expect(paramsOf(filterOf(new URLSearchParams(address))).toString()).toBe(address);
    expect(logPath({ patient: id(1) })).toBe(`/log?patient=${id(1)}`);
    expect(logPath()).toBe('/log');
  });

  it('narrows by nothing that makes no sense', () => {
    const filter = filterOf(
      new URLSearchParams('from=2026-02-30&to=x&person=Maja&patient=19850423&action=nothing&clinic='),
    );
    expect(Object.values(filter).every((value) => value === null)).toBe(true);
    expect(askedOf(filter, true)).toEqual({});
  });

  it('asks for a clinic only where the person may choose one', () => {
    const filter = filterOf(new URLSearchParams(`clinic=${id(3)}`));
    expect(askedOf(filter, true)).toEqual({ customerId: id(3) });
    expect(askedOf(filter, false)).toEqual({});
    expect(isBackwards({ from: '2026-01-01', to: '2026-01-01' })).toBe(false);
  });
});

describe('the rows in sight', () => {
  it.each([0, 1, 7, 100, 10_000])(
    'of %i cover the box wherever it is scrolled, and keep the height of all',
    (count) => {
      for (let top = -200; top < count * 37 + 500; top += 211) {
        const rows = shownRows(count, { top, height: 600, rowHeight: 37 });
        expect(rows.above + (rows.to - rows.from) * 37 + rows.below).toBe(count * 37);
        expect(rows.to - rows.from).toBeLessThan(60);
        expect(rows.from).toBeGreaterThanOrEqual(0);
        expect(rows.to).toBeLessThanOrEqual(count);
        if (top >= 0 && top < count * 37) {
          expect(rows.above).toBeLessThanOrEqual(top);
          expect(rows.to === count || rows.to * 37 >= top + 600).toBe(true);
        }
      }
    },
  );
});

describe.each(languages)('the words of the log in %s', (language) => {
  it('name every action, each in its own way', async () => {
    const texts: Record<string, string> = (await import(`../../locales/${language}/log.json`)).default;
    const words = accessActions.map((action) => texts[action]);
    expect(words.every(Boolean)).toBe(true);
    expect(new Set(words).size).toBe(accessActions.length);
  });
});
