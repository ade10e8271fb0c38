import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { SharedLink } from '../../../contract/shared-links.ts';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { SharedLinks } from '../../../src/views/gallery/shared-links.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';

const open: SharedLink = {
  id: idOf(1),
  recipient: 'Käkkirurgen',
  purpose: 'Remiss',
  images: 3,
  madeBy: 'Anna Prov',
  madeAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-27T10:00:00.000Z',
  opened: 2,
  lastOpenedAt: '2026-11-21T08:30:00.000Z',
  state: 'open',
  endedAt: null,
};
const closed: SharedLink = {
  ...open,
  id: idOf(2),
  recipient: 'Patienten',
  purpose: null,
  images: 1,
  opened: 0,
  lastOpenedAt: null,
  state: 'wrong-codes',
  endedAt: '2026-11-22T10:00:00.000Z',
};

interface Reply {
  readonly isOffered: boolean;
  readonly data: readonly SharedLink[];
}

const openList = async (reply: () => Promise<Reply>, endLink: (id: string) => Promise<void> = async () => {}) => {
  const sharedLinks = (patientId: string) => ({ queryKey: ['shared-links', patientId], queryFn: reply });
  const value = { sharedLinks, endLink };
  const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  await show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <SharedLinks patientId={idOf(9)} onClose={() => undefined} />
    </AppContextProvider>,
  );
  return within(await screen.findByRole('dialog', { name: 'Shared links' }));
};
const itemOf = (recipient: string) =>
  within(screen.getByRole('heading', { name: recipient }).closest('li') as HTMLElement);

it('lists recipient, purpose, images, openings, maker and state of each link', async () => {
  await openList(async () => ({ isOffered: true, data: [open, closed] }));
  await screen.findByRole('heading', { name: 'Käkkirurgen' });
  const text = itemOf('Käkkirurgen').getByText.bind(null);
  expect(text('Remiss, 3 images')).toBeDefined();
  expect(text(/^Valid until Nov 27, 2026/)).toBeDefined();
  expect(text(/^Opened 2 times, last Nov 21, 2026/)).toBeDefined();
  expect(text(/^Made by Anna Prov, Nov 20, 2026/)).toBeDefined();
  const other = itemOf('Patienten');
  expect(other.getByText('1 image')).toBeDefined();
  expect(other.getByText('Never opened')).toBeDefined();
  expect(other.getByText(/^Closed after wrong codes Nov 22, 2026/)).toBeDefined();
  expect(other.queryByRole('button')).toBeNull();
});

it('ends a link after a confirmation, by keyboard', async () => {
  const endLink = vi.fn(async () => {});
  await openList(async () => ({ isOffered: true, data: [open] }), endLink);
  const end = () => screen.findByRole('button', { name: 'Stop sharing with Käkkirurgen' });
  (await end()).focus();
  await userEvent.keyboard('{Enter}');
  const confirm = await screen.findByRole('button', { name: 'Stop sharing' });
  expect(document.activeElement).toBe(confirm);
  await userEvent.click(screen.getByRole('button', { name: 'Keep sharing' }));
  expect(endLink).not.toHaveBeenCalled();
  await userEvent.click(await end());
  await userEvent.click(await screen.findByRole('button', { name: 'Stop sharing' }));
  await waitFor(() => expect(endLink).toHaveBeenCalledWith(idOf(1)));
});

it('says why a link could not be ended', async () => {
  const failed = () => Promise.reject(Object.assign(new Error(), { failure: { kind: 'offline' } }));
  await openList(async () => ({ isOffered: true, data: [open] }), failed);
  await userEvent.click(await screen.findByRole('button', { name: 'Stop sharing with Käkkirurgen' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Stop sharing' }));
  expect(await screen.findByText(/^The link could not be stopped/)).toBeDefined();
});

it('says that there are no links, or that the clinic does not share', async () => {
  await openList(async () => ({ isOffered: true, data: [] }));
  expect(await screen.findByText('No links for this patient')).toBeDefined();
  expect(document.body.textContent).toContain('“Images for a recipient …” in the menu makes one.');
});

it('says that the clinic does not share, and still lists earlier links', async () => {
  await openList(async () => ({ isOffered: false, data: [{ ...closed, state: 'clinic-off' }] }));
  expect(await screen.findByText('The clinic does not share images by link')).toBeDefined();
  expect(screen.getByText(/the clinic stopped sharing$/)).toBeDefined();
});
