import { expect, type Page } from '@playwright/test';

export const demoPassword = 'Demo-2026!';
export const people = {
  doctor: 'maja.lindqvist@dentarium.example',
  colleague: 'elias.ostergren@dentarium.example',
  doctorElsewhere: 'henrik.kjaer@dentarium.example',
  /** Whose password and second factor journeys may change: nobody else signs in as her. */
  doctorOfChanges: 'aino.makela@dentarium.example',
  clinicAdministrator: 'goran.akerblom@dentarium.example',
  superAdministrator: 'ingrid.norrsken@dentarium.example',
} as const;

/** What the rows of the ways to sign in are called, in English. */
const rowNames = {
  password: /^E-mail and password/,
  bankid: /^BankID/,
  siths: /^SITHS/,
  aad: /^Microsoft/,
  sms: /^Text message code/,
} as const;

/** The sign-in pages, in the visitor's verbs. */
export const signInPage = (page: Page) => {
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const fillPassword = async (email: string, password: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press('Sign in');
  };
  /** By the form where there is only one, else below its row. */
  const enter = async (email: string, password: string) => {
    const row = page.getByRole('button', { name: rowNames.password, expanded: false });
    const field = page.getByLabel('Password', { exact: true });
    await expect(field.or(row).first()).toBeVisible();
    if (await row.isVisible()) await row.click();
    await fillPassword(email, password);
  };
  return {
    open: async (path = '/') => {
      await page.goto(path);
      await page
        .getByRole('button', { name: 'English' })
        .or(page.getByText('English', { exact: true }))
        .first()
        .click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    },
    enter,
    /** Chooses a way that leads out of the page. */
    choose: (method: keyof typeof rowNames) => page.getByRole('button', { name: rowNames[method] }).click(),
    row: (method: keyof typeof rowNames) => page.getByRole('button', { name: rowNames[method] }),
    isRefused: () => expect(page.getByText('Incorrect username or password')).toBeVisible(),
    says: (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible(),

    /** The second step: the code of the authenticator, which is sent as soon as it is whole. */
    enterCode: async (code: string) => {
      await expect(heading('Two-step verification')).toBeVisible();
      await page.getByLabel('One-time code').fill(code);
    },
    enterRecoveryCode: async (code: string) => {
      await expect(heading('Two-step verification')).toBeVisible();
      await press('Use a recovery code instead');
      await page.getByLabel('Recovery code').fill(code);
      await press('Continue');
    },
    codeIsRefused: () => expect(page.getByText('The code is wrong or has been used already')).toBeVisible(),

    /** Asks for a letter with a link to a new password. */
    forgot: async (email: string) => {
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('E-mail').fill(email);
      await press('Send the link');
      await expect(heading('Look in your inbox')).toBeVisible();
    },
    outbox: () => page.getByRole('link', { name: "Open the demo's outbox" }),
    /** At the page that the letter leads to. */
    chooseNewPassword: async (password: string, again = password) => {
      await expect(heading('Choose a new password')).toBeVisible();
      await page.getByLabel('New password').fill(password);
      await page.getByLabel('Repeat the password').fill(again);
      await press('Save the password');
    },
    newPasswordIsSaved: () => expect(heading('The password is changed')).toBeVisible(),
    linkIsExpired: () => expect(heading('The link is no longer valid')).toBeVisible(),

    bankId: {
      isWaiting: () => expect(page.getByRole('img', { name: 'QR code for the BankID app' })).toBeVisible(),
      /** The address by which the app of this device is opened. */
      autoStartUrl: () => page.getByRole('link', { name: /BankID (on this device|again)$/ }).getAttribute('href'),
      cancel: () => press('Cancel'),
      retry: () => press('Try again'),
    },
    sms: {
      askFor: async (email: string) => {
        await expect(heading('Sign in by text message')).toBeVisible();
        await page.getByLabel('E-mail').fill(email);
        await press('Send the code');
        await expect(heading('Enter the code')).toBeVisible();
      },
      enterCode: (code: string) => page.getByLabel('Code from the text message').fill(code),
    },
    /** One person, several accounts. */
    chooseAccount: async (clinic: string) => {
      await expect(heading('Choose an account')).toBeVisible();
      await page.getByRole('button', { name: new RegExp(`^${clinic}`) }).click();
    },
  };
};

/** From nothing to a signed-in person at the page that was asked for. */
export const signInAs = async (page: Page, who: keyof typeof people, path = '/') => {
  const entry = signInPage(page);
  await entry.open(path);
  await entry.enter(people[who], demoPassword);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
};
