import { useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type MonitorCheck, monitorCheckAdd, monitorCheckList } from '../../../contract/monitor-checks.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { Call } from '../../../src/services/call.ts';
import { createQueries } from '../../../src/services/queries.ts';
import { createWrites } from '../../../src/services/writes.ts';
import { AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { headerOffers } from '../../../src/views/app/rights.ts';
import { MonitorPage } from '../../../src/views/monitor/monitor-page.tsx';
import { MonitorReminder } from '../../../src/views/monitor/monitor-reminder.tsx';
import { useWorkstation } from '../../../src/views/monitor/workstation-name.ts';
import { today } from '../../../src/views/ui/dates.ts';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';

// Text areas that grow listen to the fonts of the page, which jsdom has not.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

const clinicId = idOf(900_000);
const allYes = { lines: true, squares: true, patches: true, ramp: true, letters: true };

const aCheck = (id: number, more: Partial<MonitorCheck> = {}): MonitorCheck => ({
  id: String(id),
  workstation: 'Surgery 2',
  day: '2026-03-02',
  answers: allYes,
  comment: '',
  widthPx: 800,
  heightPx: 600,
  pixelRatio: 1,
  author: { id: idOf(1), name: 'Maja Lindqvist' },
  savedAt: '2026-03-02T07:00:00.000Z',
  ...more,
});

/** An archive with these checks, newest first, that adds what is sent. */
const archiveOf = (first: readonly MonitorCheck[]) => {
  const checks = [...first];
  const sent: BodyOf<typeof monitorCheckAdd>[] = [];
  const call = (async (
    route: unknown,
    options: {
      body?: BodyOf<typeof monitorCheckAdd>;
      query?: { page: number; ppage: number; workstation?: string };
    },
  ) => {
    if (route === monitorCheckAdd && options.body) {
      sent.push(options.body);
      const { customerId: _, ...body } = options.body;
      const saved = aCheck(1_000 + sent.length, body);
      checks.unshift(saved);
      return saved;
    }
    if (route !== monitorCheckList || !options.query) throw new Error('unexpected call');
    const { page, ppage, workstation } = options.query;
    const found = checks.filter((check) => workstation === undefined || check.workstation === workstation);
    return { data: found.slice((page - 1) * ppage, page * ppage), totalCount: found.length };
  }) as unknown as Call;
  return { call, sent };
};

const WithArchive = ({ call, children }: { readonly call: Call; readonly children: ReactNode }) => {
  const client = useQueryClient();
  const [queries] = useState(() =>
    createQueries(call, client, async () => createWrites(call, client, async () => new Blob())),
  );
  return <AppQueriesProvider value={queries as never}>{children}</AppQueriesProvider>;
};
/** As in the header. */
const Reminder = () => {
  const workstation = useWorkstation();
  return workstation === '' ? null : <MonitorReminder clinicId={clinicId} workstation={workstation} />;
};
const open = async (checks: readonly MonitorCheck[] = []) => {
  const { call, sent } = archiveOf(checks);
  await show(
    <WithArchive call={call}>
      <header>
        <Reminder />
      </header>
      <MonitorPage clinicId={clinicId} />
    </WithArchive>,
  );
  await screen.findByRole('heading', { name: 'Latest checks' });
  return sent;
};
const answer = (index: number, name: 'Yes' | 'No') => {
  const group = screen.getAllByRole('radiogroup')[index];
  if (group) fireEvent.click(within(group).getByRole('radio', { name }));
};
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const cells = (row: HTMLElement | undefined) =>
  row
    ? within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)
    : [];
const reminder = () => screen.queryByRole('link', { name: 'Monitor not checked today' });

beforeEach(() => {
  localStorage.clear();
  // jsdom draws nothing.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

describe('the monitor check', () => {
  it('asks for each answer and the workstation before it saves', async () => {
    const sent = await open();
    answer(0, 'Yes');
    save();
    expect(await screen.findAllByText('Answer yes or no')).toHaveLength(4);
    const [, second] = screen.getAllByRole('radiogroup');
    expect(second?.contains(document.activeElement)).toBe(true);
    expect(sent).toEqual([]);
  });

  it('saves the answers of today, lists them at once and remembers the workstation', async () => {
    const sent = await open([aCheck(1)]);
    for (const index of [0, 1, 2, 4]) answer(index, 'Yes');
    answer(3, 'No');
    fireEvent.change(screen.getByRole('textbox', { name: 'Comment' }), { target: { value: 'Steps at the left' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Workstation' }), { target: { value: 'Surgery 3' } });
    save();
    const row = (await screen.findByText('Surgery 3')).closest('tr');
    expect(cells(row ?? undefined)).toEqual([today(), 'Surgery 3', 'Maja Lindqvist', 'No: strip', 'Steps at the left']);
    expect(sent).toMatchObject([{ customerId: clinicId, day: today(), answers: { ...allYes, ramp: false } }]);
    expect(localStorage.getItem('dentarium.workstation')).toBe('Surgery 3');
    expect(screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked)).toEqual([]);
  });

  it('lists the checks by page, newest first', async () => {
    await open(Array.from({ length: 21 }, (_, index) => aCheck(index, { comment: `Check ${index}` })));
    await screen.findByText('Check 0');
    expect(cells(screen.getAllByRole('row')[1])).toEqual([
      '2026-03-02',
      'Surgery 2',
      'Maja Lindqvist',
      'All yes',
      'Check 0',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Older' }));
    await screen.findByText('Check 20');
    expect(screen.getByText('21–21 of 21')).toBeTruthy();
  });
});

describe('the reminder', () => {
  it('shows where the workstation was checked before and not today, until the check is saved', async () => {
    localStorage.setItem('dentarium.workstation', 'Surgery 2');
    await open([aCheck(2, { workstation: 'Surgery 9', day: today() }), aCheck(1)]);
    await waitFor(() => expect(reminder()?.getAttribute('href')).toBe(`/${clinicId}/monitor`));
    for (const index of [0, 1, 2, 3, 4]) answer(index, 'Yes');
    save();
    await waitFor(() => expect(reminder()).toBeNull());
  });

  it.each([
    ['in a browser without a workstation name', '', [aCheck(1)]],
    ['where the clinic never checked this workstation', 'Surgery 3', [aCheck(1)]],
    ['where the workstation is checked today', 'Surgery 2', [aCheck(2, { day: today() }), aCheck(1)]],
  ])('is absent %s', async (_, name, checks) => {
    if (name !== '') localStorage.setItem('dentarium.workstation', name);
    await open(checks);
    await screen.findAllByText('All yes');
    expect(reminder()).toBeNull();
  });

  it('and the menu are for users who may view images, in a clinic', () => {
    expect(headerOffers(['user.get_any'], clinicId, clinicId).monitorCheck).toBe(true);
    expect(headerOffers(['user.get_any', 'disable.open'], clinicId, clinicId).monitorCheck).toBe(false);
    expect(headerOffers(['user.get_any'], null, null).monitorCheck).toBe(false);
  });
});
