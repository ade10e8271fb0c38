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
      'requests deletion': async () => {
        await page.getByRole('button', { name: `More actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: 'Delete patient' }).click();
      },
      cancels: () => page.keyboard.press('Escape'),
      confirms: () => dialog.getByRole('button', { name: 'Delete', exact: true }).click(),
      'undoes the deletion': () => page.getByRole('button', { name: 'Undo', exact: true }).last().click(),
      'reloads the page': () => page.reload(),
      'opens the recycle bin': () => side('Recycle bin').click(),
      'opens the list': () => side('All').click(),
      restores: () => page.getByRole('button', { name: `Restore ${name}` }).click(),
    },
    assertions: {
      'list with the patient': () => isAt('All', true),
      confirming: () => expect(dialog).toBeVisible(),
      'just deleted': async () => {
        await isAt('All', false);
        await expect(page.getByRole('button', { name: 'Undo', exact: true }).last()).toBeVisible();
      },
      'list without the patient': () => isAt('All', false),
      'recycle bin with the patient': () => isAt('Recycle bin', true),
      'recycle bin without the patient': () => isAt('Recycle bin', false),
    },
  };
};
