import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AccessEntry, accessActions, isPatternPeriod } from '../../contract/access-log.ts';
import {
  type AccessLog,
  type AppContext,
  AppContextProvider,
  type LogQuery,
} from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { readUrl, writeUrl } from '../../src/views/app/url-state.ts';
import { languages } from '../../src/views/language/languages.ts';
import { isBackwards, logPath, logSchema, patternPeriod, queryOf } from '../../src/views/log/log-filter.ts';
import { LogPage } from '../../src/views/log/log-page.tsx';
import { shownRows } from '../../src/views/log/log-table.tsx';
import { today } from '../../src/views/ui/dates.ts';
import { show } from './render.tsx';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const patient = { id: id(1), name: 'Åsa Lind', personalNumber: '19850423-2381', protectedIdentity: false };
const user = {
  id: id(2),
  name: 'Maja Lindqvist',
  email: 'maja@prov.example',
  isServiceAccount: false,
  isDevice: false,
};
const clinic = { id: id(3), name: 'Provkliniken' };

const entry = (number: number, more: Partial<AccessEntry> = {}): AccessEntry => ({
  id: String(number),
  at: '2026-10-25T01:30:00.000Z',
  action: 'patient.opened',
  account: user,
  role: 'Doctor',
  clinic,
  patient,
  detail: null,
  address: null,
  refused: null,
  ...more,
});

const many = (count: number, first = count) => Array.from({ length: count }, (_, index) => entry(first - index));

/** Renders the page over a fake log and records its requests. */
const open = async (
  pages: (requests: LogQuery, before: string | null) => Promise<{ data: AccessEntry[]; hasMore: boolean }>,
  { address = '/log', extract }: { address?: string; extract?: AccessLog['extract'] } = {},
) => {
  window.history.replaceState(null, '', address);
  const requests: { requests: LogQuery; before: string | null }[] = [];
  const log: AccessLog = {
    page: (request, before) => {
      requests.push({ requests: request, before });
      return pages(request, before);
    },
    users: async () => [user],
    extract: extract ?? (() => Promise.reject(new Error('unexpected call'))),
    reviews: {} as AccessLog['reviews'],
  };
  const found = { queryKey: ['patients'], queryFn: async () => ({ data: [], totalCount: 0 }) };
  const appContext = { accessLog: async () => log } as unknown as AppContext;
  const queries = { patients: () => found } as unknown as AppQueries;
  await show(
    <AppContextProvider value={appContext}>
      <AppQueriesProvider value={queries}>
        <LogPage ownClinicId={clinic.id} openClinicId={clinic.id} />
      </AppQueriesProvider>
    </AppContextProvider>,
  );
  return requests;
};

/** A box of 600 pixels and rows of 37, because jsdom has no layout. */
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
  it('says instead of a name that the identity of a patient is protected', async () => {
    const hidden = { ...patient, name: '', personalNumber: '', protectedIdentity: true };
    await open(async () => ({ data: [entry(1, { patient: hidden })], hasMore: false }), {
      address: `/log?patient=${patient.id}`,
    });
    expect(await screen.findByRole('heading', { name: /Patient with protected identity/ })).toBeTruthy();
    const button = screen.getByRole('button', { name: /Patient with protected identity/ });
    expect(button.textContent).toContain('Patient with protected identity');
    expect(screen.getAllByRole('img', { name: 'Protected identity' })).toHaveLength(2);
  });

  it('describes who did what with whose data, in the time zone of the clinics', async () => {
    await open(async () => ({
      data: [
        entry(3),
        entry(2, { action: 'sign-in', patient: null, detail: 'password' }),
        entry(1, { action: 'sign-in.refused', account: null, role: null, patient: null, detail: 'incorrect-login' }),
        entry(0, { action: 'user.password-set', account: null, role: null, patient: null, detail: 'Maja Lindqvist' }),
        entry(4, { action: 'directory.user-created', account: null, role: null, patient: null, detail: 'Entra ID: x' }),
      ],
      hasMore: false,
    }));
    await screen.findByText('Unknown account');
    const rows = screen.getAllByRole('row');
    expect(rows).toHaveLength(6);
    expect(rows[5]?.textContent).toMatch(/Directory.*A directory added a user/);
    expect(rows[4]?.textContent).toContain('Command line');
    expect(rows[4]?.textContent).not.toContain('Unknown account');
    expect(rows[1]?.textContent).toContain('2026-10-25 02:30:00');
    expect(rows[1]?.textContent).toContain('Maja Lindqvist');
    expect(rows[1]?.textContent).toContain('Opened the patient');
    expect(rows[2]?.textContent).toContain('Signed in');
    expect(rows[2]?.textContent).toContain('Password');
    expect(rows[3]?.textContent).toContain('Unknown account');
    expect(rows[3]?.textContent).toContain('Incorrect username or password');
    expect(screen.getByText('No older entries')).toBeTruthy();
  });

  it('describes what was refused, why, and from which address', async () => {
    const refused = { request: 'GET /resource/patient/:id', id: id(9) };
    const more = { patient: null, detail: 'not-found', address: '192.0.2.7', refused } as const;
    await open(async () => ({
      data: [
        entry(2, { action: 'access.refused', ...more }),
        entry(1, { action: 'access.refused', account: null, role: null, ...more, refused: { ...refused, id: null } }),
      ],
      hasMore: false,
    }));
    await screen.findByText('Unknown account');
    const [, first, second] = screen.getAllByRole('row').map((row) => row.textContent);
    expect(first).toContain('Access refused');
    expect(first).toMatch(/GET \/resource\/patient\/:id · .+ · 192\.0\.2\.7 · 0{8}-0000-4000-8000-0{11}9$/);
    expect(second).toMatch(/GET \/resource\/patient\/:id · .+ · 192\.0\.2\.7$/);
  });

  it('names the recipient of a shared link as the reader, and who made the link', async () => {
    const detail = 'Käkkirurgen: Remiss';
    await open(async () => ({ data: [entry(1, { action: 'share.opened', role: null, detail })], hasMore: false }));
    await screen.findByText('By link from Maja Lindqvist');
    const [, row] = screen.getAllByRole('row');
    expect(row?.textContent).toContain('Opened images by a link');
    expect(row?.textContent).toContain(detail);
  });

  it('names a DICOM device', async () => {
    const account = { id: id(8), name: 'Panorama', email: '', isServiceAccount: false, isDevice: true };
    await open(async () => ({ data: [entry(1, { account, role: null, action: 'study.listed' })], hasMore: false }));
    expect(await screen.findByText('The DICOM device “Panorama”')).toBeTruthy();
  });

  it('names a service account as a program', async () => {
    const account = { id: id(8), name: 'OHIF', email: '', isServiceAccount: true, isDevice: false };
    const refused = { action: 'sign-in.refused', address: '192.0.2.7', patient: null } as const;
    await open(async () => ({
      data: [
        entry(3, { account, role: null }),
        entry(2, { account, role: null, ...refused, detail: 'service-ended' }),
        entry(1, { account: null, role: null, ...refused, detail: 'incorrect-secret' }),
      ],
      hasMore: false,
    }));
    expect(await screen.findAllByText('The program “OHIF” (service account)')).toHaveLength(2);
    expect(screen.getByText('The service account has expired or was revoked · 192.0.2.7')).toBeTruthy();
    expect(screen.getByText('Wrong client ID or secret · 192.0.2.7')).toBeTruthy();
  });

  it('renders visible rows only, and loads older ones near the end', async () => {
    const requests = await open(async (_, before) => {
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
    await waitFor(() => expect(requests.map(({ before }) => before)).toEqual([null, '901', '801']));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('301'));
    box.scrollTop = 300 * 37 - 600;
    fireEvent.scroll(box);
    await waitFor(() => expect(document.querySelector('[data-entry="701"]')).toBeTruthy());
    expect(document.querySelector('[data-entry="1000"]')).toBeNull();
  });

  it("is filtered by a patient's name, which is not in the URL", async () => {
    const requests = await open(async () => ({ data: many(3), hasMore: false }));
    await userEvent.click(
      (await screen.findAllByRole('button', { name: 'Show only entries about Åsa Lind' }))[0] as Element,
    );
    await waitFor(() => expect(requests.at(-1)?.requests).toEqual({ patientId: patient.id }));
    expect(window.location.search).toBe(`?patient=${patient.id}`);
    expect(await screen.findByRole('heading', { name: 'Access to Åsa Lind' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(requests.at(-1)?.requests).toEqual({}));
    expect(window.location.search).toBe('');
  });

  it('downloads the extract of the chosen patient and period in the page language', async () => {
    const requested: unknown[] = [];
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.download);
    });
    URL.createObjectURL = () => 'blob:x';
    URL.revokeObjectURL = () => {};
    let isOffline = false;
    await open(async () => ({ data: many(1), hasMore: false }), {
      address: `/log?patient=${patient.id}&from=2026-01-01&person=${user.id}`,
      extract: async (requests) => {
        requested.push(requests);
        if (isOffline) throw Object.assign(new Error(), { failure: { kind: 'offline' } });
        return { name: 'log-extract-2026-11-21.pdf', content: new Blob(['x']) };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Download as PDF' }));
    await waitFor(() => expect(clicked).toEqual(['log-extract-2026-11-21.pdf']));
    expect(requested).toEqual([{ patientId: patient.id, format: 'pdf', language: 'en', from: '2026-01-01' }]);
    isOffline = true;
    await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
    expect(await screen.findByText(/The log extract could not be downloaded/)).toBeTruthy();
    expect(clicked).toHaveLength(1);
  });

  it('reports no results, an inverted period, and an unreachable server', async () => {
    const requests = await open(async () => ({ data: [], hasMore: false }), {
      address: '/log?from=2026-02-02&to=2026-02-01',
    });
    expect(await screen.findByRole('heading', { name: 'The period ends before it starts' })).toBeTruthy();
    expect(requests).toEqual([]);
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-03' } });
    expect(await screen.findByRole('heading', { name: 'No entries' })).toBeTruthy();
    expect(requests.at(-1)?.requests).toEqual({ from: '2026-02-02', to: '2026-02-03' });
  });

  it('searches unusual access in the chosen period, else in the last 30 days', async () => {
    const requests = await open(async () => ({ data: many(1), hasMore: false }), { address: '/log?from=2026-01-01' });
    await screen.findByRole('table');
    await userEvent.click(screen.getByRole('combobox', { name: 'Unusual access' }));
    await userEvent.click(
      await screen.findByRole('option', { name: /^30 or more patients .+ clock hour$/, hidden: true }),
    );
    const chosen = { from: '2026-01-01', to: '2026-04-02', pattern: 'many-patients' };
    await waitFor(() => expect(requests.at(-1)?.requests).toEqual(chosen));
    expect(window.location.search).toBe('?from=2026-01-01&to=2026-04-02&pattern=many-patients');
  });

  it('asks for a period when an address has an unusual access without one', async () => {
    const requests = await open(async () => ({ data: many(1), hasMore: false }), { address: '/log?pattern=staff' });
    expect(await screen.findByRole('heading', { name: /at most 92 days/ })).toBeTruthy();
    expect(requests).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Last 30 days' }));
    const { from, to } = patternPeriod({ from: null, to: null }, today());
    await waitFor(() => expect(requests.at(-1)?.requests).toEqual({ from, to, pattern: 'staff' }));
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  });

  it('retries after a failure, and keeps loaded entries when older ones fail', async () => {
    let fails = true;
    const requests = await open(async (_, before) => {
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
    expect(await screen.findByText('Older entries could not be loaded')).toBeTruthy();
    expect(document.querySelectorAll('[data-entry]').length).toBeGreaterThan(10);
    // Retries on request only.
    expect(requests.filter(({ before }) => before !== null)).toHaveLength(1);
  });

  it('gives the same reply for a patient of another clinic and an unknown one', async () => {
    await open(() => Promise.reject(Object.assign(new Error(), { failure: { kind: 'refused', code: 'not-found' } })), {
      address: `/log?patient=${id(9)}`,
    });
    expect(await screen.findByText(/The patient does not exist or belongs to another clinic/)).toBeTruthy();
  });
});

describe('the URL of the log', () => {
  it('is parsed and written', () => {
    const address = `from=2026-01-01&to=2026-01-31&person=${id(2)}&patient=${id(1)}&action=image.opened&clinic=${id(3)}&pattern=own-name`;
    const filter = readUrl(logSchema, new URLSearchParams(address));
    expect(writeUrl(logSchema, new URLSearchParams(), filter).toString()).toBe(address);
    expect(logPath({ patient: id(1) })).toBe(`/log?patient=${id(1)}`);
    expect(logPath()).toBe('/log');
  });

  it('ignores invalid values', () => {
    const filter = readUrl(
      logSchema,
      new URLSearchParams('from=2026-02-30&to=x&person=Maja&patient=19850423&action=nothing&clinic=&pattern=x'),
    );
    expect(Object.values(filter).every((value) => value === null)).toBe(true);
    expect(queryOf(filter, true)).toEqual({});
  });

  it.each([
    [null, null, '2026-02-24', '2026-03-25'],
    ['2026-03-20', null, '2026-03-20', '2026-03-25'],
    ['2025-01-01', null, '2025-01-01', '2025-04-02'],
    [null, '2026-03-01', '2026-01-31', '2026-03-01'],
    ['2025-01-01', '2026-03-01', '2026-01-31', '2026-03-01'],
  ])('has for a pattern, from %s to %s, the period from %s to %s', (from, to, first, last) => {
    const period = patternPeriod({ from, to }, '2026-03-25');
    expect(period).toEqual({ from: first, to: last });
    expect(isPatternPeriod(period.from, period.to)).toBe(true);
  });

  it('requests a clinic only when the user can choose one', () => {
    const filter = readUrl(logSchema, new URLSearchParams(`clinic=${id(3)}`));
    expect(queryOf(filter, true)).toEqual({ customerId: id(3) });
    expect(queryOf(filter, false)).toEqual({});
    expect(isBackwards({ from: '2026-01-01', to: '2026-01-01' })).toBe(false);
  });
});

describe('the visible rows', () => {
  it.each([0, 1, 7, 100, 10_000])(
    'of %i fill the box at every scroll position, and preserve the total height',
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
  it('name every action differently', async () => {
    const texts: Record<string, string> = (await import(`../../locales/${language}/log.json`)).default;
    const words = accessActions.map((action) => texts[action]);
    expect(words.every(Boolean)).toBe(true);
    expect(new Set(words).size).toBe(accessActions.length);
  });
});
