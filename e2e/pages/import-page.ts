import { expect, type Page } from '@playwright/test';

type Outcome = 'running' | 'asks' | 'paused' | 'failed' | 'done';

/** The page where files are imported into a clinic, in a person's verbs. */
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
      /** As the search box finds: by the beginning of names, in any order. */
      findPatient: async (text: string) => {
        await card.getByLabel('Search for a patient of the clinic').fill(text);
        await card.getByRole('list', { name: 'Patients found' }).getByRole('button').first().click();
      },
      newPatient: async () => {
        await card.getByRole('button', { name: 'New patient' }).click();
        await card.getByRole('button', { name: 'Add and choose' }).click();
      },
      goesTo: (name: RegExp) => expect(card.getByRole('region', { name: 'Patient', exact: true })).toContainText(name),
    };
  };
  return {
    /** From a fresh sign-in to a page that takes files. */
    isOpen: () => expect(page.getByRole('region', { name: 'Drop files or folders here' })).toBeVisible(),
    rows,
    row,
    study,
    is: (name: string | RegExp, outcome: Outcome) =>
      expect(row(name)).toHaveAttribute('data-outcome', outcome, { timeout: 60_000 }),
    /** Its studies, to decide about them: the first import that asks shows its own by itself. */
    showStudies: async (name: string | RegExp) => {
      const fold = row(name).getByRole('button', { name: 'Fold', exact: true });
      const show = row(name).getByRole('button', { name: /^Show (the study|\d+ studies)$/ });
      await expect(fold.or(show)).toBeVisible();
      if (await show.isVisible()) await show.click();
    },
    importOne: (name: string | RegExp) =>
      row(name)
        .getByRole('button', { name: /^Import( \d+ studies)?$/ })
        .click(),
    importAllReady: () =>
      page.getByRole('button', { name: /^Import (the one that is ready|all \d+ that are ready)$/ }).click(),
  };
};
