import { expect, type Page } from '@playwright/test';

export const demoPassword = 'Demo-2026!';
export const people = {
  doctor: 'maja.lindqvist@dentarium.example',
  colleague: 'elias.ostergren@dentarium.example',
  doctorElsewhere: 'henrik.kjaer@dentarium.example',
  clinicAdministrator: 'goran.akerblom@dentarium.example',
  superAdministrator: 'ingrid.norrsken@dentarium.example',
} as const;

/** The sign-in page, in the visitor's verbs. */
export const signInPage = (page: Page) => {
  const enter = async (email: string, password: string) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
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
    isRefused: () => expect(page.getByText('Incorrect username or password')).toBeVisible(),
  };
};

/** From nothing to a signed-in person at the page that was asked for. */
export const signInAs = async (page: Page, who: keyof typeof people, path = '/') => {
  const entry = signInPage(page);
  await entry.open(path);
  await entry.enter(people[who], demoPassword);
  await expect(page.getByRole('button', { name: 'Account and settings' })).toBeVisible();
};
