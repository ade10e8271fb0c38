import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import {
  type DestructionOrder,
  destructionApprove,
  destructionList,
  destructionPropose,
  destructionRefuse,
  destructionRevoke,
} from '../../contract/destruction.ts';
import { type DuePatient, retentionDue } from '../../contract/retention.ts';
import { RetentionPage } from '../../src/views/retention/retention-page.tsx';
import { anArchive, type Called } from './administration-fixture.tsx';
import { patient } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';

const own = idOf(80);
const clinicId = idOf(2);
const eva: DuePatient = {
  ...patient({ firstName: 'Eva', lastName: 'Sund' }),
  id: idOf(12),
  lastEntryAt: '2015-02-03T10:00:00.000Z',
  dueSince: '2025-02-03T10:00:00.000Z',
  deletedAt: '2026-01-02T10:00:00.000Z',
  isProposed: false,
};
const order = (number: number, more: Partial<DestructionOrder> = {}): DestructionOrder => ({
  id: idOf(number),
  customerId: clinicId,
  kind: 'patient',
  subjectId: idOf(12),
  subject: {
    patientId: idOf(12),
    patientName: 'Eva Sund',
    personalNumber: '198504232384',
    protectedIdentity: false,
    studyDescription: null,
    studyDate: null,
    imageNumber: null,
  },
  basis: 'authority',
  reference: 'IVO 3.2.1-47/2026',
  reason: 'Wrong person',
  state: 'proposed',
  proposedBy: { id: idOf(81), name: 'Maja Lindqvist' },
  proposedAt: '2026-11-20T08:15:00.000Z',
  decidedBy: null,
  decidedAt: null,
  dueAt: null,
  endedBy: null,
  endedAt: null,
  counts: { patients: 0, studies: 0, images: 0, files: 0 },
  ...more,
});

const open = async (
  orders: readonly DestructionOrder[],
  { years = 10, backupKeepDays = 30 }: { years?: number | null; backupKeepDays?: number | null } = {},
) => {
  const archive = anArchive(({ route, params }: Called) => {
    if (route === retentionDue) {
      const data = years === null ? [] : [eva];
      return { data, totalCount: data.length, isTotalExact: true, next: null, retentionYears: years };
    }
    if (route === destructionList) return { data: orders, totalCount: orders.length, backupKeepDays };
    return { id: params.id ?? idOf(99) };
  });
  await show(
    <WithRecords call={archive.call}>
      <Notifications />
      <RetentionPage clinicId={clinicId} accountId={own} />
    </WithRecords>,
  );
  const called = (route: unknown) => archive.calls.filter((one) => one.route === route);
  return { called };
};

beforeEach(() => window.history.replaceState(null, '', `/${clinicId}/retention`));

it('lists patients whose retention has ended, and proposes to destroy one', async () => {
  const { called } = await open([]);
  const row = await screen.findByRole('row', { name: /Eva Sund/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['198504232384', '2015-02-03', '2025-02-03', '2026-01-02', 'Propose …']);
  await userEvent.click(within(row).getByRole('button', { name: 'Propose to destroy the record of Eva Sund' }));
  const dialog = await screen.findByRole('dialog', { name: 'Propose destruction' });
  expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: 'The retention has ended' }).checked).toBe(true);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Propose' }));
  expect(within(dialog).getAllByText('This field are required')).toHaveLength(2);
  expect(called(destructionPropose)).toEqual([]);
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^Reference number/ }), 'K 12/2026');
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'Term ended');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Propose' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Propose destruction' })).toBeNull());
  expect(called(destructionPropose)[0]?.body).toEqual({
    customerId: clinicId,
    kind: 'patient',
    subjectId: eva.id,
    basis: 'retention',
    reference: 'K 12/2026',
    reason: 'Term ended',
  });
  await waitFor(() => expect(called(destructionList).length, 'the orders are read again').toBe(2));
});

it('says that a clinic never destroys', async () => {
  await open([], { years: null });
  expect(await screen.findByText(/^This clinic never destroys records/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

it('approves an order of another administrator when its reference is typed', async () => {
  const { called } = await open([order(20)]);
  await userEvent.click(await screen.findByRole('button', { name: 'Approve …' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve destruction' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Approve' }));
  expect(within(dialog).getByText('This is not the reference number of the order')).toBeTruthy();
  expect(called(destructionApprove)).toEqual([]);
  await userEvent.type(within(dialog).getByRole('textbox'), 'IVO 3.2.1-47/2026{Enter}');
  await waitFor(() => expect(called(destructionApprove)).toHaveLength(1));
  expect(called(destructionApprove)[0]).toMatchObject({
    params: { id: idOf(20) },
    body: { reference: 'IVO 3.2.1-47/2026' },
  });
});

it('does not offer to approve or refuse an own proposal, but to revoke it', async () => {
  const { called } = await open([order(20, { proposedBy: { id: own, name: 'Göran Åkerblom' } })]);
  expect(await screen.findByText('Another administrator must approve your proposal.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve …' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Refuse' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(called(destructionRevoke).map(({ params }) => params.id)).toEqual([idOf(20)]));
});

it('refuses a proposal', async () => {
  const { called } = await open([order(20)]);
  await userEvent.click(await screen.findByRole('button', { name: 'Refuse' }));
  await waitFor(() => expect(called(destructionRefuse).map(({ params }) => params.id)).toEqual([idOf(20)]));
});

it('shows until when an approved order can be revoked, and of a destroyed one only numbers', async () => {
  const by = { id: own, name: 'Göran Åkerblom' };
  const decided = { decidedBy: by, decidedAt: '2026-11-21T08:00:00.000Z', dueAt: '2026-11-24T08:00:00.000Z' };
  await open([
    order(20, { state: 'approved', ...decided }),
    order(21, {
      state: 'destroyed',
      ...decided,
      subject: null,
      endedAt: '2026-11-24T08:05:00.000Z',
      counts: { patients: 1, studies: 2, images: 9, files: 7 },
    }),
  ]);
  const [approved, destroyed] = await screen.findAllByRole('listitem');
  if (!approved || !destroyed) throw new Error('two orders');
  expect(approved.textContent).toContain('Can be revoked until 2026-11-24');
  expect(within(approved).getByRole('button', { name: 'Revoke' })).toBeTruthy();
  expect(destroyed.textContent).not.toContain('Sund');
  expect(destroyed.textContent).toContain('Patients: 1, studies: 2, images: 9, files: 7');
  expect(within(destroyed).queryByRole('button')).toBeNull();
});

const destroyed = order(21, { state: 'destroyed', subject: null, endedAt: '2026-11-24T08:05:00.000Z' });
const textOf = async () => (await screen.findByRole('listitem')).textContent;

it('shows until when automatic backups can have a destroyed record, and what to do with others', async () => {
  await open([destroyed], { backupKeepDays: 45 });
  expect(await textOf()).toContain('Automatic backups can have the record until 2027-01-08');
  expect(await textOf()).toContain('the administrator of the server removes those made before 2026-11-24');
});

it('says what to do with backups of a destroyed record where the server makes none', async () => {
  await open([destroyed], { backupKeepDays: null });
  expect(await textOf()).toContain('The server makes no automatic backups');
  expect(await textOf()).toContain('removes all backups and copies made before 2026-11-24');
});

it('says nothing of backups before the record is destroyed', async () => {
  await open([order(20, { state: 'destroying' })]);
  expect(await textOf()).not.toContain('backups');
});
