import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { UserFileLine } from '../../contract/user-files.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { saveFile } from '../../src/views/ui/save-file.ts';
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { choose, clinic, doctor, menuOf, openUsers, userOf } from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

vi.mock('../../src/views/ui/save-file.ts', () => ({ saveFile: vi.fn() }));
withWideTables();

const titles = 'First name;Last name;E-mail;Phone;Personal number;Role';
const row = (number: number, role = 'Medical personnel') =>
  `Maja;Ny${number};ny${number}@prov.example;08-123;198001019804;${role}`;
const csv = (...rows: readonly string[]) => new File([[titles, ...rows].join('\r\n')], 'nya.csv', { type: 'text/csv' });

const linesOf = ({ body }: Called) => (body as { readonly lines: readonly UserFileLine[] }).lines;
const link = (line: number) => `https://archive.example/authorization/newpassword#id=${idOf(line)}`;
/** Lines 3 and 4 exist and are rejected; all others are new, and get a link. */
const answer = (called: Called): unknown => {
  const fixed = (line: number) => {
    if (line === 3) return { line, outcome: 'exists' };
    const rejected = { line, outcome: 'rejected', code: 'invalid-request', claims: [] };
    return line === 4 ? { ...rejected, errors: [{ fieldKey: 'roles', vars: { min: 1 } }] } : null;
  };
  if (called.route.path === '/api/Account/file_check')
    return { lines: linesOf(called).map(({ line }) => fixed(line) ?? { line, outcome: 'new' }) };
  if (called.route.path !== '/api/Account/file_add') return undefined;
  const invitation = (line: number) => ({ delivery: 'copy', link: link(line), expiresAt: '2026-12-05T12:00:00.000Z' });
  return {
    lines: linesOf(called).map(({ line }) => ({
      line,
      outcome: 'created',
      id: idOf(line),
      invitation: invitation(line),
    })),
  };
};
const openDialog = async (options: Parameters<typeof openUsers>[1] = {}) => {
  const opened = await openUsers([userOf(1)], { answer, hasMailServer: false, ...options });
  await menuOf(clinic.name);
  await choose('Import users from a file …');
  await screen.findByRole('dialog', { name: `Import users to ${clinic.name}` });
  return opened;
};
const give = async (file: File) => userEvent.upload(await screen.findByTestId('user-file'), file);
const shownLines = async () => {
  const table = await screen.findByRole('table', { name: 'nya.csv' });
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);
};

describe('importing users', () => {
  it('is not offered to users who may not add any, nor for super administrators', async () => {
    await openUsers([userOf(1)], { as: 'SuperAdmin', of: 'super-administrators' });
    await screen.findByRole('button', { name: 'Add system administrator' });
    expect(screen.queryByRole('button', { name: /Import users/ })).toBeNull();
  });

  it('says why the roles cannot be loaded', async () => {
    const noRoles = (called: Called) => {
      if (called.route.path === '/api/Roles') throw new ServiceError({ kind: 'offline' });
      return answer(called);
    };
    await openDialog({ answer: noRoles });
    expect(await screen.findByText(/^The roles could not be loaded/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Choose a file …' })).toBeNull();
  });

  it('shows what happens to each line before it adds any', async () => {
    const { callsOf } = await openDialog();
    await give(csv(row(2), row(3), row(4, 'Tandhygienist')));
    expect(await shownLines()).toEqual([
      '2Maja Ny2ny2@prov.exampleMedical personnelWill be added',
      '3Maja Ny3ny3@prov.exampleMedical personnelAlready a user of the clinic; stays unchanged',
      '4Maja Ny4ny4@prov.exampleTandhygienistRole: No role that you can give is named “Tandhygienist”',
    ]);
    const [checked] = callsOf('/api/Account/file_check');
    expect(checked?.body).toMatchObject({
      customerId: clinic.id,
      lines: [{ line: 2, roles: [doctor.id] }, {}, { roles: [] }],
    });
    expect(callsOf('/api/Account/file_add')).toEqual([]);
  });

  it('adds the new users some at a time, and hands out their links', async () => {
    const { callsOf } = await openDialog();
    await give(csv(...Array.from({ length: 14 }, (_, index) => row(index + 2))));
    await userEvent.click(await screen.findByRole('button', { name: 'Create 12 users' }));
    expect(await screen.findByText('12 of 12 added')).toBeTruthy();
    const sent = callsOf('/api/Account/file_add').map((called) => linesOf(called).map(({ line }) => line));
    expect(sent).toEqual([
      [2, 5, 6, 7, 8, 9, 10, 11, 12, 13],
      [14, 15],
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Download the list of links' }));
    const [{ content } = { content: new Blob() }] = vi.mocked(saveFile).mock.lastCall ?? [];
    const text = await content.text();
    for (const line of sent.flat()) expect(text).toContain(link(line));
    expect(text).not.toContain(link(3));
  });

  it('keeps what was added when the connection is lost, and adds the rest afterwards', async () => {
    let calls = 0;
    const offlineOnce = (called: Called) => {
      if (called.route.path === '/api/Account/file_add') {
        calls += 1;
        if (calls === 2) throw new ServiceError({ kind: 'offline' });
      }
      return answer(called);
    };
    const { callsOf } = await openDialog({ answer: offlineOnce });
    await give(csv(...Array.from({ length: 14 }, (_, index) => row(index + 2))));
    await userEvent.click(await screen.findByRole('button', { name: 'Create 12 users' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Create 2 users' }));
    expect(await screen.findByText('12 of 12 added')).toBeTruthy();
    expect(callsOf('/api/Account/file_add').map((called) => linesOf(called).length)).toEqual([10, 2, 2]);
  });

  it('says what is wrong with a file that cannot be read', async () => {
    const { callsOf } = await openDialog();
    await give(new File(['a;b\r\n1;2'], 'nya.csv'));
    expect(await screen.findByText('The first row does not name the columns. Use the template.')).toBeTruthy();
    expect(callsOf('/api/Account/file_check')).toEqual([]);
  });

  it('offers a template with the columns that it reads', async () => {
    await openDialog();
    await userEvent.click(await screen.findByRole('button', { name: 'Download a template' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalled());
    const [saved] = vi.mocked(saveFile).mock.lastCall ?? [];
    expect(await saved?.content.text()).toBe(
      'First name;Last name;E-mail;Phone;Personal number;Hired since;Role;Azure username\r\n',
    );
  });
});
