import { signInAs } from '../pages/sign-in.ts';
import { expect } from '../test.ts';
import type { WalkerOn } from './walker.ts';

const name = 'Hugo Palmkvist';

export const recycleBinWalker: WalkerOn<'recycle-bin'> = (page) => {
  const row = page.getByRole('row', { name: /Palmkvist, Hugo/ });
  const dialog = page.getByRole('dialog', { name: 'Delete patient' });
  const side = (which: 'All' | 'Recycle bin') => page.getByRole('tab', { name: which, exact: true });
  const isAt = async (which: 'All' | 'Recycle bin', isThere: boolean) => {
    await expect(dialog).toBeHidden();
    await expect(side(which)).toHaveAttribute('aria-selected', 'true');
    await expect(row).toHaveCount(isThere ? 1 : 0);
  };
  return {
    begin: () => signInAs(page, 'clinicAdministrator', '/?q=palmkvist'),
    actions: {
      'wants to delete': async () => {
        await page.getByRole('button', { name: `More actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: 'Delete patient' }).click();
      },
      'thinks better of it': () => page.keyboard.press('Escape'),
      deletes: () => dialog.getByRole('button', { name: 'Delete', exact: true }).click(),
      'takes it back': () => page.getByRole('button', { name: 'Undo', exact: true }).last().click(),
      'begins anew': () => page.reload(),
      'opens the bin': () => side('Recycle bin').click(),
      'opens the list': () => side('All').click(),
      restores: () => page.getByRole('button', { name: `Restore ${name}` }).click(),
    },
    assertions: {
      'in the list': () => isAt('All', true),
      asked: () => expect(dialog).toBeVisible(),
      'just deleted': async () => {
        await isAt('All', false);
        await expect(page.getByRole('button', { name: 'Undo', exact: true }).last()).toBeVisible();
      },
      'gone from the list': () => isAt('All', false),
      'in the bin': () => isAt('Recycle bin', true),
      'not in the bin': () => isAt('Recycle bin', false),
    },
  };
};
