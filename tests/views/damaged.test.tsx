import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DamagedImage } from '../../contract/damaged-images.ts';
import type { FileError } from '../../contract/images.ts';
import { systemStatus } from '../../contract/system-status.ts';
import { type AppContext, AppContextProvider } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { useDownload } from '../../src/views/app/use-download.ts';
import { GalleryTile } from '../../src/views/gallery/gallery-grid.tsx';
import { DamagedPage } from '../../src/views/system/damaged-page.tsx';
import { SystemPage } from '../../src/views/system/system-page.tsx';
import { Thumbnail } from '../../src/views/ui/thumbnail.tsx';
import { Toasts } from '../../src/views/ui/toasts.tsx';
import { galleryImage } from '../gallery-images.ts';
import { anArchive, WithAdministration } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';

const since = '2026-11-02T08:15:00.000Z';
const storageFault: FileError = { kind: 'damaged', since };
const words = { pending: 'Being made', failed: 'Failed', document: 'Document' };

const tile = (more: Parameters<typeof galleryImage>[1]) => (
  <div role="listbox" aria-label="Images">
    <GalleryTile
      index={0}
      image={galleryImage(1, more)}
      isActive
      isChosen={false}
      ofAll={1}
      waiting="Waits"
      words={words}
      isMoving={() => false}
    />
  </div>
);

describe('the tile of an image with a damaged file', () => {
  it('shows the error as text without a thumbnail, also when the thumbnail fails to load', async () => {
    const page = await show(tile({ activeImageThumbLink: null, storageFault }));
    expect(screen.getByText(/^Damaged in storage since .*2026/)).toBeTruthy();
    page.unmount();
    await show(tile({ storageFault: { kind: 'missing', since } }));
    expect(screen.queryByText(/^Missing in storage since/)).toBeNull();
    fireEvent.error(document.querySelector('img') as HTMLImageElement);
    expect(screen.getByText(/^Missing in storage since .*2026/)).toBeTruthy();
  });

  it('shows an icon beside an existing thumbnail, and the error in its name', async () => {
    await show(tile({ storageFault }));
    expect(document.querySelector('img')).toBeTruthy();
    expect(screen.getByRole('img', { name: /^Damaged in storage since/ })).toBeTruthy();
    expect(screen.getByRole('option', { name: /Bitewing 1, Damaged in storage since/ })).toBeTruthy();
  });

  it('shows the error of a document', async () => {
    await show(<Thumbnail link={null} kind="document" words={words} errorText="Damaged in storage" />);
    expect(screen.getByText('Damaged in storage')).toBeTruthy();
  });
});

it('a download reports how many files are missing from it', async () => {
  const value = { download: async () => ({ content: new Blob(['zip']), leftOut: 2 }) };
  const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  URL.createObjectURL = () => 'blob:zip';
  URL.revokeObjectURL = () => undefined;
  const Button = () => {
    const { begin } = useDownload();
    return (
      <button type="button" onClick={() => begin({ imageUIDs: [idOf(1)] })}>
        Download
      </button>
    );
  };
  await show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <Toasts ready />
      <Button />
    </AppContextProvider>,
  );
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Download' })));
  await screen.findByText(/^2 images are not in the download\. The file left-out\.csv/);
});

const aDamaged = (number: number, kind: DamagedImage['kind'] = 'damaged'): DamagedImage => ({
  uid: idOf(number),
  customerId: idOf(900),
  customerName: 'Tandkliniken',
  patientId: idOf(500),
  studyId: idOf(600),
  studyDate: '2026-03-12',
  seriesUid: '1.2.3',
  seriesModalityValue: 'IO',
  kind,
  since,
});

const openPage = (answer: (page: number) => Promise<{ data: DamagedImage[]; totalCount: number }>) => {
  const damagedImages = ({ page }: { page: number }) => ({
    queryKey: ['damaged', page],
    queryFn: () => answer(page),
  });
  return show(
    <AppQueriesProvider value={{ damagedImages } as unknown as AppQueries}>
      <DamagedPage />
    </AppQueriesProvider>,
  );
};

describe('the page of damaged images', () => {
  it('lists clinic, study, image, error and time, links to each image, and pages through the list', async () => {
    await openPage(async (page) => ({
      data: page === 1 ? [aDamaged(1), aDamaged(2, 'missing')] : [aDamaged(3)],
      totalCount: 51,
    }));
    const row = (await screen.findByText(idOf(2))).closest('tr') as HTMLElement;
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['2026-03-12 · Intraoral', 'Missing', expect.stringContaining('2026'), 'Tandkliniken', idOf(2)]);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/patient/${idOf(500)}/1.2.3?image=${idOf(2)}`);
    expect((screen.getByRole('button', { name: 'Newer' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Older' }));
    await screen.findByText(idOf(3));
    expect(screen.getByText('51–51 of 51')).toBeTruthy();
  });

  it('reports an empty list, and a list that failed to load', async () => {
    let fails = true;
    await openPage(async () => {
      if (fails) throw new Error('offline');
      return { data: [], totalCount: 0 };
    });
    await screen.findByText('The damaged images could not be loaded');
    fails = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('No damaged images');
  });
});

it('the system status warns of damaged files and links to the list', async () => {
  const warning = { kind: 'damaged-files', since, damaged: 2, missing: 1 };
  const { call } = anArchive(({ route }) =>
    route === systemStatus ? { program: 'dentarium', warnings: [warning] } : new Promise(() => undefined),
  );
  await show(
    <WithAdministration call={call}>
      <SystemPage />
    </WithAdministration>,
  );
  await waitFor(() => screen.getByRole('heading', { name: '3 images have a damaged or missing file' }));
  expect(screen.getByText(/Damaged: 2, missing: 1/)).toBeTruthy();
  expect(screen.getByText(/: dentarium verify --full --repair --from FOLDER\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show the images' }).getAttribute('href')).toBe('/damaged');
});
