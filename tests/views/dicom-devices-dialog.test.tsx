import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type DicomDevice, dicomDevicesAtMost } from '../../contract/dicom-devices.ts';
import failure from '../../locales/en/failure.json' with { type: 'json' };
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { choose, clinic, fill, menuOf, openUsers, refused, userOf } from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

const device = (number: number, more: Partial<DicomDevice> = {}): DicomDevice => ({
  id: idOf(number),
  name: `Unit ${number}`,
  aeTitle: `UNIT${number}`,
  address: '192.0.2.7',
  port: 104,
  tls: false,
  canRetrieve: false,
  canStore: false,
  atOnce: false,
  seesWorklist: false,
  asksCommitment: false,
  createdAt: '2026-01-01T12:00:00.000Z',
  contactAt: null,
  contact: null,
  ...more,
});

const openDialog = async (devices: DicomDevice[], more: Parameters<typeof openUsers>[1] = {}) => {
  const answer = ({ route, body }: Called): unknown => {
    if (route.path === '/api/DicomDevices/:customerId') return { aeTitle: 'DENTARIUM', devices: [...devices] };
    if (route.path === '/api/DicomDevices/create') {
      const { customerId: _, ...fields } = body as Partial<DicomDevice> & { customerId: string };
      const added = device(50, fields);
      devices.push(added);
      return added;
    }
    if (route.path === '/api/DicomDevices/update') {
      const changed = { ...device(1), ...(body as Partial<DicomDevice>) };
      devices[0] = changed;
      return changed;
    }
    if (route.path === '/api/DicomDevices/remove') devices.shift();
    if (route.path === '/api/DicomDevices/echo') {
      const tested = { ...device(1), contact: 'rejected', contactAt: '2026-03-01T12:00:00.000Z' } as const;
      devices[0] = tested;
      return tested;
    }
    return undefined;
  };
  const opened = await openUsers([userOf(1)], { answer, ...more });
  await menuOf(clinic.name);
  await choose('DICOM devices (AE titles) …');
  await screen.findByRole('dialog', { name: `DICOM devices of ${clinic.name}` });
  return opened;
};

describe('the DICOM devices of a clinic', () => {
  it('are listed with title, address, rights and last contact, below the title of the archive', async () => {
    await openDialog([
      device(1, { canRetrieve: true, contactAt: '2026-03-01T12:00:00.000Z', contact: 'connected' }),
      device(2, { port: null }),
      device(3, { canRetrieve: true, canStore: true, atOnce: true }),
      device(4, { canStore: true, seesWorklist: true }),
      device(5, { seesWorklist: true, asksCommitment: true }),
    ]);
    expect((await screen.findByLabelText<HTMLInputElement>('AE title of the archive')).value).toBe('DENTARIUM');
    const rows = within(await screen.findByRole('table', { name: 'DICOM devices' })).getAllByRole('row');
    expect(rows[1]?.textContent).toMatch(/Unit 1UNIT1192.0.2.7, port 104Search and fetch images.*2026.*Connected/);
    expect(rows[2]?.textContent).toMatch(/Unit 2UNIT2192.0.2.7Test the connection onlyNever/);
    expect(rows[3]?.textContent).toContain('Search, fetch and send images (matching images without asking)');
    expect(rows[4]?.textContent).toContain('Send images, worklist');
    expect(rows[5]?.textContent).toContain('worklist, is asked to confirm what it has stored');
    expect(screen.queryByRole('button', { name: 'Test the connection to “Unit 2”' })).toBeNull();
  });

  it('are added with valid values only', async () => {
    const { callsOf } = await openDialog([]);
    await screen.findByText('The clinic has no DICOM device yet.');
    await fill(/^Port of the device/, '70000');
    await fill(/^AE title \*?$/, 'RÖNTGEN');
    await fill(/^IP address/, 'pacs.clinic.example');
    await userEvent.click(screen.getByRole('button', { name: 'Add the device' }));
    for (const text of [/^2 to 100 characters/, /^1 to 16 letters/, /^An IP address, for example/, '1 to 65535'])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(callsOf('/api/DicomDevices/create')).toEqual([]);
    await fill(/^Name/, 'PACS');
    await fill(/^AE title \*?$/, 'PACS');
    await fill(/^IP address/, '192.0.2.9');
    await fill(/^Port of the device/, '');
    expect(screen.queryByLabelText(/^Import without asking/)).toBeNull();
    await userEvent.click(screen.getByLabelText('May send images to the clinic'));
    await userEvent.click(screen.getByLabelText(/^Import without asking/));
    await userEvent.click(screen.getByLabelText('May ask for the worklist and report what it has done'));
    await userEvent.click(screen.getByRole('button', { name: 'Add the device' }));
    expect(await screen.findByRole('row', { name: /PACS/ })).toBeTruthy();
    expect(callsOf('/api/DicomDevices/create').map(({ body }) => body)).toEqual([
      {
        customerId: clinic.id,
        name: 'PACS',
        aeTitle: 'PACS',
        address: '192.0.2.9',
        port: null,
        tls: false,
        canRetrieve: false,
        canStore: true,
        atOnce: true,
        seesWorklist: true,
        asksCommitment: false,
      },
    ]);
  });

  it('are called by TLS when the user says so, which needs a port', async () => {
    const { callsOf } = await openDialog([]);
    await fill(/^Name/, 'PACS');
    await fill(/^AE title \*?$/, 'PACS');
    await fill(/^IP address/, '192.0.2.9');
    expect(screen.queryByLabelText('Call it by TLS')).toBeNull();
    await fill(/^Port of the device/, '2762');
    await userEvent.click(screen.getByLabelText('Call it by TLS'));
    await userEvent.click(screen.getByRole('button', { name: 'Add the device' }));
    expect((await screen.findByRole('row', { name: /PACS/ })).textContent).toContain('192.0.2.9, port 2762, TLS');
    expect(callsOf('/api/DicomDevices/create')).toMatchObject([{ body: { port: 2762, tls: true } }]);
  });

  it('are tested, and the result is announced', async () => {
    const { callsOf } = await openDialog([device(1)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Test the connection to “Unit 1”' }));
    const text = '“Unit 1” rejects the archive. Check both AE titles in the device.';
    expect((await screen.findByText(text)).getAttribute('role')).toBe('status');
    expect(callsOf('/api/DicomDevices/echo').map(({ body }) => body)).toEqual([{ customerId: clinic.id, id: idOf(1) }]);
    expect(await screen.findByText(/Rejected the archive/)).toBeTruthy();
  });

  it('are changed with the keyboard, with the values that they have', async () => {
    const { callsOf } = await openDialog([device(1, { canStore: true, atOnce: true, tls: true }), device(2)]);
    (await screen.findByRole('button', { name: 'Change the device “Unit 1”' })).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Change the device “Unit 1”' });
    const name = screen.getByLabelText<HTMLInputElement>(/^Name/);
    expect(document.activeElement).toBe(name);
    expect(screen.queryByRole('table')).toBeNull();
    await userEvent.clear(name);
    await userEvent.keyboard('PACS');
    await userEvent.click(screen.getByLabelText('Ask it to confirm what it has stored'));
    await userEvent.click(name);
    await userEvent.keyboard('{Enter}');
    expect((await screen.findByText('“PACS” is changed.')).getAttribute('role')).toBe('status');
    const changed = await screen.findByRole('button', { name: 'Change the device “PACS”' });
    expect(document.activeElement).toBe(changed);
    expect(callsOf('/api/DicomDevices/update').map(({ body }) => body)).toEqual([
      {
        customerId: clinic.id,
        id: idOf(1),
        name: 'PACS',
        aeTitle: 'UNIT1',
        address: '192.0.2.7',
        port: 104,
        tls: true,
        canRetrieve: false,
        canStore: true,
        atOnce: true,
        seesWorklist: false,
        asksCommitment: true,
      },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Change the device “Unit 2”' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Change the device “Unit 2”' }));
  });

  it('are removed after a question', async () => {
    const { callsOf } = await openDialog([device(1)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the device “Unit 1”' }));
    const question = await screen.findByRole('dialog', { name: 'Remove the device “Unit 1”?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Remove' }));
    await screen.findByText('The clinic has no DICOM device yet.');
    expect(callsOf('/api/DicomDevices/remove').map(({ body }) => body)).toEqual([
      { customerId: clinic.id, id: idOf(1) },
    ]);
  });

  it('are no more than a hundred', async () => {
    await openDialog(Array.from({ length: dicomDevicesAtMost }, (_, index) => device(index + 1)));
    await screen.findByText('A clinic has at most 100 DICOM devices. Remove one to add another.');
    expect(screen.queryByRole('button', { name: 'Add the device' })).toBeNull();
  });

  it('show why one is not added or tested', async () => {
    await openDialog([], {
      answer: ({ route }) => {
        if (route.path === '/api/DicomDevices/:customerId') return { aeTitle: 'DENTARIUM', devices: [device(1)] };
        if (route.path === '/api/DicomDevices/create') return Promise.reject(refused('device-taken'));
        if (route.path === '/api/DicomDevices/echo') return Promise.reject(refused('not-found'));
        return undefined;
      },
    });
    await fill(/^Name/, 'PACS');
    await fill(/^AE title \*?$/, 'PACS');
    await fill(/^IP address/, '192.0.2.9');
    await userEvent.click(screen.getByRole('button', { name: 'Add the device' }));
    await screen.findByText('This AE title is already used by a device');
    await userEvent.click(screen.getByRole('button', { name: 'Test the connection to “Unit 1”' }));
    await screen.findByText(failure['not-found']);
  });
});
