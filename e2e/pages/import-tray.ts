import { expect, type Page } from '@playwright/test';

export interface OfferedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Files on their way into the archive. */
export const importTray = (page: Page) => {
  // A row has lists of its own: of files, and of the people whom they name.
  const rows = () => page.getByRole('list', { name: 'Imports' }).locator('> li');
  return {
    rows,
    /** As a person drags them from a folder onto the page. */
    drop: async (files: readonly OfferedFile[]) => {
      const transfer = await page.evaluateHandle(
        (offered) => {
          const data = new DataTransfer();
          for (const { name, base64 } of offered)
            data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
          return data;
        },
        files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
      );
      for (const type of ['dragenter', 'dragover', 'drop'])
        await page.dispatchEvent('body', type, { dataTransfer: transfer });
    },
    /** The files name somebody else: that is confirmed, and then they are imported. */
    confirmMismatch: async () => {
      await rows()
        .first()
        .getByRole('button', { name: /^Import to .* although the files say/ })
        .click();
      await rows().first().getByRole('button', { name: 'Import', exact: true }).click();
    },
    isDone: () => expect(rows().first()).toHaveAttribute('data-outcome', 'done', { timeout: 60_000 }),
    isFailed: () => expect(rows().first()).toHaveAttribute('data-outcome', 'failed', { timeout: 60_000 }),
  };
};
