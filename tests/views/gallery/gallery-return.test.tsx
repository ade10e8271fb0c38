import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Suspense, use, useState } from 'react';
import { expect, it } from 'vitest';
import { GalleryPage } from '../../../src/views/gallery/gallery-page.tsx';
import { show } from '../render.tsx';
import { aGalleryOf, clinicId, WithGallery } from './gallery-fixture.tsx';
import { chosen, openGallery, tile, withGalleryBox } from './gallery-page-fixture.tsx';

withGalleryBox();

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
  await openGallery(300, { address: '/?sort=patient', client });
  (await tile(0)).focus();
  fireEvent.keyDown(document.activeElement as Element, { key: 'End' });
  fireEvent.click(await tile(299));
  cleanup();
  await openGallery(300, { address: '/?sort=patient', client });
  const last = await tile(299);
  await waitFor(() => expect(document.activeElement).toBe(last));
});

it('keeps the selection while an image or a comparison is open, and no longer', async () => {
  const client = new QueryClient();
  const again = async (address = '/?sort=patient') => {
    cleanup();
    await openGallery(30, { address, client });
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
  await openGallery(30, { client });
  fireEvent.click(await tile(0), { ctrlKey: true });
  fireEvent.keyDown(await tile(5), { key: 'Enter' });
  cleanup();
  client.removeQueries();
  await openGallery(30, { client });
  await tile(0);
  expect(screen.queryByText('1 selected')).toBeNull();
});
