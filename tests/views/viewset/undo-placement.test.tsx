import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { anImage, idOf } from '../records.ts';
import { mountOf, slotIn } from './mount-fixture.ts';
import { renderMount, renderMountWith } from './render-mount.tsx';

const box = (at: number) => [at * 1000, 0, 900, 700] as const;
/** Image a in slot 1, b in slot 2, slot 3 empty, c in the tray. */
const mouth = () =>
  mountOf([slotIn(0, box(0), anImage('a')), slotIn(1, box(1), anImage('b')), slotIn(2, box(2))], [anImage('c')]);
const undo = '{Control>}z{/Control}';
const redo = '{Control>}{Shift>}z{/Shift}{/Control}';

type Mount = Awaited<ReturnType<typeof renderMount>>;
const placed = ({ actor }: Mount) => {
  const { confirmed } = actor.getSnapshot().context;
  return [
    confirmed?.viewSetItems.map(({ activeImage }) => activeImage?.uid ?? '-').join(' '),
    confirmed?.detachedImages.map(({ uid }) => uid).join(' '),
  ];
};
const isPlaced = (mount: Mount, slots: string, tray: string) =>
  waitFor(() => expect(placed(mount)).toEqual([slots, tray]));

it.each([
  ['mounting', 't3', 'a b c', '', 'c'],
  ['mounting over another image', 't1', 'c b -', 'a', 'c'],
  ['removing an image from its slot', '1u', '- b -', 'c a', 'c'],
  ['moving an image', '1{Control>}x{/Control}3{Control>}v{/Control}', '- b a', 'c', 'c'],
  ['swapping two images', '1{Control>}x{/Control}2{Control>}v{/Control}', 'b a -', 'c', 'c'],
])('undoes and redoes %s', async (_, keys, slots, tray, trayBefore) => {
  const mount = await renderMount(mouth());
  await userEvent.keyboard(keys);
  await isPlaced(mount, slots, tray);
  await userEvent.keyboard(undo);
  await isPlaced(mount, 'a b -', trayBefore);
  expect(screen.getByText('The placement was undone')).toBeTruthy();
  await userEvent.keyboard(redo);
  await isPlaced(mount, slots, tray);
  mount.actor.stop();
});

it('places all images that fit as one step of undo', async () => {
  const mount = await renderMount(
    mountOf(
      [slotIn(0, box(0)), slotIn(1, box(1), anImage('b')), slotIn(2, box(2))],
      [anImage('d', { number: 2 }), anImage('c', { number: 1 }), anImage('e', { number: 3 })],
    ),
  );
  await userEvent.keyboard('{Shift>}m{/Shift}');
  await isPlaced(mount, 'c b d', 'e');
  expect(screen.getByText('2 images placed. 1 image stays in the tray.')).toBeTruthy();
  await userEvent.keyboard(undo);
  await isPlaced(mount, '- b -', 'e d c');
  await userEvent.keyboard(redo);
  await isPlaced(mount, 'c b d', 'e');
  await userEvent.keyboard('{Shift>}m{/Shift}');
  expect(mount.rejections).toEqual(['No image of the tray fits an empty slot']);
  mount.actor.stop();
});

it('places nothing before it knows what kind of images the mount takes', async () => {
  const { promise, resolve } = Promise.withResolvers<{ uuid: string; modality: string }[]>();
  const photos = {
    ...mountOf([slotIn(0, box(0)), slotIn(1, box(1))], [anImage('a'), anImage('photo', { seriesModalityValue: 'XC' })]),
    templateUUID: idOf(9),
  };
  const mount = await renderMountWith(promise, photos);
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Place images automatically' });
  expect(button().disabled).toBe(true);
  await userEvent.keyboard('{Shift>}m{/Shift}');
  await isPlaced(mount, '- -', 'a photo');
  await act(async () => resolve([{ uuid: idOf(9), modality: 'XC' }]));
  await waitFor(() => expect(button().disabled).toBe(false));
  await userEvent.keyboard('{Shift>}m{/Shift}');
  await isPlaced(mount, 'photo -', 'a');
  mount.actor.stop();
});

it('undoes a placement of several images after a later one', async () => {
  const mount = await renderMount(mountOf([slotIn(0, box(0)), slotIn(1, box(1))], [anImage('a'), anImage('b')]));
  await userEvent.keyboard('{Shift>}m{/Shift}');
  await isPlaced(mount, 'a b', '');
  await userEvent.keyboard('1{Control>}x{/Control}2{Control>}v{/Control}');
  await isPlaced(mount, 'b a', '');
  await userEvent.keyboard(undo);
  await isPlaced(mount, 'a b', '');
  await userEvent.keyboard(undo);
  await isPlaced(mount, '- -', 'b a');
  mount.actor.stop();
});

it('undoes several placements in reverse order, and forgets redo after a new one', async () => {
  const mount = await renderMount(mouth());
  await userEvent.keyboard('1u');
  await isPlaced(mount, '- b -', 'c a');
  await userEvent.keyboard('2u');
  await isPlaced(mount, '- - -', 'c a b');
  await userEvent.keyboard(undo);
  await isPlaced(mount, '- b -', 'c a');
  await userEvent.keyboard(undo);
  await isPlaced(mount, 'a b -', 'c');
  await userEvent.keyboard('2u');
  await isPlaced(mount, 'a - -', 'c b');
  const { length } = mount.calls;
  await userEvent.keyboard(redo);
  expect(mount.calls).toHaveLength(length);
  mount.actor.stop();
});

it('leaves the key to the image while its change is the later one', async () => {
  const mount = await renderMount(mouth());
  await userEvent.keyboard('1u');
  await isPlaced(mount, '- b -', 'c a');
  await mount.changeImage();
  await userEvent.keyboard(undo);
  expect(mount.calls).toHaveLength(1);
  mount.actor.stop();
});

it('offers no redo once an image was changed after the undo', async () => {
  const mount = await renderMount(mouth());
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Redo' });
  await userEvent.keyboard('1u');
  await isPlaced(mount, '- b -', 'c a');
  expect(button().disabled).toBe(true);
  await userEvent.keyboard(undo);
  await isPlaced(mount, 'a b -', 'c');
  expect(button().disabled).toBe(false);
  await mount.changeImage();
  expect(button().disabled).toBe(true);
  const { length } = mount.calls;
  await userEvent.keyboard(redo);
  expect(mount.calls).toHaveLength(length);
  mount.actor.stop();
});

it('says that a placement can no longer be undone when the mount was changed meanwhile', async () => {
  const mount = await renderMount(mouth());
  await userEvent.keyboard('1u');
  await isPlaced(mount, '- b -', 'c a');
  // Somebody else mounts the image in another slot.
  await act(async () => mount.actor.send({ type: 'image.mounted', imageUid: 'a', itemIndex: 2 }));
  await isPlaced(mount, '- b a', 'c');
  await userEvent.keyboard(undo);
  expect(mount.rejections).toEqual(['This placement can no longer be undone or redone: the mount was changed']);
  await isPlaced(mount, '- b a', 'c');
  mount.actor.stop();
});
