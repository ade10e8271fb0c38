import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { DicomSending } from '../../contract/dicom-sendings.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { SendDialog } from '../../src/views/sending/send-dialog.tsx';
import { Sendings } from '../../src/views/sending/sending-list.tsx';
import { sendingsState } from '../../src/views/sending/use-sendings.ts';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const clinicId = idOf(90);
const sending = (number: number, more: Partial<DicomSending> = {}): DicomSending => ({
  id: idOf(number),
  customerId: clinicId,
  patientId: idOf(9),
  deviceName: 'PACS',
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'sending',
  failure: null,
  total: 12,
  sent: 3,
  notSent: 0,
  unsent: [],
  commitment: null,
  notConfirmed: 0,
  ...more,
});
const refusedBy = (code: string) => Object.assign(new Error(code), { failure: { kind: 'refused', code } });

const withQueries = (queries: Partial<AppQueries>, piece: ReactNode) =>
  show(<AppQueriesProvider value={queries as AppQueries}>{piece}</AppQueriesProvider>);

interface Device {
  readonly id: string;
  readonly name: string;
  readonly aeTitle: string;
}
const pacs: Device = { id: idOf(1), name: 'PACS', aeTitle: 'PACS1' };
const specialist: Device = { id: idOf(2), name: 'Käkkirurgen', aeTitle: 'OMS' };

const openDialog = async (devices: readonly Device[], sendToDevice = vi.fn(async () => sending(1))) => {
  const [onStarted, onClose] = [vi.fn(), vi.fn()];
  const dicomDestinations = (id: string) => ({
    queryKey: ['devices', id],
    queryFn: async () => ({ devices: [...devices] }),
  });
  await withQueries(
    { dicomDestinations, sendToDevice },
    <SendDialog scope={{ studyId: idOf(5) }} customerId={clinicId} onStarted={onStarted} onClose={onClose} />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Send to a device' }));
  return { dialog, sendToDevice, onStarted, onClose };
};

describe('the dialog for sending', () => {
  it('sends to the chosen device', async () => {
    const { dialog, sendToDevice, onStarted, onClose } = await openDialog([specialist, pacs]);
    const send = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Send' });
    expect(send.disabled).toBe(true);
    expect(dialog.getByText('OMS')).toBeTruthy();
    await userEvent.click(dialog.getByLabelText('PACS'));
    await userEvent.click(send);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(sendToDevice).toHaveBeenCalledWith({ deviceId: pacs.id, studyId: idOf(5) });
    expect(onStarted).toHaveBeenCalledOnce();
  });

  it('chooses the only device', async () => {
    const { dialog, sendToDevice } = await openDialog([pacs]);
    await userEvent.click(await dialog.findByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sendToDevice).toHaveBeenCalledWith({ deviceId: pacs.id, studyId: idOf(5) }));
  });

  it('says who lists devices when there is none', async () => {
    const { dialog } = await openDialog([]);
    await dialog.findByText('The clinic has no device that takes images');
    expect(dialog.queryByRole('button', { name: 'Send' })).toBeNull();
  });

  it('stays open with the reason when sending does not start', async () => {
    const failing = vi.fn(async () => Promise.reject(refusedBy('not-found')));
    const { dialog, onClose } = await openDialog([pacs], failing);
    await userEvent.click(await dialog.findByRole('button', { name: 'Send' }));
    expect((await dialog.findByText(/./, { selector: '[data-tone="bad"] span' })).textContent).not.toBe('');
    expect(onClose).not.toHaveBeenCalled();
  });
});

const openList = async (sendings: DicomSending[], writes: Partial<AppQueries> = {}) => {
  const dicomSendings = () => ({ queryKey: ['sendings'], queryFn: async () => ({ sendings: [...sendings] }) });
  await withQueries({ dicomSendings, ...writes }, <Sendings customerId={clinicId} />);
  return within(await screen.findByRole('region', { name: 'Images to devices' }));
};

describe('the list of sendings', () => {
  it('counts the images that are sent, and stops one that runs', async () => {
    const cancelSending = vi.fn(async () => ({}));
    const list = await openList([sending(1)], { cancelSending });
    expect(list.getByText('Sent 3 of 12 images')).toBeTruthy();
    expect(list.getByRole('link', { name: 'Open patient' }).getAttribute('href')).toBe(`/patient/${idOf(9)}`);
    await userEvent.click(list.getByRole('button', { name: 'Stop sending to PACS' }));
    expect(cancelSending).toHaveBeenCalledWith(idOf(1));
  });

  it('names the device that fails, and says when another attempt follows', async () => {
    const list = await openList([
      sending(1, { state: 'waiting', failure: 'unreachable' }),
      sending(2, { state: 'failed', failure: 'rejected', deviceName: 'OPG' }),
    ]);
    list.getByText('PACS does not answer, or the connection was lost. Another attempt follows.');
    list.getByText('OPG rejects the archive. Its list of AE titles may lack that of the archive.');
  });

  it('names each image that was not sent with the reason, and counts those that are not named', async () => {
    const image = { imageUID: idOf(31), modality: 'PX', number: 2, reason: 'not-accepted', status: null } as const;
    const list = await openList([
      sending(1, {
        state: 'done',
        sent: 9,
        notSent: 3,
        unsent: [image, { ...image, imageUID: idOf(32), number: null, reason: 'refused', status: 0xc000 }],
      }),
    ]);
    list.getByText('3 images were not sent');
    list.getByText('PX, image 2: PACS does not take images of this kind or encoding');
    list.getByText('PX, image without a number: PACS refused it (status C000)');
    list.getByText('and 1 more');
  });

  it('says whether the device has confirmed what it has stored', async () => {
    const done = { state: 'done', total: 3, sent: 3 } as const;
    const list = await openList([
      sending(1, { ...done, commitment: 'waiting' }),
      sending(2, { ...done, commitment: 'confirmed', deviceName: 'OPG' }),
      sending(3, { ...done, commitment: 'not-confirmed', notConfirmed: 2, deviceName: 'Archive' }),
      sending(4, { ...done, commitment: 'refused', deviceName: 'Viewer' }),
      sending(5, { ...done, commitment: 'no-answer', deviceName: 'Specialist' }),
      sending(6, { ...done, state: 'failed', failure: 'not-allowed' }),
    ]);
    list.getByText('Stored. PACS has yet to confirm it.');
    list.getByText('Stored, and confirmed by OPG');
    list.getByText('Archive does not confirm 2 images. Check there whether it has them.');
    list.getByText('Viewer took the images, but does not confirm that it has stored them.');
    list.getByText('Specialist took the images, but has not confirmed within a day that it has stored them.');
    list.getByText('You may not send these images any more, so the rest was not sent.');
  });

  it('removes an ended one, and keeps it with the reason when that fails', async () => {
    const removeSending = vi
      .fn(async (): Promise<Record<string, never>> => ({}))
      .mockRejectedValueOnce(refusedBy('conflict'));
    const list = await openList([sending(1, { state: 'done', sent: 12 })], { removeSending });
    const remove = () => list.getByRole('button', { name: 'Remove “To PACS” from the list' });
    await userEvent.click(remove());
    await list.findByText(/^That did not work:/);
    await userEvent.click(remove());
    expect(removeSending).toHaveBeenCalledTimes(2);
    await waitFor(() => expect(list.queryByText(/^That did not work:/)).toBeNull());
  });
});

describe('the state in the header', () => {
  it('counts what runs and how far it is, and marks failures and images that were not sent', () => {
    expect(sendingsState([])).toBeNull();
    expect(sendingsState([sending(1), sending(2, { state: 'done', sent: 12 })])).toEqual({
      running: 1,
      needsAttention: false,
      percent: 25,
    });
    const done = sending(1, { state: 'done', sent: 11, notSent: 1 });
    expect(sendingsState([done])).toEqual({ running: 0, needsAttention: true, percent: 0 });
    expect(sendingsState([sending(1, { state: 'failed', failure: 'busy' })])?.needsAttention).toBe(true);
    expect(sendingsState([sending(1, { state: 'cancelled', sent: 2, notSent: 1 })])?.needsAttention).toBe(false);
  });
});
