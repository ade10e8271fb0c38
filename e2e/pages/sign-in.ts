import { expect, type Page } from '@playwright/test';
import { openid, type TokenReply, tokenReply } from '../../contract/sign-in.ts';
import { recordOf } from '../../src/services/stored-tokens.ts';
import { tokenStorageKey } from '../../src/services/token-storage-key.ts';

export const demoPassword = 'Demo-2026!';
export const demoUsers = {
  doctor: 'maja.lindqvist@dentarium.example',
  colleague: 'elias.ostergren@dentarium.example',
  doctorElsewhere: 'henrik.kjaer@dentarium.example',
  /** Tests may change password and second factor of this user; no other test signs in as her. */
  doctorOfChanges: 'aino.makela@dentarium.example',
  clinicAdministrator: 'goran.akerblom@dentarium.example',
  clinicAdministratorElsewhere: 'birgitte.sorensen@dentarium.example',
  superAdministrator: 'ingrid.norrsken@dentarium.example',
} as const;

/** Labels of the sign-in methods, in English. */
const rowNames = {
  password: /^E-mail and password/,
  bankid: /^BankID/,
  siths: /^SITHS/,
  aad: /^Microsoft/,
  sms: /^Text message code/,
} as const;

/** Sign-in page objects. */
export const signInPage = (page: Page) => {
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const fillPassword = async (email: string, password: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press('Sign in');
  };
  /** Uses the form directly where it is the only method, else opens its row. */
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
    /** Selects an external method. */
    choose: (method: keyof typeof rowNames) => page.getByRole('button', { name: rowNames[method] }).click(),
    row: (method: keyof typeof rowNames) => page.getByRole('button', { name: rowNames[method] }),
    isRejected: () => expect(page.getByText('Incorrect username or password')).toBeVisible(),
    showsMessage: (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible(),

    /** The second factor; the code is submitted when complete. */
    enterCode: async (code: string) => {
      await expect(heading('Two-factor authentication')).toBeVisible();
      await page.getByLabel('One-time code').fill(code);
    },
    enterRecoveryCode: async (code: string) => {
      await expect(heading('Two-factor authentication')).toBeVisible();
      await press('Use a recovery code instead');
      await page.getByLabel('Recovery code').fill(code);
      await press('Continue');
    },
    codeIsRejected: () => expect(page.getByText('The code is wrong or has been used already')).toBeVisible(),

    /** Requests a password reset e-mail. */
    forgot: async (email: string) => {
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('E-mail').fill(email);
      await press('Send the link');
      await expect(heading('Look in the demo’s outbox')).toBeVisible();
    },
    outbox: () => page.getByRole('link', { name: "Open the demo's outbox" }),
    /** On the page of the reset link. */
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
      /** Returns the URL that opens the BankID app on this device. */
      autoStartUrl: () => page.getByRole('link', { name: /BankID (on this device|again)$/ }).getAttribute('href'),
      cancel: () => press('Cancel'),
      retry: () => press('Try again'),
    },
    sms: {
      requestEmail: async (email: string) => {
        await expect(heading('Sign in by text message')).toBeVisible();
        await page.getByLabel('E-mail').fill(email);
        await press('Send code');
        await expect(heading('Enter the code')).toBeVisible();
      },
      enterCode: (code: string) => page.getByLabel('Code from the text message').fill(code),
    },
    /** Chooses between several accounts of a user. */
    chooseAccount: async (clinic: string) => {
      await expect(heading('Choose an account')).toBeVisible();
      await page.getByRole('button', { name: new RegExp(`^${clinic}`) }).click();
    },
  };
};

export const tokensFor = async (page: Page, username: string): Promise<{ origin: string; tokens: TokenReply }> => {
  const { clientId, scope, tokenPath } = openid;
  const form = { client_id: clientId, grant_type: 'password', username, password: demoPassword, scope };
  const reply = await page.request.post(tokenPath, { form });
  return { origin: new URL(reply.url()).origin, tokens: tokenReply.parse(await reply.json()) };
};

const signInByToken = async (page: Page, who: keyof typeof demoUsers, path: string) => {
  const { origin, tokens } = await tokensFor(page, demoUsers[who]);
  // Local storage is only reached from a page of the origin.
  await page.goto('/health/live');
  await page.evaluate(
    ([tokenKey, stored]) => {
      const preferences = JSON.parse(localStorage.getItem('dentarium.preferences') ?? '{}');
      localStorage.setItem('dentarium.preferences', JSON.stringify({ ...preferences, language: 'en' }));
      localStorage.setItem(tokenKey, stored);
    },
    [tokenStorageKey(origin, openid.clientId), JSON.stringify(recordOf(tokens, null, Date.now()))] as const,
  );
  await page.goto(path);
};

const isSignedIn = (page: Page) => expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();

/** Signs in on the sign-in page and continues to the requested page, or to the one that the user begins at. */
export const signInByHand = async (page: Page, who: keyof typeof demoUsers, path = '/') => {
  const signIn = signInPage(page);
  await signIn.open(path);
  await signIn.enter(demoUsers[who], demoPassword);
  await isSignedIn(page);
};

/** Signs in like `signInByHand`, in English, but where possible without the sign-in page, which takes seconds. */
export const signInAs = async (page: Page, who: keyof typeof demoUsers, path = '/') => {
  // Only a sign-in on the page leads administrators to the page that they begin at.
  if (path === '/' && who.endsWith('Administrator')) return signInByHand(page, who);
  await signInByToken(page, who, path);
  await isSignedIn(page);
};
