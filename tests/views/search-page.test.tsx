import { Notifications } from '@mantine/notifications';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import type { DeletedPatient, DeletedStudy } from '../../contract/recycle-bin.ts';
import type { FoundStudy } from '../../contract/studies.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { SearchPage } from '../../src/views/search/search-page.tsx';
import { today } from '../../src/views/ui/age.ts';
import { anArchive, type Called } from './administration-fixture.tsx';
import { patient, refused } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

const clinic = { id: idOf(2), name: 'Ljungheden' };
const anna = patient();
const olle = { ...patient({ firstName: 'Olle', lastName: 'Berg', personalNumber: '197001019803' }), id: idOf(11) };
const deletion = { deletedAt: '2026-11-20T08:15:30.000Z', deletedBy: { id: idOf(80), name: 'Göran Åkerblom' } };
const gone: DeletedPatient = { ...patient({ firstName: 'Eva', lastName: 'Sund' }), id: idOf(12), ...deletion };
const aStudy: FoundStudy = {
  id: idOf(6),
  uid: '2.25.6',
  customerId: clinic.id,
  patientId: anna.id,
  description: 'Kontroll',
  patient: { firstName: 'Anna', lastName: 'Lind', birthDate: null, personalNumber: '198504232384' },
  studyDate: '2026-03-02',
  creationDate: '2026-03-02T10:00:00.000Z',
  accessionNumber: 'R-7',
  totalImages: 4,
  modalities: ['IO'],
};
const goneStudy: DeletedStudy = { ...aStudy, id: idOf(16), images: 4, viewsets: 1, ...deletion };

const listed = <Row,>(data: readonly Row[]) => ({ data, totalCount: data.length, isTotalExact: true, next: null });

const open = async (
  address: string,
  options: { readonly permission?: readonly string[]; readonly answer?: (called: Called) => unknown } = {},
) => {
  window.history.replaceState(null, '', address);
  const deletedIds = new Set([gone.id, goneStudy.id]);
  const sides = <Row extends { readonly id: string }>(rows: readonly Row[]) => ({
    listed: () => listed(rows.filter(({ id }) => !deletedIds.has(id))),
    deleted: () => listed(rows.filter(({ id }) => deletedIds.has(id)).map((row) => ({ ...row, ...deletion }))),
  });
  const people = sides([anna, olle, gone]);
  const studies = sides([aStudy, goneStudy]);
  const archive = anArchive(async (called) => {
    const own = await options.answer?.(called);
    const { path } = called.route;
    const id = String(called.params.id);
    if (path.includes('/delete/')) deletedIds.add(id);
    if (path.includes('/restore/')) deletedIds.delete(id);
    if (own !== undefined) return own;
    if (path === '/resource/patient/search/deleted') return people.deleted();
    if (path === '/resource/study/search/deleted') return studies.deleted();
    return path === '/resource/study/search' ? studies.listed() : { id };
  });
  const patients = vi.fn((query: object) => ({
    queryKey: ['patients', query],
    queryFn: async () => people.listed(),
  }));
  const session = await signedInAs('CustomerAdmin', {
    clinic,
    ...(options.permission && { permission: options.permission }),
  });
  await show(
    <AppQueriesProvider value={{ patients } as unknown as AppQueries}>
      <Notifications />
      <WithRecords call={archive.call}>
        <SearchPage
          session={session}
          clinicId={clinic.id}
          canAdd
          resumesNew={false}
          renderNew={() => <p>New here</p>}
          renderMerge={({ mainInfo }) => <p>Merge {mainInfo.firstName}</p>}
        />
      </WithRecords>
    </AppQueriesProvider>,
  );
  const callsOf = (method: string, path: string) =>
    archive.calls.filter(({ route }) => route.method === method && route.path === path);
  return { patients, callsOf, deletedIds };
};

const rowNamed = (name: RegExp) => screen.findByRole('row', { name });
const search = () => new URLSearchParams(window.location.search);
const chooseOf = async (name: string, item: RegExp) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item, hidden: true }));
};

configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 90_000 });

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  // jsdom has no font loading API.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the search page', () => {
  it('lists the patients of the clinic with links, and sends no period unless one is set', async () => {
    const { patients } = await open('/');
    const row = await rowNamed(/Lind, Anna/);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/patient/${anna.id}`);
    expect(patients).toHaveBeenCalledWith({ customerId: clinic.id, q: '', page: 1, ppage: 25 });
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(today());
    expect(screen.getByRole('tab', { name: 'All' }).getAttribute('aria-selected')).toBe('true');
  });

  it('keeps type, period and text in the URL; the last day defaults to today', async () => {
    const { callsOf } = await open('/?type=studies&q=kontroll');
    await rowNamed(/Kontroll/);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Studies: “kontroll”');
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
    await waitFor(() => expect(search().get('from')).toBe('2026-01-01'));
    expect(search().get('to')).toBeNull();
    await waitFor(() =>
      expect(callsOf('POST', '/resource/study/search').at(-1)?.body).toMatchObject({
        customerId: clinic.id,
        q: 'kontroll',
        from: '2026-01-01',
        to: today(),
      }),
    );
  });

  it('never writes digits into the URL, also when other parameters change', async () => {
    const { patients } = await open('/');
    await rowNamed(/Lind, Anna/);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Name or personal number' }), '2384{Enter}');
    await waitFor(() => expect(patients).toHaveBeenLastCalledWith(expect.objectContaining({ q: '2384' })));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
    await waitFor(() =>
      expect(patients).toHaveBeenLastCalledWith(expect.objectContaining({ q: '2384', from: '2026-01-01' })),
    );
    expect(window.location.href).not.toContain('2384');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Patients: search results');
  });

  it('removes a deleted patient at once, and Undo restores it', async () => {
    const { callsOf } = await open('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    expect(callsOf('DELETE', '/resource/patient/delete/:id')[0]?.params).toEqual({ id: anna.id });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await rowNamed(/Lind, Anna/);
    expect(callsOf('PUT', '/resource/patient/restore/:id')[0]?.params).toEqual({ id: anna.id });
  });

  it('handles Ctrl+Z while the toast is visible, but not in a text field', async () => {
    const { callsOf } = await open('/');
    await chooseOf('Olle Berg', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByRole('button', { name: 'Undo' });
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'z', ctrlKey: true });
    expect(callsOf('PUT', '/resource/patient/restore/:id')).toEqual([]);
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    await rowNamed(/Berg, Olle/);
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(callsOf('PUT', '/resource/patient/restore/:id')).toHaveLength(1);
  });

  it('shows in the confirmation why a patient cannot be deleted', async () => {
    await open('/', {
      answer: ({ route }) =>
        route.path === '/resource/patient/delete/:id' ? Promise.reject(refused('not-found')) : undefined,
    });
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Delete' }).hasAttribute('data-loading')).toBe(false),
    );
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('lists the recycle bin, last deleted first, and restores at once', async () => {
    let answer: (() => void) | null = null;
    const { callsOf } = await open('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id'
          ? new Promise((done) => {
              answer = () => done({ id: gone.id });
            })
          : undefined,
    });
    const row = await rowNamed(/Sund, Eva/);
    expect(row.textContent).toContain('Göran Åkerblom');
    expect(row.textContent).toMatch(/2026-11-20 \d\d:15:30/);
    expect(within(row).queryByRole('link')).toBeNull();
    expect(callsOf('POST', '/resource/patient/search/deleted')[0]?.body).toMatchObject({
      sort: 'deletedAt',
      order: 'desc',
      customerId: clinic.id,
    });
    await userEvent.click(within(row).getByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull());
    answer = answer as (() => void) | null;
    answer?.();
    expect(await screen.findByText('Eva Sund is restored')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await rowNamed(/Sund, Eva/);
    expect(callsOf('DELETE', '/resource/patient/delete/:id')).toHaveLength(1);
  });

  it('finds a just deleted record in the recycle bin', async () => {
    await open('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    await userEvent.click(screen.getByRole('tab', { name: 'Recycle bin' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Anna Lind' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    await userEvent.click(screen.getByRole('tab', { name: 'All' }));
    await rowNamed(/Lind, Anna/);
  });

  it('shows a row again that another user restored', async () => {
    const { deletedIds } = await open('/');
    await chooseOf('Anna Lind', /Delete patient/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind, Anna/ })).toBeNull());
    deletedIds.delete(anna.id);
    // Returning to the tab refetches the lists.
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await rowNamed(/Lind, Anna/);
  });

  it('hides a record being restored from replies that still contain it', async () => {
    let answer: (() => void) | null = null;
    const { callsOf } = await open('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id'
          ? new Promise<void>((done) => {
              answer = done;
            })
          : undefined,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull());
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await waitFor(() => expect(callsOf('POST', '/resource/patient/search/deleted')).toHaveLength(2));
    await waitFor(() => expect(answer).not.toBeNull());
    expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull();
    (answer as (() => void) | null)?.();
    expect(await screen.findByText('Eva Sund is restored')).toBeTruthy();
    expect(screen.queryByRole('row', { name: /Sund, Eva/ })).toBeNull();
  });

  it('shows the row again when restoring was rejected, with the reason', async () => {
    await open('/?tab=bin', {
      answer: ({ route }) =>
        route.path === '/resource/patient/restore/:id' ? Promise.reject(refused('personal-number-taken')) : undefined,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Restore Eva Sund' }));
    expect(await screen.findByText(/personal number/i, { selector: '[role=alert] *' })).toBeTruthy();
    await rowNamed(/Sund, Eva/);
  });

  it('lists deleted studies', async () => {
    const { callsOf } = await open('/?tab=bin&type=studies');
    const row = await rowNamed(/Kontroll/);
    await userEvent.click(within(row).getByRole('button', { name: 'Restore 2026-03-02 Kontroll, Anna Lind' }));
    await waitFor(() => expect(callsOf('PUT', '/resource/study/restore/:id')[0]?.params).toEqual({ id: goneStudy.id }));
  });

  it('requires a claim for the recycle bin, and names it', async () => {
    await open('/?tab=bin', { permission: defaultClaims.Doctor });
    expect(await screen.findByText(/Use the recycle bin/)).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('shows deleted records below the results on request', async () => {
    const { callsOf } = await open('/?q=sund');
    await rowNamed(/Lind, Anna/);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Include deleted' }));
    const below = within(await screen.findByRole('region', { name: 'Also in the recycle bin' }));
    expect((await below.findByRole('listitem')).textContent).toContain('Eva Sund');
    expect(search().get('deleted')).toBe('1');
    expect(callsOf('POST', '/resource/patient/search/deleted')[0]?.body).toMatchObject({ q: 'sund' });
    await userEvent.click(below.getByRole('button', { name: 'Restore Eva Sund' }));
    await waitFor(() => expect(below.queryByRole('listitem')).toBeNull());
  });

  it('offers to merge, disabled with the reason without the claim', async () => {
    await open('/', { permission: [...defaultClaims.CustomerAdmin, 'disable.move_study'] });
    await userEvent.click(await screen.findByRole('button', { name: 'More actions for Anna Lind' }));
    const item = await screen.findByRole<HTMLButtonElement>('menuitem', { name: /Move all studies/, hidden: true });
    expect(item.disabled).toBe(true);
    expect(item.textContent).toContain('Move studies');
  });
});
