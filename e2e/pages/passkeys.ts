import { expect, type Page } from '@playwright/test';

/** Adds an authenticator with user verification to the page (Chrome DevTools Protocol, WebAuthn). */
export const virtualAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
};

/** The dialog of passkeys and the account panel that opens it, in English. */
export const passkeysOf = (page: Page) => {
  const panel = page.getByRole('dialog', { name: 'Account', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Passkeys', exact: true });
  const list = dialog.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  return {
    panel,
    dialog,
    list,
    proof: page.getByRole('dialog', { name: 'Confirm that it is you' }),
    open: async () => {
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await panel.getByRole('button', { name: 'Passkeys …' }).click();
      await expect(dialog).toBeVisible();
    },
    close: async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await panel.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(panel).toBeHidden();
    },
    press,
  };
};
