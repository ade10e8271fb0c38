import type { Page } from '@playwright/test';
import claims from '../../locales/da/claims.json' with { type: 'json' };
import { administration } from '../pages/administration.ts';
import { signInAs, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

const password = 'Forst-2026!';
const administrator = { email: 'karen.bjerre@fjordtand.example', name: 'Karen Bjerre' };
const assistant = { email: 'liv.aasen@fjordtand.example', name: 'Liv Aasen' };

/** Signs in, switches the page to Danish and to the dark theme. */
const signInInDanish = async (page: Page, email: string) => {
  await page.getByRole('button', { name: 'Dansk' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Adgangskode', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log ind', exact: true }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Indstillinger', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Mørkt' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.keyboard.press('Escape');
};

test('creating a clinic, its administrator, and a role without the right to delete studies', { tag: '@quick' }, async ({
  page,
  browser,
}) => {
  await signInAs(page, 'superAdministrator');
  await expect(page).toHaveURL(/\/customers$/);
  const admin = administration(page);

  await admin.addClinic({
    Name: 'Fjordtandlægerne',
    Address: 'Havnegade 4',
    Country: 'Denmark',
    Telephone: '70 10 20 30',
  });
  await admin.openUsers('Fjordtandlægerne');
  await admin.addUser({
    'First name': 'Karen',
    'Last name': 'Bjerre',
    'E-mail': administrator.email,
    Phone: '70 10 20 31',
    'Personal number': '010180-9998',
    'Hired since': '2026-01-07',
    Role: 'Clinic administrator',
    Password: password,
  });
  await expect(admin.row(/Bjerre/)).toBeVisible();
  const ownUsers = new URL(page.url()).pathname;

  await admin.openRoles();
  await admin.copyRole('Medical personnel', 'Røntgenassistent', '4');
  await admin.right('Delete studies').uncheck();
  await admin.saveRights();

  await admin.openClinics();
  await admin.find('Find a clinic', 'Ljungheden');
  await admin.openUsers('Tandkliniken Ljungheden');
  const otherUsers = new URL(page.url()).pathname;
  const invitation = await admin.inviteUser({
    'First name': 'Liv',
    'Last name': 'Aasen',
    'E-mail': assistant.email,
    Phone: '070-174 06 05',
    'Personal number': '199001019802',
    'Hired since': '2026-02-02',
    Role: 'Røntgenassistent',
  });
  await expect(admin.row(/Aasen/)).toContainText('Invited');
  await admin.signOut();

  // The clinic administrator sees only the users of her clinic.
  await signInInDanish(page, administrator.email);
  await expect(page).toHaveURL(ownUsers);
  await expect(page.getByRole('heading', { level: 1, name: 'Brugere i Fjordtandlægerne' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tilføj bruger' })).toBeEnabled();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Klinikker' })).toBeHidden();
  await page.goto(otherUsers);
  await expect(page.getByRole('heading', { name: claims.deniedTitle })).toBeVisible();
  await expect(page.getByText(claims['customer.get_byid'])).toBeVisible();
  await page.goto('/sa');
  await expect(page.getByText(claims['user.get_sa'])).toBeVisible();
  await page.goto('/customers');
  await expect(page).toHaveURL(ownUsers);

  // The assistant sees patients, but no action to delete a study.
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const assistantPage = await context.newPage();
  await assistantPage.goto(invitation);
  await assistantPage.getByRole('button', { name: 'English' }).click();
  await signInPage(assistantPage).chooseNewPassword(password);
  await signInPage(assistantPage).newPasswordIsSaved();
  await assistantPage.goto('/');
  await signInInDanish(assistantPage, assistant.email);
  await expect(assistantPage).toHaveURL(/\/$/);
  await expect(assistantPage.getByRole('banner').getByRole('link', { name: 'Roller' })).toBeHidden();
  await assistantPage.getByRole('banner').getByRole('combobox').fill('nystrom');
  await assistantPage
    .getByRole('option', { name: /Nyström/ })
    .first()
    .click();
  await expect(assistantPage).toHaveURL(/\/patient\//);
  const menus = assistantPage.getByRole('button', { name: /^Flere valg for/ });
  // The menus of the studies may come before the one of the patient.
  await expect(menus.first()).toHaveAccessibleName(/Nyström/);
  await menus.nth(1).click();
  const away = assistantPage.getByRole('menuitem', { name: /^Slet undersøgelse/ });
  await expect(away).toBeDisabled();
  await expect(away).toContainText(claims['disable.delete_study']);
  await assistantPage.keyboard.press('Escape');
  await assistantPage.goto(ownUsers);
  await expect(assistantPage.getByRole('heading', { name: claims.deniedTitle })).toBeVisible();
  await context.close();
});

test('the later of two changes to a clinic gets a conflict', async ({ page, browser }) => {
  await signInAs(page, 'superAdministrator');
  const admin = administration(page);
  await admin.menu('Öresunds Tandvård', 'Edit clinic');
  await expect(admin.field('Edit clinic', 'Name')).toHaveValue('Öresunds Tandvård');

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const other = await context.newPage();
  await signInAs(other, 'superAdministrator');
  const meanwhile = administration(other);
  await meanwhile.menu('Öresunds Tandvård', 'Edit clinic');
  await meanwhile.fill('Edit clinic', { Description: 'Allmäntandvård och implantat' });
  await meanwhile.submit('Edit clinic');
  await context.close();

  await admin.fill('Edit clinic', { City: 'Lund' });
  await admin.drawer('Edit clinic').getByRole('button', { name: 'Save' }).click();
  await expect(admin.drawer('Edit clinic').getByText(/Another user/)).toBeVisible();
  await admin.drawer('Edit clinic').getByRole('button', { name: /Load/ }).click();
  await expect(admin.field('Edit clinic', 'Description')).toHaveValue('Allmäntandvård och implantat');
});
