import { expect, type Page } from '@playwright/test';

/** Two-factor wizard and the account panel that opens it, in English. */
export const twoFactor = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: /[Tt]wo-factor authentication$/ });
  const panel = page.getByRole('dialog', { name: 'Account', exact: true });
  const code = dialog.getByRole('textbox', { name: /^Code from the app/ });
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  return {
    dialog,
    panel,
    codes,
    openPanel: () => page.getByRole('button', { name: 'Account and settings' }).click(),
    closePanel: () => panel.getByRole('button', { name: 'Close', exact: true }).click(),
    begin: () => panel.getByRole('button', { name: 'Turn on …' }).click(),
    beginTurningOff: () => panel.getByRole('button', { name: 'Turn off …' }).click(),
    /** The shared key in Base32 as displayed. */
    sharedKey: async () => (await dialog.locator('code').innerText()).replaceAll(' ', ''),
    toCode: () => press('Continue'),
    /** Six digits are submitted when complete. */
    typeCode: (text: string) => code.fill(text),
    isRejected: () => expect(dialog.getByText('The code is wrong or has been used already')).toBeVisible(),
    recoveryCodes: () => codes.allInnerTexts(),
    finish: async () => {
      await dialog.getByRole('checkbox', { name: 'I have saved the codes' }).check();
      await press('Done');
    },
    turnOff: async (text: string) => {
      await code.fill(text);
      await press('Turn off');
    },
    isClosed: () => expect(dialog).toBeHidden(),
    isOn: () => expect(panel.getByRole('button', { name: 'Turn off …' })).toBeVisible(),
    isOff: () => expect(panel.getByRole('button', { name: 'Turn on …' })).toBeVisible(),
    codesLeft: (count: number) => expect(panel.getByText(new RegExp(`^${count} recovery codes? left`))).toBeVisible(),
  };
};
