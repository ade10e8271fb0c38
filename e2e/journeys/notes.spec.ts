import type { Browser, Page } from '@playwright/test';
import { accessible } from '../pages/accessible.ts';
import { drafts } from '../pages/drafts.ts';
import { mountPage } from '../pages/mount.ts';
import { notePage } from '../pages/notes.ts';
import type { demoUsers } from '../pages/sign-in.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

const openMount = async (page: Page, who: keyof typeof demoUsers) => {
  await visitPatient(page, who, 'forsgren', 'Forsgren');
  await expect(mountPage(page).slots).toBeVisible();
  await viewerPage(page).isReady('mount');
};

/** Opens the mount as one user at a workstation of its own. */
const workstation = async (browser: Browser, baseURL: string, who: keyof typeof demoUsers) => {
  const context = await browser.newContext({
    baseURL,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await openMount(page, who);
  return page;
};

test('a colleague sees a draft, signs a changed one, and both versions stay readable', async ({ browser, baseURL }) => {
  test.slow();
  const url = baseURL ?? '';
  const [one, other] = await Promise.all([workstation(browser, url, 'doctor'), workstation(browser, url, 'colleague')]);
  const [mine, theirs] = [notePage(one), notePage(other)];
  await Promise.all([mountPage(one).choose(1), mountPage(other).choose(1)]);

  // Written by keyboard alone.
  await one.keyboard.press('Shift+N');
  await expect(mine.field).toBeFocused();
  await one.keyboard.type('Karies 36 distalt');
  await one.keyboard.press('Control+Enter');
  await mine.isSaved('Draft', 'Maja Lindqvist');
  await one.keyboard.press('Escape');
  await expect(mountPage(one).slot(1)).toBeFocused();

  // There it appears without a reload, on the picture too.
  await expect(theirs.field).toHaveValue('Karies 36 distalt');
  await theirs.isSaved('Draft', 'Maja Lindqvist');
  await expect(mountPage(other).slot(1)).toHaveAccessibleName(/Draft note/);
  await expect(viewerPage(other).viewer.getByText('Draft note')).toBeVisible();

  await theirs.field.fill('Karies 36 distalt, kontroll om ett år');
  await theirs.button('Sign').click();
  await theirs.isSaved('Signed', 'Elias Östergren');
  await mine.isSaved('Signed', 'Elias Östergren');
  await expect(mountPage(one).slot(1)).toHaveAccessibleName(/, Note$/);
  const earlier = await mine.earlier();
  expect(earlier).toHaveLength(1);
  expect(earlier[0]).toMatch(/Draft[\s\S]*Maja Lindqvist[\s\S]*Karies 36 distalt$/);

  await mine.button('Copy').click();
  await expect(mine.button('Copied')).toBeVisible();
  const copied = await one.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(
    /^Image \d{4}-\d\d-\d\d, teeth [\d ]+\nSigned .*, Elias Östergren\nKaries 36 distalt, kontroll om ett år$/,
  );
  expect(copied).not.toMatch(/Forsgren|1961/);

  // Both write at once: the second sees both texts.
  await theirs.field.fill('Deras text');
  await mine.field.fill('Min text');
  await mine.button('Save draft').click();
  await mine.isSaved('Draft', 'Maja Lindqvist');
  await expect(theirs.section.getByText('Min text', { exact: true })).toBeVisible();
  await expect(theirs.field).toHaveValue('Deras text');
  await theirs.earlier();
  await accessible(other).isGoodOver('two texts of a note');
  await accessible(other).fits('two texts of a note');
  await theirs.button('Keep my text').click();
  await theirs.button('Sign').click();
  await theirs.isSaved('Signed', 'Elias Östergren');

  await Promise.all([one.reload(), other.reload()]);
  await viewerPage(one).isReady('mount');
  await mountPage(one).choose(1);
  await expect(mine.field).toHaveValue('Deras text');
  expect((await mine.earlier()).map((text) => text.split('\n').at(-1))).toEqual([
    'Min text',
    'Karies 36 distalt, kontroll om ett år',
    'Karies 36 distalt',
  ]);
  await one.context().close();
  await other.context().close();
});

test('unsaved text stays with its image, survives a reload, and the tab asks before it closes', async ({ page }) => {
  test.slow();
  await openMount(page, 'doctor');
  const note = notePage(page);
  const mount = notePage(page, 'mount');
  await mountPage(page).choose(2);
  await note.field.fill('Bara tänkt');
  await note.field.press('Escape');
  await mountPage(page).choose(3);
  await expect(note.field).toHaveValue('');
  await drafts(page).isOffered('the note on the image');
  await mount.field.fill('Hela montaget');
  await mount.button('Sign').click();
  await mount.isSaved('Signed', 'Maja Lindqvist');

  await page.reload();
  await expect(mount.field).toHaveValue('Hela montaget');
  await drafts(page).resume('the note on the image');
  await expect(note.field).toBeFocused();
  await expect(note.field).toHaveValue('Bara tänkt');
  await drafts(page).isHidden();

  const question = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await question;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await expect(note.field).toHaveValue('Bara tänkt');
  await note.button('Save draft').click();
  await note.isSaved('Draft', 'Maja Lindqvist');
});
