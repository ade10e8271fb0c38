import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { DownloadScope } from '../../../contract/gallery.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import type { DownloadRequest } from '../../../src/services/queries.ts';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { MountForRecipient } from '../../../src/views/gallery/mount-for-recipient.tsx';
import { refused } from '../edit/edit-fixture.tsx';
import { anImage, aViewset, idOf } from '../records.ts';
import { show } from '../render.tsx';
import { slotIn } from '../viewset/mount-fixture.ts';

const box = (at: number) => [at * 1000, 0, 900, 700] as const;
const [first, second, loose] = [anImage(idOf(11)), anImage(idOf(12)), anImage(idOf(13))];
const mount = aViewset([slotIn(0, box(0), first), slotIn(1, box(1)), slotIn(2, box(2), second)], {
  detachedImages: [loose],
});

const openDialog = async (viewset: () => Promise<Viewset>) => {
  const previews: DownloadScope[] = [];
  const download = vi.fn(async (_: DownloadRequest) => ({
    content: new Blob(['zip']),
    leftOut: 0,
    notExpressed: new Map(),
  }));
  const preview = (scope: DownloadScope) => {
    previews.push(scope);
    return { queryKey: ['download', scope], queryFn: async () => ({ files: 2, sizeBytes: 3_000_000, burnedIn: null }) };
  };
  const value = { download, preview };
  const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  const queries = { viewset: (id: string) => ({ queryKey: ['viewset', id], queryFn: viewset }) };
  await show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <AppQueriesProvider value={queries as unknown as AppQueries}>
        <MountForRecipient viewsetId={mount.viewSetUuid} onClose={() => undefined} />
      </AppQueriesProvider>
    </AppContextProvider>,
  );
  return { previews, download };
};

it('gives the images of the slots to a recipient, as a DICOM folder with the mount, and none of the unmounted images', async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  URL.createObjectURL = () => 'blob:zip';
  URL.revokeObjectURL = () => undefined;
  const imageUIDs = [first.uid, second.uid];
  const { previews, download } = await openDialog(async () => mount);
  const dialog = within(await screen.findByRole('dialog', { name: '2 images for a recipient' }));
  expect(previews[0]).toEqual({ imageUIDs });
  await userEvent.type(dialog.getByRole('textbox', { name: /^Recipient/ }), 'Käkkirurgen');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Content' }), 'dicom');
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Also mounts/ }));
  await userEvent.click(dialog.getByRole('button', { name: /^Download/ }));
  await waitFor(() => expect(download).toHaveBeenCalledOnce());
  expect(download.mock.calls[0]?.[0]).toMatchObject({
    imageUIDs,
    recipient: 'Käkkirurgen',
    content: 'dicom',
    displayObjects: true,
  });
});

it('says that the mount has no images', async () => {
  const { previews } = await openDialog(async () => aViewset([slotIn(0, box(0))], { detachedImages: [loose] }));
  const dialog = await screen.findByRole('dialog', { name: 'Images for a recipient' });
  expect(dialog.textContent).toContain('The mount has no images');
  expect(previews).toEqual([]);
});

it('says why the mount could not be loaded', async () => {
  await openDialog(() => Promise.reject(refused('not-found')));
  const dialog = within(await screen.findByRole('dialog', { name: 'Images for a recipient' }));
  expect(dialog.getByRole('alert').textContent).not.toBe('');
});
