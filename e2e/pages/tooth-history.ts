import { expect, type Page } from '@playwright/test';

/** Page object of the tooth history: the chart of the patient page and the strip over the stage. */
export const toothHistory = (page: Page) => {
  const strip = page.getByRole('region', { name: 'Tooth history' });
  const chart = page.getByRole('complementary').getByRole('button', { name: 'Tooth history' });
  const images = strip.getByRole('listbox').getByRole('option');
  return {
    strip,
    chart,
    images,
    marked: strip.getByRole('listbox').getByRole('option', { selected: true }),
    group: (name: string) => strip.getByRole('group', { name, exact: true }),
    /** Every tooth of the small chart can be seen. */
    showsAllTeeth: () =>
      expect
        .poll(() =>
          chart.evaluate((button) => {
            const inside = button.getBoundingClientRect();
            const teeth = [...button.querySelectorAll('span')].filter(
              ({ childElementCount, textContent }) => childElementCount === 0 && textContent === '',
            );
            const seen = teeth
              .map((tooth) => tooth.getBoundingClientRect())
              .filter(({ left, right, width }) => width >= 6 && left >= inside.left && right <= inside.right);
            return [seen.length, teeth.length];
          }),
        )
        .toEqual([32, 32]),
    tooth: (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }),
    choose: async (tooth: number) => {
      await chart.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(`^Tooth ${tooth},`) })
        .click();
      await expect(strip.getByRole('heading', { name: `Tooth ${tooth}` })).toBeVisible();
    },
    /** Dates of the images from left to right. */
    dates: () => images.evaluateAll((all) => all.map((one) => one.querySelector('p')?.textContent ?? '')),
    /** Ids of the images from left to right. */
    uids: () => images.evaluateAll((all) => all.map((one) => one.getAttribute('data-uid') ?? '')),
  };
};
