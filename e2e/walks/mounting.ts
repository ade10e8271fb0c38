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
  /** Waits for the save: a reload before it would offer a draft, which is another journey. */
  const untilSaved = async (action: () => Promise<void>) => {
    const saved = viewer.saved('/viewset/image/display');
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
      'takes an image down': async () => {
        await mount.choose(2);
        await mount.press('u');
      },
      'hangs it up': async () => {
        await mount.press('t');
        await expect(mount.trayImages.first()).toBeFocused();
        await mount.press('2');
      },
      'looks closer': async () => {
        await mount.choose(1);
        await mount.press('Enter');
      },
      'steps back': () => mount.press('Escape'),
      'turns an image': () => untilSaved(() => mount.press('r')),
      'turns it back': () => untilSaved(() => reset.click()),
      'begins anew': () => page.reload(),
    },
    assertions: {
      'as it hung': async () => {
        await areAll();
        await expect(reset).toBeDisabled();
      },
      'one in the tray': async () => {
        await mount.isEmpty(2);
        await expect(mount.filled).toHaveCount(slots - 1);
        await expect(mount.trayImages).toHaveCount(1);
      },
      'one image': async () => {
        await expect(page).toHaveURL(/image=/);
        await viewer.isReady('image');
      },
      'one turned': async () => {
        await areAll();
        await expect(reset).toBeEnabled();
      },
    },
  };
};
