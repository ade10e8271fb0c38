import { expect, type Page } from '@playwright/test';

type Outcome = 'running' | 'needs-decision' | 'paused' | 'failed' | 'done';

/** Import page object of a clinic. */
export const importPage = (page: Page) => {
  const tray = () => page.getByRole('list', { name: 'Imports' });
  const rows = () => tray().locator('> li');
  const row = (name: string | RegExp) => rows().filter({ has: page.getByRole('heading', { level: 3, name }) });
  const study = (name: string | RegExp) => {
    const card = tray()
      .locator('li[data-study]')
      .filter({ has: page.getByRole('heading', { level: 4, name }) });
    return {
      card,
      /** Matches as the search box does: prefixes of names in any order. */
      findPatient: async (text: string) => {
        await card.getByLabel('Search for a patient of the clinic').fill(text);
        await card.getByRole('list', { name: 'Patients found' }).getByRole('button').first().click();
      },
      newPatient: async () => {
        await card.getByRole('button', { name: 'New patient' }).click();
        await card.getByRole('button', { name: 'Add and choose' }).click();
      },
      showsPatient: (name: RegExp) =>
        expect(card.getByRole('region', { name: 'Patient', exact: true })).toContainText(name),
    };
  };
  return {
    /** Signs in and opens the import page. */
    isOpen: () => expect(page.getByRole('region', { name: 'Drop files or folders here' })).toBeVisible(),
    rows,
    row,
    study,
    is: (name: string | RegExp, outcome: Outcome) =>
      expect(row(name)).toHaveAttribute('data-outcome', outcome, { timeout: 60_000 }),
    /** Expands the studies of an import; the first undecided import is expanded already. */
    showStudies: async (name: string | RegExp) => {
      const hide = row(name).getByRole('button', { name: 'Hide studies', exact: true });
      const show = row(name).getByRole('button', { name: /^Show (study|\d+ studies)$/ });
      // An import that expands by itself does so shortly after its studies are known.
      await expect(async () => {
        if (await show.isVisible()) await show.click({ timeout: 1_000 });
        await expect(hide).toBeVisible({ timeout: 1_000 });
      }).toPass();
    },
    /** By keyboard: thumbnails that load move the button, and a pointer could miss it. */
    importOne: async (name: string | RegExp) => {
      const button = row(name).getByRole('button', { name: /^Import( \d+ studies)?$/ });
      // A key press does not wait for it.
      await expect(button).toBeEnabled();
      await button.press('Enter');
    },
    /** Waits until so many studies are ready: a choice is ready only when the server has saved it. */
    importAllReady: (studies: number) =>
      page.getByRole('button', { name: `Import all ${studies} ready studies` }).click(),
  };
};
