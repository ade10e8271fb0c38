import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';

/** The dialogs that print images and save them as pictures. */
export const printPage = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Print' });
  const saveDialog = page.getByRole('dialog', { name: 'Save picture' });
  const fileAfter = async (click: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  return {
    dialog,
    saveDialog,
    preview: dialog.getByRole('img', { name: 'Preview' }),
    previewPictures: dialog.locator('[data-picture] image'),
    choose: (label: string) => dialog.getByText(label, { exact: true }).click(),
    /** Creates the PDF, checks that it can be opened with Enter, and saves it. */
    createdPdf: async () => {
      await dialog.getByRole('button', { name: 'Create PDF' }).click();
      await expect(dialog.getByRole('link', { name: 'Open PDF' })).toBeFocused();
      return fileAfter(() => dialog.getByRole('button', { name: 'Save PDF' }).click());
    },
    savedPicture: () => fileAfter(() => saveDialog.getByRole('button', { name: 'Save picture' }).click()),
  };
};
