import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Order, OrderPatient } from '../../contract/orders.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { OrdersPage } from '../../src/views/edit/orders/orders-page.tsx';
import { today } from '../../src/views/ui/dates.ts';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const clinicId = idOf(7);
const panorama = { id: idOf(50), name: 'Panorama', aeTitle: 'OPG' };
const cbct = { id: idOf(51), name: 'CBCT', aeTitle: 'CT' };
const patients: readonly OrderPatient[] = [
  { id: idOf(1), firstName: 'Åsa', lastName: 'Lind', personalNumber: '19800101-1234', protectedIdentity: false },
  { id: idOf(2), firstName: 'Bo', lastName: 'Berg', personalNumber: '19770707-7777', protectedIdentity: true },
];
const order = (number: number, patientId: string, more: Partial<Order> = {}): Order => ({
  id: idOf(20 + number),
  patientId,
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
const orders = [
  order(1, idOf(1), { time: '08:00', station: panorama, status: 'completed' }),
  order(2, idOf(2), { time: '09:00', station: cbct, status: 'in-progress' }),
  order(3, idOf(1), { time: '10:00' }),
];

beforeEach(() => window.history.replaceState(null, '', `/${clinicId}/orders`));

const openPage = async (listed: readonly Order[] = orders) => {
  const ordersOfDay = vi.fn((customerId: string, day: string) => ({
    queryKey: ['orders', 'day', customerId, day],
    queryFn: async () => ({ orders: listed, patients, stations: [panorama, cbct] }),
  }));
  const value = { ordersOfDay, cancelOrder: vi.fn(), updateOrder: vi.fn() };
  const records = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  await show(
    <AppContextProvider value={{ records: () => records } as unknown as AppContext}>
      <OrdersPage clinicId={clinicId} />
    </AppContextProvider>,
  );
  return { ordersOfDay };
};
const rows = async () => within(await screen.findByRole('list', { name: 'Orders' })).getAllByRole('listitem');

it('lists the orders of today with time, patient, device and status, and links to the patient', async () => {
  const { ordersOfDay } = await openPage();
  const listed = await rows();
  expect(ordersOfDay).toHaveBeenCalledWith(clinicId, today());
  expect(listed.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/08:00Åsa Lind.*19800101-1234Procedure 1Panoramic, Panorama.*Completed/),
    expect.stringMatching(/09:00Bo Berg.*Procedure 2Panoramic, CBCT.*In progress/),
    expect.stringMatching(/10:00Åsa Lind.*Panoramic, Any device.*Scheduled/),
  ]);
  for (const link of screen.getAllByRole('link', { name: 'Åsa Lind' }))
    expect(link.getAttribute('href')).toBe(`/patient/${idOf(1)}`);
  expect(screen.getAllByRole('img', { name: 'Protected identity' })).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Change the order Procedure 3' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Change the order Procedure 2' })).toBeNull();
});

it('shows what one device sees: its own orders, and those for any device; the address keeps the filter', async () => {
  await openPage();
  await rows();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Device' }), 'CBCT (CT)');
  expect((await rows()).map((row) => /Procedure \d/.exec(row.textContent)?.[0])).toEqual([
    'Procedure 2',
    'Procedure 3',
  ]);
  expect(window.location.search).toBe(`?station=${cbct.id}`);
});

it('lists the orders of another day, and says when there are none', async () => {
  window.history.replaceState(null, '', `/${clinicId}/orders?day=2026-12-24`);
  const { ordersOfDay } = await openPage([]);
  expect(await screen.findByText('Nothing has been ordered for this day.')).toBeDefined();
  expect(ordersOfDay).toHaveBeenLastCalledWith(clinicId, '2026-12-24');
});
