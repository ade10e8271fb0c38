import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { descriptionOf } from '../described.ts';
import { idOf } from '../records.ts';
import { clinicId } from './gallery-fixture.tsx';
import { chosen, openGallery, tile, withGalleryBox } from './gallery-page-fixture.tsx';

withGalleryBox();

describe('the image grid', () => {
  it('renders a few of a hundred thousand images and fetches the visible ones only', async () => {
    const { archive } = await openGallery(100_000);
    await screen.findByText('10,000+ images');
    await tile(0);
    expect(screen.getAllByRole('option').length).toBeLessThan(60);
    expect(archive.requests).toHaveLength(1);
    expect(archive.requests[0]).toEqual({
      customerId: clinicId,
      ppage: 100,
      sort: 'date',
      order: 'desc',
      notAcceptable: 'excluded',
      page: 1,
    });
  });

  it('can be scrolled to any counted image', async () => {
    const { archive } = await openGallery(8_000);
    (await tile(0)).focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
    const last = await tile(7_999);
    await waitFor(() => expect(document.activeElement).toBe(last));
    expect(last.getAttribute('aria-posinset')).toBe('8000');
    expect(last.getAttribute('aria-setsize')).toBe('8000');
    expect(archive.requests.map(({ page }) => page)).toEqual([1, 80]);
  });

  it('grows beyond the counted images until its end is reached', async () => {
    await openGallery(10_250);
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
    const { onOpen } = await openGallery(30);
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
    const { onOpen } = await openGallery(30, { address: '/?sort=upload' });
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
    await openGallery(300);
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
    await openGallery(30);
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
    const { archive } = await openGallery(2_000);
    (await tile(0)).focus();
    fireEvent.keyDown(await tile(0), { key: 'a', ctrlKey: true });
    await screen.findByText('500 selected');
    await screen.findByText('At most 500 images can be selected at once');
    expect(archive.requests.map(({ page, after }) => page ?? after)).toHaveLength(5);
  });
});

describe('the selection', () => {
  it('can be compared when it is two to four images of one patient', async () => {
    const { onCompare } = await openGallery(30);
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
    await openGallery(30, { disabledReason: 'You may not' });
    fireEvent.click(await tile(0), { ctrlKey: true });
    expect(descriptionOf(screen.getByRole('button', { name: /Download/ }))).toBe('You may not');
  });
});
