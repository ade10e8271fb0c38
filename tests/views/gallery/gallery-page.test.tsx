import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Suspense, use, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { GalleryPage } from '../../../src/views/gallery/gallery-page.tsx';
import { ToastStrip } from '../../../src/views/ui/toast-strip.tsx';
import { descriptionOf } from '../described.ts';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { aGalleryOf, clinicId, type Request, WithGallery } from './gallery-fixture.tsx';

// A box of 800 by 600 CSS pixels: four tiles of the default size per row.
beforeAll(() => {
  for (const [name, value] of Object.entries({
    scrollHeight: 90_000_000,
    clientWidth: 800,
    clientHeight: 600,
    offsetWidth: 800,
    offsetHeight: 600,
  }))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: ScrollToOptions | number) {
    this.scrollTop = typeof options === 'object' ? (options.top ?? 0) : 0;
    this.dispatchEvent(new Event('scroll'));
  };
});
configure({ asyncUtilTimeout: 10_000 });
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const open = async (
  total: number,
  {
    address = '/',
    answer,
    disabledReason = null,
    // Query cache of the replies.
    client = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  }: {
    address?: string;
    answer?: (requests: Request) => unknown;
    disabledReason?: string | null;
    client?: QueryClient;
  } = {},
) => {
  window.history.replaceState(null, '', address);
  const archive = aGalleryOf(total, answer);
  const onOpen = vi.fn<(image: GalleryImage) => void>();
  const onCompare = vi.fn<(images: readonly GalleryImage[]) => void>();
  await show(
    <QueryClientProvider client={client}>
      <WithGallery call={archive.call}>
        <ToastStrip />
        <GalleryPage
          clinicId={clinicId}
          onOpen={onOpen}
          onCompare={onCompare}
          downloadDisabledReason={disabledReason}
          renderTeeth={(_, onChange) => (
            <button type="button" onClick={() => onChange([11])}>
              tooth 11
            </button>
          )}
        />
      </WithGallery>
    </QueryClientProvider>,
  );
  return { archive, onOpen, onCompare };
};
const tile = (number: number) => screen.findByRole('option', { name: new RegExp(`Bitewing ${number}$`) });
const chosen = () => screen.getAllByRole('option', { selected: true }).flatMap(({ dataset }) => dataset.index ?? []);

describe('the image grid', () => {
  it('renders a few of a hundred thousand images and fetches the visible ones only', async () => {
    const { archive } = await open(100_000);
    await screen.findByText('10,000+ images');
    await tile(0);
    expect(screen.getAllByRole('option').length).toBeLessThan(60);
    expect(archive.requests).toHaveLength(1);
    expect(archive.requests[0]).toEqual({ customerId: clinicId, ppage: 100, sort: 'date', order: 'desc', page: 1 });
  });

  it('can be scrolled to any counted image', async () => {
    const { archive } = await open(8_000);
    (await tile(0)).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    const last = await tile(7_999);
    await waitFor(() => expect(document.activeElement).toBe(last));
    expect(last.getAttribute('aria-posinset')).toBe('8000');
    expect(last.getAttribute('aria-setsize')).toBe('8000');
    expect(archive.requests.map(({ page }) => page)).toEqual([1, 80]);
  });

  it('grows beyond the counted images until its end is reached', async () => {
    await open(10_250);
    (await tile(0)).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    await tile(9_999);
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    await waitFor(() => screen.getByText('10,250 images'));
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    const last = await tile(10_249);
    await waitFor(() => expect(document.activeElement).toBe(last));
  });

  it('moves by arrow keys, four per row, and opens with Enter or a click', async () => {
    const { onOpen } = await open(30);
    (await tile(0)).focus();
    const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) press(key);
    expect(document.activeElement).toBe(await tile(5));
    press('Enter');
    expect(onOpen.mock.lastCall?.[0].uid).toBe(idOf(5));
    fireEvent.click(await tile(2));
    expect(onOpen.mock.lastCall?.[0].uid).toBe(idOf(2));
    // Tab reaches one image.
    expect(screen.getAllByRole('option').filter(({ tabIndex }) => tabIndex === 0)).toEqual([await tile(2)]);
  });

  it('selects with Space, and with Shift and an arrow', async () => {
    const { onOpen } = await open(30, { address: '/?sort=upload' });
    (await tile(1)).focus();
    const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement as Element, { key, ...more });
    press(' ');
    press('ArrowRight');
    press(' ');
    expect(chosen()).toEqual(['1', '2']);
    press('ArrowDown', { shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['1', '2', '3', '4', '5', '6']));
    press('ArrowUp', { shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['1', '2']));
    // With a selection, a click selects and opens nothing.
    fireEvent.click(await tile(9));
    expect(chosen()).toEqual(['1', '2', '9']);
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('selects a range with Shift, and deselects it on the way back', async () => {
    await open(300);
    fireEvent.click(await tile(2), { ctrlKey: true });
    fireEvent.click(await tile(9), { shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']));
    fireEvent.click(await tile(4), { shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['2', '3', '4']));
    screen.getByText('3 selected');
    (await tile(4)).focus();
    fireEvent.keyDown(await tile(4), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull());
  });

  it('selects a range with Shift and a click, although the press moves focus before the click', async () => {
    await open(30);
    const press = async (number: number, more: object) => {
      const image = await tile(number);
      fireEvent.pointerDown(image, more);
      act(() => image.focus());
      fireEvent.click(image, more);
    };
    await press(2, { ctrlKey: true });
    await press(6, { shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['2', '3', '4', '5', '6']));
    fireEvent.keyDown(await tile(6), { key: 'ArrowRight', shiftKey: true });
    await waitFor(() => expect(chosen()).toEqual(['2', '3', '4', '5', '6', '7']));
  });

  it('selects no more than can be downloaded, and reports it', async () => {
    const { archive } = await open(2_000);
    (await tile(0)).focus();
    fireEvent.keyDown(await tile(0), { key: 'a', ctrlKey: true });
    await screen.findByText('500 selected');
    await screen.findByText('At most 500 images can be selected at once');
    expect(archive.requests.map(({ page, after }) => page ?? after)).toHaveLength(5);
  });
});

it('restores focus when the user returns before the other page has loaded', async () => {
  const archive = aGalleryOf(30);
  const never = new Promise<never>(() => {});
  const OtherPage = () => use(never);
  const TwoPages = () => {
    const [isAway, setAway] = useState(false);
    return (
      <Suspense
        fallback={
          <button type="button" onClick={() => setAway(false)}>
            back
          </button>
        }
      >
        {isAway ? (
          <OtherPage />
        ) : (
          <GalleryPage
            clinicId={clinicId}
            onOpen={() => setAway(true)}
            onCompare={() => {}}
            downloadDisabledReason={null}
            renderTeeth={() => null}
          />
        )}
      </Suspense>
    );
  };
  await show(
    <WithGallery call={archive.call}>
      <TwoPages />
    </WithGallery>,
  );
  (await tile(6)).focus();
  const image = await tile(6);
  await act(async () => {
    fireEvent.keyDown(image, { key: 'Enter' });
  });
  const back = await screen.findByRole('button', { name: 'back' });
  // jsdom does not remove focus from elements that are no longer rendered.
  back.focus();
  fireEvent.click(back);
  await waitFor(async () => expect(document.activeElement).toBe(await tile(6)));
});

it('restores scroll position and selection on return from an image', async () => {
  const client = new QueryClient();
  await open(300, { address: '/?sort=patient', client });
  (await tile(0)).focus();
  fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
  fireEvent.click(await tile(299));
  cleanup();
  await open(300, { address: '/?sort=patient', client });
  const last = await tile(299);
  await waitFor(() => expect(document.activeElement).toBe(last));
});

it('keeps the selection while an image or a comparison is open, and no longer', async () => {
  const client = new QueryClient();
  const again = async (address = '/?sort=patient') => {
    cleanup();
    await open(30, { address, client });
    await tile(0);
  };
  await again();
  fireEvent.click(await tile(0), { ctrlKey: true });
  fireEvent.click(await tile(1), { ctrlKey: true });
  (await tile(5)).focus();
  fireEvent.keyDown(await tile(5), { key: 'Enter' });
  await again();
  await waitFor(async () => expect(document.activeElement).toBe(await tile(5)));
  expect(chosen()).toEqual(['0', '1']);
  fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
  await again();
  expect(chosen()).toEqual(['0', '1']);
  // Restored once, on the way back.
  await again();
  expect(screen.queryByText('2 selected')).toBeNull();

  fireEvent.click(await tile(0), { ctrlKey: true });
  fireEvent.keyDown(await tile(5), { key: 'Enter' });
  await again('/');
  expect(screen.queryByText('1 selected')).toBeNull();
});

it('does not restore the selection for the next user', async () => {
  const client = new QueryClient();
  await open(30, { client });
  fireEvent.click(await tile(0), { ctrlKey: true });
  fireEvent.keyDown(await tile(5), { key: 'Enter' });
  cleanup();
  client.removeQueries();
  await open(30, { client });
  await tile(0);
  expect(screen.queryByText('1 selected')).toBeNull();
});

describe('the selection', () => {
  it('can be compared when it is two to four images of one patient', async () => {
    const { onCompare } = await open(30);
    fireEvent.click(await tile(0), { ctrlKey: true });
    const compare = () => screen.getByRole('button', { name: 'Compare' });
    expect(descriptionOf(compare())).toBe('Select at least two images of the same patient');
    fireEvent.click(await tile(1), { ctrlKey: true });
    expect(compare().getAttribute('aria-disabled')).toBe('false');
    fireEvent.click(compare());
    expect(onCompare.mock.lastCall?.[0].map(({ uid }) => uid)).toEqual([idOf(0), idOf(1)]);
    // The fourth image is of another patient.
    fireEvent.click(await tile(3), { ctrlKey: true });
    expect(descriptionOf(compare())).toBe('Only images of the same patient can be compared');
  });

  it('cannot be downloaded without the claim', async () => {
    await open(30, { disabledReason: 'You may not' });
    fireEvent.click(await tile(0), { ctrlKey: true });
    expect(descriptionOf(screen.getByRole('button', { name: /Download/ }))).toBe('You may not');
  });
});

describe('the URL', () => {
  it('sets search, filters and order', async () => {
    const address = '/?q=berg&modality=IO,PX&from=2025-01-01&to=2025-12-31&teeth=11&source=dicom&sort=size&order=asc';
    const { archive } = await open(30, { address });
    await tile(0);
    expect(archive.requests[0]).toMatchObject({
      q: 'berg',
      modalities: ['IO', 'PX'],
      from: '2025-01-01',
      to: '2025-12-31',
      teeth: [11],
      source: 'dicom',
      sort: 'size',
      order: 'asc',
    });
  });

  it('changes with the filters, and never contains a personal number', async () => {
    const { archive } = await open(30);
    await tile(0);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '19800101' } });
    await waitFor(() => expect(archive.requests.at(-1)?.q).toBe('19800101'));
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2025-01-01' } });
    await waitFor(() => expect(archive.requests.at(-1)).toMatchObject({ q: '19800101', from: '2025-01-01' }));
    fireEvent.change(screen.getByLabelText('Source'), { target: { value: 'picture' } });
    await waitFor(() => expect(archive.requests.at(-1)?.source).toBe('picture'));
    expect(window.location.search).toBe('?from=2025-01-01&source=picture');
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it('reports filters without results, with a button to clear them', async () => {
    await open(0, { address: '/?teeth=11' });
    await screen.findByText('No images found');
    const notice = screen.getByText('No images found').parentElement as HTMLElement;
    fireEvent.click(within(notice).getByRole('button', { name: 'Clear filters' }));
    await screen.findByText('The clinic has no images yet');
  });
});

describe('the table', () => {
  const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  it('shows five columns first and offers fourteen; the choice is stored', async () => {
    localStorage.setItem('gallery-view', 'table');
    await open(30);
    await screen.findByText('Bitewing 0');
    expect(headings()).toEqual(['', 'Image', 'Patient ID', 'Patient', 'Name', 'Image ID']);
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    const items = await screen.findAllByRole('menuitemcheckbox');
    expect(items).toHaveLength(13);
    fireEvent.click(items.find(({ textContent }) => textContent === 'Size') as HTMLElement);
    expect(headings()).toEqual(['', 'Image', 'Patient ID', 'Patient', 'Size', 'Name', 'Image ID']);
    expect(screen.getAllByText('1.00 MB').length).toBeGreaterThan(5);
    cleanup();
    await open(30);
    await screen.findByText('Bitewing 0');
    expect(headings()).toContain('Size');
  });

  it('sorts by its headers', async () => {
    localStorage.setItem('gallery-view', 'table');
    const { archive } = await open(30);
    await screen.findByText('Bitewing 0');
    fireEvent.click(screen.getByRole('button', { name: 'Patient' }));
    await waitFor(() => expect(archive.requests.at(-1)).toMatchObject({ sort: 'patient', order: 'asc' }));
    expect((await screen.findByRole('columnheader', { name: 'Patient' })).getAttribute('aria-sort')).toBe('ascending');
  });
});

describe('a failing server', () => {
  const offline = () => {
    throw new ServiceError({ kind: 'offline' });
  };

  it('is reported, and can be retried', async () => {
    let isDown = true;
    await open(30, { answer: () => (isDown ? offline() : undefined) });
    await screen.findByText('The data library cannot be loaded or is not found');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await tile(0);
  });

  it('leaves gaps that can be loaded later', async () => {
    let isDown = true;
    await open(5_000, { answer: ({ page }) => (isDown && page === 50 ? offline() : undefined) });
    (await tile(0)).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    await screen.findByText('Some images could not be loaded');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await tile(4_999);
  });
});
