import { expect, type Page } from '@playwright/test';

/** Page object of the list of drafts, which is shown after a reload or a new sign-in. UI language: English. */
export const drafts = (page: Page) => {
  const region = page.getByRole('region', { name: 'Unsaved work' });
  const offer = (about: string) => region.getByRole('listitem').filter({ hasText: about });
  return {
    isOffered: (about: string) => expect(offer(about)).toBeVisible(),
    isHidden: () => expect(region).toBeHidden(),
    resume: (about: string) => offer(about).getByRole('button', { name: 'Continue' }).click(),
    discard: (about: string) => offer(about).getByRole('button', { name: 'Discard' }).click(),
    /** Inside a form resumed from a draft. */
    isFilledIn: () => expect(page.getByText(/is filled in again/)).toBeVisible(),
    /** Notice that the server is unreachable and changes are not sent yet. */
    showsUnsentChanges: () => expect(page.getByText(/^The archive does not answer\. Your changes/)).toBeVisible(),
    hidesUnsentChanges: () => expect(page.getByText(/^The archive does not answer\. Your changes/)).toBeHidden(),
  };
};
