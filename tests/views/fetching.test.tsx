import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { DicomFetch, FoundStudy } from '../../contract/dicom-fetches.ts';
import type { Patient } from '../../contract/patients.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { FetchDialog } from '../../src/views/fetching/fetch-dialog.tsx';
import { Fetches } from '../../src/views/fetching/fetch-list.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const clinicId = idOf(90);
const patient: Patient = {
  id: idOf(9),
  customerId: clinicId,
  mainInfo: {
    firstName: 'Åsa',
    lastName: 'Lindström',
    birthDate: '1980-01-01',
    sex: null,
    personalNumber: '19800101-1234',
    comments: null,
    lastStudyDate: null,
    protectedIdentity: false,
  },
  totalStudies: 0,
  version: 1,
};
const study = (number: number, more: Partial<FoundStudy> = {}): FoundStudy => ({
  studyUid: `2.25.${number}`,
  description: `Study ${number}`,
  studyDate: '2026-01-02',
  modalities: ['IO'],
  images: 2,
  patient: { name: 'Lindström^Åsa', patientId: '800101-1234', birthDate: '1980-01-01' },
  differences: [],
  needsConfirmation: false,
  imagesHere: null,
  isOfAnotherPatient: false,
  ...more,
});
const stranger = study(2, {
  patient: { name: 'Lindstrand^Åsa', patientId: '19800101-1234', birthDate: null },
  differences: ['name'],
  needsConfirmation: true,
});

const withQueries = (queries: Partial<AppQueries>, piece: ReactNode) =>
  show(<AppQueriesProvider value={queries as AppQueries}>{piece}</AppQueriesProvider>);

const search = async (reply: Partial<Awaited<ReturnType<AppQueries['searchDevice']>>>) => {
  const [onStarted, onClose] = [vi.fn(), vi.fn()];
  const searchDevice = vi.fn(async () => ({ failure: null, isComplete: true, studies: [], ...reply }));
  const fetchStudies = vi.fn(async () => ({}) as DicomFetch);
  const dicomFetchSources = () => ({
    queryKey: ['sources'],
    queryFn: async () => ({ devices: [{ id: idOf(1), name: 'Hospital', aeTitle: 'PACS' }] }),
  });
  await withQueries(
    { dicomFetchSources, searchDevice, fetchStudies },
    <FetchDialog patient={patient} onStarted={onStarted} onClose={onClose} />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Fetch from another archive' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Search' }));
  return { dialog, searchDevice, fetchStudies, onStarted, onClose };
};

describe('the dialog for fetching', () => {
  it('searches by number, and fetches the chosen studies', async () => {
    const { dialog, searchDevice, fetchStudies, onClose } = await search({ studies: [study(1, { imagesHere: 1 })] });
    expect(await dialog.findByText(/1 image of it is here already/)).toBeTruthy();
    expect(searchDevice).toHaveBeenCalledWith({ deviceId: idOf(1), patientId: patient.id, by: 'number' });
    await userEvent.click(dialog.getByRole('checkbox', { name: '2026-01-02 Study 1' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Fetch 1 study' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(fetchStudies).toHaveBeenCalledWith({
      deviceId: idOf(1),
      patientId: patient.id,
      studies: [expect.objectContaining({ studyUid: '2.25.1', isSamePatient: false })],
    });
  });

  it('fetches a study of a patient with other values only after a tick of its own', async () => {
    const { dialog, fetchStudies } = await search({ studies: [stranger] });
    expect(await dialog.findByText('Hospital has another patient with it: name.')).toBeTruthy();
    expect(dialog.getByRole('row', { name: 'Name Åsa Lindstrand Åsa Lindström' })).toBeTruthy();
    await userEvent.click(dialog.getByRole('checkbox', { name: '2026-01-02 Study 2' }));
    const fetch = dialog.getByRole<HTMLButtonElement>('button', { name: 'Fetch 1 study' });
    expect(fetch.disabled).toBe(true);
    await userEvent.click(dialog.getByRole('checkbox', { name: 'This is the same patient' }));
    await userEvent.click(fetch);
    await waitFor(() => expect(fetchStudies).toHaveBeenCalledOnce());
  });

  it('does not offer a study that another patient of the clinic has', async () => {
    const { dialog } = await search({ studies: [study(3, { isOfAnotherPatient: true })] });
    const box = await dialog.findByRole<HTMLInputElement>('checkbox', { name: '2026-01-02 Study 3' });
    expect(box.disabled).toBe(true);
  });

  it.each([
    ['timed-out', 'Hospital did not answer in time.'],
    ['not-supported', 'Hospital does not let others search in it (C-FIND).'],
  ] as const)('names the device when the search fails: %s', async (failure, text) => {
    const { dialog } = await search({ failure });
    expect(await dialog.findByText(text)).toBeTruthy();
  });
});

const fetch: DicomFetch = {
  id: idOf(3),
  customerId: clinicId,
  patientId: patient.id,
  deviceName: 'Hospital',
  createdAt: '2026-11-20T10:00:00.000Z',
  state: 'fetching',
  failure: null,
  studies: [
    { studyUid: '2.25.1', description: 'Status', studyDate: null, state: 'fetching', found: 12, fetched: 3 },
    { studyUid: '2.25.2', description: '', studyDate: null, state: 'undecided', found: 0, fetched: 0 },
  ],
  refusals: [{ reason: 'other-study', images: 1 }],
};

it.each([
  ['destination-unknown', 'Hospital does not know this archive as a destination (C-MOVE).'],
  ['not-delivered', 'Images from Hospital did not arrive.'],
] as const)('names the device and the reason of a fetch that failed: %s', async (failure, text) => {
  const failed: DicomFetch = { ...fetch, state: 'failed', failure, refusals: [] };
  const dicomFetches = () => ({ queryKey: ['fetches', failure], queryFn: async () => ({ fetches: [failed] }) });
  await withQueries({ dicomFetches }, <Fetches customerId={clinicId} />);
  expect(await screen.findByText(text, { exact: false })).toBeTruthy();
});

it('lists what was fetched and what was not, and stops a fetch that runs', async () => {
  const cancelFetch = vi.fn(async () => ({}));
  const dicomFetches = () => ({ queryKey: ['fetches'], queryFn: async () => ({ fetches: [fetch] }) });
  await withQueries({ dicomFetches, cancelFetch }, <Fetches customerId={clinicId} />);
  const list = within(await screen.findByRole('region', { name: 'Studies from other archives' }));
  expect(list.getByText('Fetched 3 of 12 images')).toBeTruthy();
  expect(list.getByText('1 image is of another study and was refused')).toBeTruthy();
  expect(list.getByRole('link', { name: 'Decide under Import' }).getAttribute('href')).toBe('/import');
  await userEvent.click(list.getByRole('button', { name: 'Stop fetching from Hospital' }));
  expect(cancelFetch).toHaveBeenCalledWith(fetch.id);
});
