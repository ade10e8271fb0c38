import { randomUUID } from 'node:crypto';
import { demoPatient, imageOf } from '../import-sets.ts';
import { importTray } from '../pages/import-tray.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect } from '../test.ts';
import type { WalkerOn } from './walker.ts';

/** Performs the steps of the model `importing` on the page, and checks its states. */
export const importingWalker: WalkerOn<'importing'> = (page) => {
  const tray = importTray(page);
  const row = tray.rows().first();
  const press = (name: string | RegExp) => row.getByRole('button', { name, exact: true }).click();
  const confirm = /^Import to .* although the files contain/;
  const question = page.getByRole('alertdialog', { name: 'Cancel the import?' });
  const header = page.getByRole('banner').getByRole('button', { name: /^Imports/ });
  const expectOutcome = async (outcome: string) => {
    // After a reload the tray is closed and the header shows that an import is waiting.
    // After a drop the tray opens by itself, in which case a click here closes it again.
    await expect(async () => {
      if (!(await row.isVisible())) await header.click({ timeout: 5_000 });
      await expect(tray.rows()).toHaveCount(1, { timeout: 5_000 });
    }).toPass();
    await expect(row).toHaveAttribute('data-outcome', outcome, { timeout: 60_000 });
  };
  return {
    begin: () => visitPatient(page, 'doctor', 'sandstr', 'Sandström'),
    actions: {
      'drops images of another patient': () => {
        const patient = demoPatient('Palmkvist');
        // A new study each time, because a study that is already archived is not asked about.
        const study = `Walk ${randomUUID()}`;
        return tray.drop([0, 1].map((index) => ({ name: `${index}.dcm`, bytes: imageOf(patient, study, index) })));
      },
      'drops a broken file': () => tray.drop([{ name: 'broken.dcm', bytes: new TextEncoder().encode('No image.') }]),
      'reloads the page': () => page.reload(),
      cancels: () => press('Cancel import'),
      'keeps the import': () => question.getByRole('button', { name: 'Keep import' }).click(),
      'confirms the cancellation': () =>
        // The row disappears before the server has answered, so a reload right away could still show it.
        Promise.all([
          page.waitForResponse((reply) => reply.url().endsWith('/ImageImport/cancel')),
          question.getByRole('button', { name: 'Cancel import' }).click(),
        ]),
      'confirms the patient': () => press(confirm),
      imports: () => press('Import'),
      'removes it from the list': () => press('Remove from list'),
    },
    assertions: {
      'patient page': async () => {
        await expect(page.getByRole('heading', { level: 1 })).toContainText('Sandström');
        await expect(row).toBeHidden();
        await expect(header).toBeHidden();
      },
      undecided: async () => {
        await expectOutcome('needs-decision');
        await expect(row.getByRole('button', { name: confirm })).toBeVisible();
      },
      'confirming the cancellation': () => expect(question).toBeVisible(),
      decided: async () => {
        await expectOutcome('needs-decision');
        await expect(row.getByRole('button', { name: 'Import', exact: true })).toBeEnabled();
      },
      imported: async () => {
        await expectOutcome('done');
        await expect(row).toContainText('2 files imported');
      },
      failed: async () => {
        await expectOutcome('failed');
        await expect(row).toContainText('broken.dcm');
      },
    },
  };
};
