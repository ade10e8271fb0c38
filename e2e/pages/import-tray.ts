import { expect, type Page } from '@playwright/test';

export interface OfferedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Import tray page object. */
export const importTray = (page: Page) => {
  // A row contains lists of its own: files and patients.
  const rows = () => page.getByRole('list', { name: 'Imports' }).locator('> li');
  return {
    rows,
    /** Drops files onto the page. */
    drop: async (files: readonly OfferedFile[]) => {
      const transfer = await page.evaluateHandle(
        (offered) => {
          const data = new DataTransfer();
          for (const { name, base64 } of offered)
            data.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
          return data;
        },
        files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
      );
      for (const type of ['dragenter', 'dragover', 'drop'])
        await page.dispatchEvent('body', type, { dataTransfer: transfer });
    },
    /** Confirms that the files name another patient, and imports them. */
    confirmMismatch: async () => {
      await rows()
        .first()
        .getByRole('button', { name: /^Import to .* although the files contain/ })
        .click();
      await rows().first().getByRole('button', { name: 'Import', exact: true }).click();
    },
    isDone: () => expect(rows().first()).toHaveAttribute('data-outcome', 'done', { timeout: 60_000 }),
    isFailed: () => expect(rows().first()).toHaveAttribute('data-outcome', 'failed', { timeout: 60_000 }),
  };
};
