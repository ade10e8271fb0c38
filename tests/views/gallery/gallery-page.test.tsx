import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/services/failure.ts';
import { galleryPageOf } from '../../gallery-images.ts';
import { openGallery, tile, withGalleryBox } from './gallery-page-fixture.tsx';

withGalleryBox();

describe('the URL', () => {
  it('sets search, filters and order', async () => {
    const address = '/?q=berg&modality=IO,PX&from=2025-01-01&to=2025-12-31&teeth=11&source=dicom&sort=size&order=asc';
    const { archive } = await openGallery(30, { address });
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
    const { archive } = await openGallery(30);
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
    await openGallery(0, { address: '/?teeth=11' });
    await screen.findByText('No images found');
    const notice = screen.getByText('No images found').parentElement as HTMLElement;
    fireEvent.click(within(notice).getByRole('button', { name: 'Clear filters' }));
    await screen.findByText('The clinic has no images yet');
  });
});

describe('images that are not acceptable', () => {
  it('are left out with their number, and one click lists them too', async () => {
    const { archive } = await openGallery(30, {
      answer: (request) => ({
        ...galleryPageOf(request.notAcceptable === 'included' ? 30 : 27, request),
        notAcceptableCount: 3,
      }),
    });
    await screen.findByText('27 images');
    expect(archive.requests[0]?.notAcceptable).toBe('excluded');
    const button = screen.getByRole('button', { name: '3 not acceptable' });
    fireEvent.click(button);
    await waitFor(() => expect(archive.requests.at(-1)?.notAcceptable).toBe('included'));
    await screen.findByText('30 images');
    expect(window.location.search).toBe('?rejected=shown');
    fireEvent.click(screen.getByRole('button', { name: '3 not acceptable' }));
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  it('are offered where all that were found are of them', async () => {
    const { archive } = await openGallery(2, {
      answer: (request) => ({
        ...galleryPageOf(request.notAcceptable === 'included' ? 2 : 0, request),
        notAcceptableCount: 2,
      }),
    });
    await screen.findByText('Only images that are not acceptable were found');
    fireEvent.click(screen.getByRole('button', { name: 'Show them' }));
    await tile(0);
    expect(archive.requests.at(-1)?.notAcceptable).toBe('included');
  });

  it('are not mentioned where there are none', async () => {
    await openGallery(3);
    await tile(0);
    expect(screen.queryByRole('button', { name: /not acceptable/ })).toBeNull();
  });
});

describe('the table', () => {
  const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

  it('shows five columns first and offers fourteen; the choice is stored', async () => {
    localStorage.setItem('gallery-view', 'table');
    await openGallery(30);
    await screen.findByText('Bitewing 0');
    expect(headings()).toEqual(['', 'Image', 'Patient ID', 'Patient', 'Name', 'Image ID']);
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    const items = await screen.findAllByRole('menuitemcheckbox');
    expect(items).toHaveLength(13);
    fireEvent.click(items.find(({ textContent }) => textContent === 'Size') as HTMLElement);
    expect(headings()).toEqual(['', 'Image', 'Patient ID', 'Patient', 'Size', 'Name', 'Image ID']);
    expect(screen.getAllByText('1.00 MB').length).toBeGreaterThan(5);
    cleanup();
    await openGallery(30);
    await screen.findByText('Bitewing 0');
    expect(headings()).toContain('Size');
  });

  it('sorts by its headers', async () => {
    localStorage.setItem('gallery-view', 'table');
    const { archive } = await openGallery(30);
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
    await openGallery(30, { answer: () => (isDown ? offline() : undefined) });
    await screen.findByText('The data library cannot be loaded or is not found');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await tile(0);
  });

  it('leaves gaps that can be loaded later', async () => {
    let isDown = true;
    await openGallery(5_000, { answer: ({ page }) => (isDown && page === 50 ? offline() : undefined) });
    (await tile(0)).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    await screen.findByText('Some images could not be loaded');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await tile(4_999);
  });
});
