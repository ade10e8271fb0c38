import { expect, type Page } from '@playwright/test';

/** Drafts that are offered after a session or page ended, in English. */
export const drafts = (page: Page) => {
  const strip = page.getByRole('region', { name: 'Unsaved work' });
  const offer = (about: string) => strip.getByRole('listitem').filter({ hasText: about });
  return {
    strip,
    isOffered: (about: string) => expect(offer(about)).toBeVisible(),
    areNone: () => expect(strip).toBeHidden(),
    goOn: (about: string) => offer(about).getByRole('button', { name: 'Continue' }).click(),
    discard: (about: string) => offer(about).getByRole('button', { name: 'Discard' }).click(),
    /** Inside a form resumed from a draft. */
    isFilledIn: () => expect(page.getByText(/is filled in again/)).toBeVisible(),
    /** Shown while the server is unreachable and changes are pending. */
    isWaiting: () => expect(page.getByText(/^The archive does not answer\. Your changes/)).toBeVisible(),
    isNotWaiting: () => expect(page.getByText(/^The archive does not answer\. Your changes/)).toBeHidden(),
  };
};
