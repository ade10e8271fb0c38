export const themeChoices = ['light', 'dark', 'mixed'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

export const isThemeChoice = (value: unknown): value is ThemeChoice => themeChoices.some((choice) => choice === value);

/** How a page is lit: pages that show images are dark in `mixed` too. */
export const appearanceOf = (choice: ThemeChoice, showsImages: boolean): 'light' | 'dark' =>
  choice === 'dark' || (choice === 'mixed' && showsImages) ? 'dark' : 'light';
