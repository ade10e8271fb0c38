import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Order, OrderStation } from '../../contract/orders.ts';
import type { Patient } from '../../contract/patients.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { OrderImages } from '../../src/views/edit/orders/order-images.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const order = (number: number, more: Partial<Order> = {}): Order => ({
  id: idOf(number),
  patientId: idOf(9),
  procedure: `Procedure ${number}`,
  modality: 'PX',
  day: '2026-11-30',
  time: '09:30',
  comment: '',
  station: null,
  status: 'scheduled',
  studyUid: '2.25.1',
  version: 1,
  isReported: false,
  accessionNumber: `D${number}`,
  createdAt: '2026-11-29T08:00:00.000Z',
  ...more,
});
const station: OrderStation = { id: idOf(50), name: 'Panorama', aeTitle: 'OPG' };

interface Options {
  readonly orders?: readonly Order[];
  readonly isProtected?: boolean;
  readonly disabledReason?: string | null;
  readonly createOrder?: (body: unknown) => Promise<Order>;
  readonly cancelOrder?: (order: unknown) => Promise<void>;
  readonly updateOrder?: (change: unknown) => Promise<void>;
}

const openDialog = async ({ orders = [], isProtected = false, disabledReason = null, ...calls }: Options = {}) => {
  const createOrder = calls.createOrder ?? vi.fn(async () => order(3));
  const cancelOrder = calls.cancelOrder ?? vi.fn(async () => {});
  const updateOrder = calls.updateOrder ?? vi.fn(async () => {});
  const list = (id: string) => ({
    queryKey: ['orders', id],
    queryFn: async () => ({ orders, stations: [station] }),
  });
  const value = { orders: list, createOrder, cancelOrder, updateOrder };
  const records = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  const patient = { id: idOf(9), mainInfo: { protectedIdentity: isProtected } } as Patient;
  await show(
    <AppContextProvider value={{ records: () => records } as unknown as AppContext}>
      <OrderImages patient={patient} disabledReason={disabledReason} onClose={() => undefined} />
    </AppContextProvider>,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Order images' }));
  await dialog.findByRole('heading', { name: 'Orders' });
  return { dialog, createOrder, cancelOrder, updateOrder };
};

it('orders by keyboard what is typed, on the chosen device', async () => {
  const { dialog, createOrder } = await openDialog();
  const procedure = dialog.getByRole<HTMLInputElement>('textbox', { name: /^Procedure/ });
  await userEvent.type(procedure, 'Panorama before surgery');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Modality' }), 'Computed tomography');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Device' }), 'Panorama (OPG)');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Comment for the device' }), 'Jaw joint');
  procedure.focus();
  await userEvent.keyboard('{Enter}');
  await dialog.findByText('Ordered. Accession number D3.');
  expect(createOrder).toHaveBeenCalledExactlyOnceWith({
    patientId: idOf(9),
    procedure: 'Panorama before surgery',
    modality: 'CT',
    stationId: station.id,
    day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    time: expect.stringMatching(/^\d{2}:\d{2}$/),
    comment: 'Jaw joint',
  });
  expect(procedure.value).toBe('');
});

it('orders nothing without a procedure, or with a character that DICOM separates values by', async () => {
  const { dialog, createOrder } = await openDialog();
  const procedure = dialog.getByRole('textbox', { name: /^Procedure/ });
  for (const text of ['', 'A\\B']) {
    await userEvent.clear(procedure);
    if (text) await userEvent.type(procedure, text);
    await userEvent.click(dialog.getByRole('button', { name: 'Order' }));
    expect(await dialog.findByText('2 to 64 characters, no backslash')).toBeDefined();
  }
  expect(createOrder).not.toHaveBeenCalled();
});

it('lists each order with its status, and offers to cancel the open ones', async () => {
  const done = order(2, { status: 'completed', station: { id: station.id, name: station.name } });
  const { dialog } = await openDialog({ orders: [order(1), done] });
  const [open, ended] = dialog.getAllByRole('listitem').map((item) => within(item));
  expect(open?.getByText('Scheduled')).toBeDefined();
  expect(open?.getByText('2026-11-30 09:30, Panoramic, Any device')).toBeDefined();
  expect(open?.getByText('Accession number D1')).toBeDefined();
  expect(open?.getByRole('button', { name: 'Cancel order Procedure 1' })).toBeDefined();
  expect(ended?.getByText('Completed')).toBeDefined();
  expect(ended?.queryByRole('button')).toBeNull();
});

it('cancels an order after a confirmation, by keyboard', async () => {
  const { dialog, cancelOrder } = await openDialog({ orders: [order(1)] });
  dialog.getByRole('button', { name: 'Cancel order Procedure 1' }).focus();
  await userEvent.keyboard('{Enter}');
  const confirm = await dialog.findByRole('button', { name: 'Cancel order' });
  expect(document.activeElement).toBe(confirm);
  expect(cancelOrder).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(cancelOrder).toHaveBeenCalledExactlyOnceWith(order(1).id));
  expect(await dialog.findByText('The order Procedure 1 is cancelled.')).toBeDefined();
});

it('changes a scheduled order in its place, by keyboard, with the version that the user saw', async () => {
  const { dialog, updateOrder } = await openDialog({ orders: [order(1, { version: 4, comment: 'Jaw' })] });
  dialog.getByRole('button', { name: 'Change the order Procedure 1' }).focus();
  await userEvent.keyboard('{Enter}');
  const item = within(dialog.getByRole('listitem'));
  const procedure = item.getByRole<HTMLInputElement>('textbox', { name: /^Procedure/ });
  expect(document.activeElement).toBe(procedure);
  expect(procedure.value).toBe('Procedure 1');
  await userEvent.clear(procedure);
  await userEvent.keyboard('Bitewing{Enter}');
  await dialog.findByText('The order Bitewing is changed.');
  expect(updateOrder).toHaveBeenCalledExactlyOnceWith({
    id: idOf(1),
    version: 4,
    procedure: 'Bitewing',
    modality: 'PX',
    stationId: null,
    day: '2026-11-30',
    time: '09:30',
    comment: 'Jaw',
  });
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Change the order Procedure 1' }));
});

it.each([
  ['order-not-scheduled', 'The order has begun or ended, so it cannot be changed'],
  ['conflict', 'Another user changed this at the same time'],
] as const)('says why a change is refused with %s, and shows the saved order', async (code, text) => {
  const failure = { kind: 'refused', status: 409, code, errors: [] } as const;
  const updateOrder = () => Promise.reject(new ServiceError(failure));
  const { dialog } = await openDialog({ orders: [order(1)], updateOrder });
  await userEvent.click(dialog.getByRole('button', { name: 'Change the order Procedure 1' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(text)).toBeDefined();
  expect(within(dialog.getByRole('listitem')).queryByRole('textbox')).toBeNull();
});

it('says that a device has reported on a cancelled order, which cannot be changed', async () => {
  const { dialog } = await openDialog({ orders: [order(1, { status: 'cancelled', isReported: true })] });
  expect(dialog.getByText(/reported this examination although the order is cancelled/)).toBeDefined();
  expect(within(dialog.getByRole('listitem')).queryByRole('button')).toBeNull();
});

it('offers neither form nor cancelling to a user without the right, and says why', async () => {
  const { dialog } = await openDialog({ orders: [order(1)], disabledReason: 'You may not make studies' });
  expect(dialog.getByText('You may not make studies')).toBeDefined();
  expect(dialog.queryByRole('textbox')).toBeNull();
  expect(dialog.queryByRole('button', { name: /^Cancel/ })).toBeNull();
});

it('says that devices do not list a protected identity', async () => {
  const { dialog } = await openDialog({ isProtected: true });
  expect(dialog.getByText('Protected identity')).toBeDefined();
});
