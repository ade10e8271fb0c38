import { randomUUID } from 'node:crypto';
import { demoPerson, imageOf } from '../import-sets.ts';
import { importTray } from '../pages/import-tray.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect } from '../test.ts';
import type { WalkerOn } from './walker.ts';

export const importingWalker: WalkerOn<'importing'> = (page) => {
  const tray = importTray(page);
  const row = tray.rows().first();
  const press = (name: string | RegExp) => row.getByRole('button', { name, exact: true }).click();
  const confirm = /^Import to .* although the files say/;
  const asks = page.getByRole('alertdialog', { name: 'Cancel the import?' });
  const header = page.getByRole('banner').getByRole('button', { name: /^Imports/ });
  const outcome = async (is: string) => {
    // After a reload the tray is closed; the header says that something waits.
    await expect(row.or(header).first()).toBeVisible();
    if (!(await row.isVisible())) await header.click();
    await expect(tray.rows()).toHaveCount(1);
    await expect(row).toHaveAttribute('data-outcome', is, { timeout: 60_000 });
  };
  return {
    begin: () => visitPatient(page, 'doctor', 'sandstr', 'Sandström'),
    hands: {
      'drops images of somebody else': () => {
        const person = demoPerson('Palmkvist');
        // A study that the archive has already is not asked about again.
        const study = `Walk ${randomUUID()}`;
        return tray.drop([0, 1].map((index) => ({ name: `${index}.dcm`, bytes: imageOf(person, study, index) })));
      },
      'drops a broken file': () => tray.drop([{ name: 'broken.dcm', bytes: new TextEncoder().encode('No image.') }]),
      'begins anew': () => page.reload(),
      'calls it off': () => press('Cancel import'),
      'keeps it': () => asks.getByRole('button', { name: 'Keep it' }).click(),
      'is sure to call it off': () =>
        // The row is gone at once; who begins anew sees what the archive knows.
        Promise.all([
          page.waitForResponse((reply) => reply.url().endsWith('/ImageImport/cancel')),
          asks.getByRole('button', { name: 'Cancel import' }).click(),
        ]),
      'says whose it is': () => press(confirm),
      'imports it': () => press('Import'),
      'takes it off the list': () => press('Remove from the list'),
    },
    eyes: {
      'with a patient': async () => {
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Sandström');
        await expect(row).toBeHidden();
        await expect(header).toBeHidden();
      },
      asked: async () => {
        await outcome('asks');
        await expect(row.getByRole('button', { name: confirm })).toBeVisible();
      },
      'calling off': () => expect(asks).toBeVisible(),
      decided: async () => {
        await outcome('asks');
        await expect(row.getByRole('button', { name: 'Import', exact: true })).toBeEnabled();
      },
      imported: async () => {
        await outcome('done');
        await expect(row).toContainText('2 images imported');
      },
      refused: async () => {
        await outcome('failed');
        await expect(row).toContainText('broken.dcm');
      },
    },
  };
};
