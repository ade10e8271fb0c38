import { mountPage } from '../pages/mount.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect } from '../test.ts';
import type { WalkerOn } from './walker.ts';

const slots = 4;

export const mountingWalker: WalkerOn<'mounting'> = (page) => {
  const mount = mountPage(page);
  const viewer = viewerPage(page);
  const reset = viewer.tool('Reset');
  /** Waits for the save: a reload before it would offer a draft, which another journey tests. */
  const untilSaved = async (path: 'display' | 'mount' | 'unmount', action: () => Promise<void>) => {
    const saved = viewer.saved(`/viewset/image/${path}`);
    await action();
    await saved;
  };
  const areAll = async () => {
    await expect(mount.filled).toHaveCount(slots);
    await expect(mount.trayImages).toHaveCount(0);
    await mount.choose(1);
  };
  return {
    begin: async () => {
      await visitPatient(page, 'doctor', 'anders ek', 'Ek');
      await expect(mount.filled).toHaveCount(slots);
    },
    actions: {
      'unmounts an image': async () => {
        await mount.choose(2);
        await untilSaved('unmount', () => mount.press('u'));
      },
      'mounts it again': async () => {
        await mount.press('t');
        await expect(mount.trayImages.first()).toBeFocused();
        await untilSaved('mount', () => mount.press('2'));
      },
      'opens an image': async () => {
        await mount.choose(1);
        await mount.press('Enter');
      },
      'returns to the mount': () => mount.press('Escape'),
      'rotates an image': () => untilSaved('display', () => mount.press('r')),
      'resets the rotation': () => untilSaved('display', () => reset.click()),
      'reloads the page': () => page.reload(),
    },
    assertions: {
      'all mounted': async () => {
        await areAll();
        await expect(reset).toBeDisabled();
      },
      'one image in the tray': async () => {
        await mount.isEmpty(2);
        await expect(mount.filled).toHaveCount(slots - 1);
        await expect(mount.trayImages).toHaveCount(1);
      },
      'one image open': async () => {
        await expect(page).toHaveURL(/image=/);
        await viewer.isReady('image');
      },
      'one image rotated': async () => {
        await areAll();
        await expect(reset).toBeEnabled();
      },
    },
  };
};
