import { expect, type Page } from '@playwright/test';

/** Work that was kept when a session or a page ended, and is offered again. In English. */
export const drafts = (page: Page) => {
  const strip = page.getByRole('region', { name: 'Unsaved work' });
  const offer = (about: string) => strip.getByRole('listitem').filter({ hasText: about });
  return {
    strip,
    isOffered: (about: string) => expect(offer(about)).toBeVisible(),
    areNone: () => expect(strip).toBeHidden(),
    goOn: (about: string) => offer(about).getByRole('button', { name: 'Continue' }).click(),
    discard: (about: string) => offer(about).getByRole('button', { name: 'Discard' }).click(),
    /** In a form that was gone on with. */
    isFilledIn: () => expect(page.getByText(/is filled in again/)).toBeVisible(),
    /** The archive does not answer, and changes wait for it. */
    isWaiting: () => expect(page.getByText(/^The archive does not answer\. What you changed/)).toBeVisible(),
    isNotWaiting: () => expect(page.getByText(/^The archive does not answer\. What you changed/)).toBeHidden(),
  };
};
