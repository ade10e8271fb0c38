import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import {
  type CustomerDependents,
  type CustomerRow,
  customerCreate,
  customerDelete,
  customerDependentsGet,
  customerGet,
  customerGetAll,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import { type Statistics, statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import { selectClinic } from '../../src/machines/session/session.machine.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { returnFocusOnClose } from '../../src/views/app/shell/focus-return.ts';
import { ClinicsPage } from '../../src/views/clinics/clinics-page.tsx';
import { ReassignUser } from '../../src/views/forms/reassign-user.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

// The suite uses all cores at once, so tests run slower.
configure({ asyncUtilTimeout: 5_000 });

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const clinic = (number: number, name: string, more: Partial<CustomerRow> = {}): CustomerRow => ({
  id: id(number),
  name,
  organisationNumber: '402931-5514',
  customerNumber: 'K-1',
  address: 'Storgatan 1',
  city: 'Uppsala',
  zipcode: '752 00',
  telephone: '018-10 20 30',
  description: null,
  license: null,
  country: 'SE',
  useProxy: false,
  version: 3,
  users: 4,
  ...more,
});
const ljungheden = clinic(1, 'Ljungheden');
const oresund = clinic(2, 'Öresund', { city: 'Malmö' });

const weeks = Array.from({ length: 26 }, (_, week) => ({
  week: new Date(Date.UTC(2026, 4, 25 + 7 * week)).toISOString().slice(0, 10),
  patients: week,
  studies: 2 * week,
  images: 10 * week,
}));
const numbers: Statistics = {
  clinics: 2,
  users: { active: 1_200, inactive: 34, total: 1_234 },
  patients: 40,
  studies: 45,
  images: 214,
  weekly: weeks,
};

const refused = (code: 'conflict' | 'no-right' | 'own-clinic' | 'cannot-move-user', status = 409) =>
  new ServiceError({ kind: 'refused', status, code, errors: [] });

const usual = ({ route, params, query }: Called): unknown => {
  const all = [ljungheden, oresund];
  switch (route) {
    case customerGetAll: {
      const data = all.filter(({ name }) => !query.q || name.toLowerCase().includes(String(query.q)));
      return { data, totalCount: data.length, isTotalExact: true, next: null };
    }
    case customerGet:
      return all.find((one) => one.id === params.id);
    case statisticsGet:
      return numbers;
    case statisticsOfCustomer:
      return { ...numbers, clinics: 1, users: { active: 3, inactive: 1, total: 4 }, patients: 7 };
    default:
      throw new Error(`unexpected call: ${route.path}`);
  }
};

const open = async (
  answer: (called: Called) => unknown = usual,
  { permission = defaultClaims.SuperAdmin }: { permission?: readonly string[] } = {},
) => {
  const archive = anArchive(answer);
  const session = await signedInAs('SuperAdmin', { permission });
  await show(
    <WithAdministration call={archive.call}>
      <ClinicsPage session={session} />
    </WithAdministration>,
  );
  return { ...archive, session };
};
const menuOf = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
};
const choose = async (name: RegExp) => userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }));
const bodyOf = (calls: readonly Called[], route: unknown) => calls.find((called) => called.route === route)?.body;

// jsdom has no font loading API.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/customers');
});

describe('the page of clinics', () => {
  it('lists clinics and makes the opened one current', async () => {
    const { session } = await open();
    const row = await screen.findByRole('row', { name: /Ljungheden/ });
    expect(within(row).getByText('402931-5514')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Öresund' }));
    expect(selectClinic(session.getSnapshot())).toEqual({ id: oresund.id, name: 'Öresund' });
  });

  it('shows totals, each linked to its list', async () => {
    await open();
    expect((await screen.findByRole('link', { name: 'All clinics: 2' })).textContent).toBe('2');
    expect(screen.getByRole('link', { name: 'All users: 1,234' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '1,200 active users' }).getAttribute('href')).toContain('status=active');
    expect(screen.getByRole('link', { name: '34 inactive users' }).getAttribute('href')).toContain('status=inactive');
    expect(screen.getByRole('button', { name: 'Patients with their images: 214 images' })).toBeTruthy();
    const table = screen.getByRole('table', { name: 'Images, week by week' });
    expect(within(table).getAllByRole('row')).toHaveLength(26);
    await userEvent.click(screen.getByRole('radio', { name: 'Patients' }));
    expect(screen.getByRole('table', { name: 'Patients, week by week' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide statistics' }));
    expect(screen.queryByRole('link', { name: /^All clinics/ })).toBeNull();
  });

  it('remembers the table view and shows details and statistics of the selected clinic', async () => {
    const { calls } = await open();
    await userEvent.click(await screen.findByRole('radio', { name: 'List' }));
    expect(await screen.findByText('Choose a clinic')).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Öresund' }));
    const card = await screen.findByRole('article', { name: 'Öresund' });
    expect(window.location.search).toBe(`?clinic=${oresund.id}`);
    expect(await within(card).findByText('752 00 Malmö', { exact: false })).toBeTruthy();
    expect(calls.some(({ route, params }) => route === statisticsOfCustomer && params.customerId === oresund.id)).toBe(
      true,
    );
    const inactive = await within(card).findByRole('link', { name: '1 inactive user' });
    expect(inactive.getAttribute('href')).toBe(`/customers/${oresund.id}/employeers?status=inactive`);
    expect(localStorage.getItem('clinics-view')).toBe('bar');
  });

  it('shows an empty search result with a button to clear it', async () => {
    await open();
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Find a clinic' }), 'zzz{Enter}');
    expect(await screen.findByText('No clinic matches')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByRole('row', { name: /Ljungheden/ })).toBeTruthy();
  });

  it('names the missing claim of disabled actions', async () => {
    const permission = defaultClaims.SuperAdmin.filter((claim) => !/^customer\.(create|delete)$/.test(claim));
    await open(usual, { permission });
    await menuOf('Ljungheden');
    const item = await screen.findByRole('menuitem', { name: /Delete clinic/, hidden: true });
    expect(item.hasAttribute('disabled') || item.getAttribute('data-disabled') === 'true').toBe(true);
    expect(item.textContent).toContain('You have no rights to do this');
    expect(screen.queryByRole('button', { name: 'Add clinic' })).toBeNull();
  });

  it('reports that the list failed to load, and retries', async () => {
    let away = true;
    await open((called) => {
      if (called.route === customerGetAll && away) throw refused('no-right', 403);
      return usual(called);
    });
    expect(await screen.findByText('The list could not be loaded')).toBeTruthy();
    away = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('row', { name: /Ljungheden/ })).toBeTruthy();
  });
});

describe('the form of a clinic', () => {
  const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });

  it('creates a clinic; errors appear at their fields and the first gets focus', async () => {
    const { calls } = await open((called) =>
      called.route === customerCreate ? clinic(3, 'Nya kliniken') : usual(called),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Add clinic' }));
    await userEvent.type(await field(/^Name/), 'N{Enter}');
    expect(await screen.findByText('2 to 200 characters')).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await field(/^Name/)));
    await userEvent.type(await field(/^Name/), 'ya kliniken');
    await userEvent.type(await field(/^Address/), 'Torget 2');
    await userEvent.type(await field(/^Telephone/), '08-123{Enter}');
    await waitFor(() =>
      expect(bodyOf(calls, customerCreate)).toMatchObject({
        organisationName: 'Nya kliniken',
        address: 'Torget 2',
        telephone: '08-123',
        country: 'SE',
        useProxy: false,
      }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add clinic' })).toBeNull());
  });

  it('reports a version conflict and loads the newer values', async () => {
    let theirs = ljungheden;
    const { calls } = await open((called) => {
      if (called.route === customerGet) return theirs;
      if (called.route !== customerUpdate) return usual(called);
      const { version } = called.body as { version: number };
      if (version !== theirs.version) throw refused('conflict');
      return theirs;
    });
    await menuOf('Ljungheden');
    await choose(/Edit clinic/);
    theirs = { ...ljungheden, telephone: '018-99 99 99', version: 4 };
    await userEvent.type(await field(/^City/), ' norr{Enter}');
    expect(await screen.findByText(/Another user changed this at the same time/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Load current version' }));
    await waitFor(async () => expect((await field(/^Telephone/)).value).toBe('018-99 99 99'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(calls.filter(({ route }) => route === customerUpdate)).toHaveLength(2));
    expect(calls.findLast(({ route }) => route === customerUpdate)?.body).toMatchObject({ id: id(1), version: 4 });
  });

  it('confirms before unsaved changes are discarded, and restores focus', async () => {
    onTestFinished(returnFocusOnClose(document));
    await open();
    const add = await screen.findByRole('button', { name: 'Add clinic' });
    add.focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.type(await field(/^Name/), 'Half');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect((await field(/^Name/)).value).toBe('Half');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Name/ })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(add));
  });
});

describe('deleting a clinic', () => {
  const dependents: CustomerDependents = { users: 3, patients: 1, studies: 0, images: 12_345, imports: 2 };

  it('shows what is deleted and requires the name', async () => {
    const { calls } = await open((called) => {
      if (called.route === customerDependentsGet) return dependents;
      return called.route === customerDelete ? {} : usual(called);
    });
    await menuOf('Öresund');
    await choose(/Delete clinic/);
    const dialog = await screen.findByRole('dialog', { name: 'Delete Öresund?' });
    expect((await within(dialog).findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      '3 users, who can no longer sign in',
      '1 patient',
      '12,345 images',
      '2 unfinished imports',
    ]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete clinic' }));
    expect(within(dialog).getByText('This is not the name of the clinic')).toBeTruthy();
    expect(bodyOf(calls, customerDelete)).toBeUndefined();
    await userEvent.type(within(dialog).getByRole('textbox'), 'öresund{Enter}');
    await waitFor(() => expect(bodyOf(calls, customerDelete)).toEqual({ version: 3 }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Öresund?' })).toBeNull());
  });

  it('is disabled for the current clinic', async () => {
    const { session } = await open();
    session.send({ type: 'clinic.chosen', clinic: { id: oresund.id, name: 'Öresund' } });
    await menuOf('Öresund');
    const item = await screen.findByRole('menuitem', { name: /Delete clinic/, hidden: true });
    expect(item.textContent).toContain('You are in this clinic. Leave it first.');
  });
});

describe('moving a user to another clinic', () => {
  const user = { id: id(9), firstName: 'Maja', lastName: 'Lindqvist', customer: { id: id(1), name: 'Ljungheden' } };
  const openMove = async (answer: (called: Called) => unknown) => {
    const archive = anArchive(answer);
    const onMoved = vi.fn<() => void>();
    await show(
      <WithAdministration call={archive.call}>
        <ReassignUser person={user} onClose={() => {}} onMoved={onMoved} />
      </WithAdministration>,
    );
    return { ...archive, onMoved };
  };

  it('offers every other clinic', async () => {
    const { calls, onMoved } = await openMove((called) => (called.route === reassignUser ? {} : usual(called)));
    await userEvent.click(await screen.findByRole('radio', { name: /Öresund/ }));
    expect(screen.queryByRole('radio', { name: /Ljungheden/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(onMoved).toHaveBeenCalledOnce());
    expect(bodyOf(calls, reassignUser)).toEqual({ userId: user.id, newCustomerId: oresund.id });
  });

  it('shows why it was rejected', async () => {
    const { onMoved } = await openMove((called) => {
      if (called.route === reassignUser) throw refused('cannot-move-user');
      return usual(called);
    });
    await userEvent.click(await screen.findByRole('radio', { name: /Öresund/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('A system administrator belongs to no clinic and cannot be moved')).toBeTruthy();
    expect(onMoved).not.toHaveBeenCalled();
  });
});
