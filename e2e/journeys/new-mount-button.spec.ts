import { dialogs } from '../pages/dialogs.ts';
import { viewerPage } from '../pages/viewer.ts';
import { visitPatient } from '../pages/visit.ts';
import { expect, test } from '../test.ts';

test('the button "New mount" beside a long study name is whole at every width of the page', async ({ page }) => {
  // No study of the demo clinic has so long a name.
  await page.route(/\/resource\/study\/bypatient\//, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(
      '"Profilröntgen"',
      '"Profilröntgen inför planering av ortodonti och kirurgi"',
    );
    await route.fulfill({ response, body: text });
  });
  await visitPatient(page, 'doctor', 'akesson', 'Åkesson');
  const study = dialogs(page).panel.getByRole('listitem').filter({ hasText: 'Profilröntgen' }).first();
  await study
    .getByRole('link', { name: /^Open / })
    .first()
    .click();
  await viewerPage(page).isReady();
  await expect(page.getByRole('heading', { level: 2, name: /^Profilröntgen inför planering/ })).not.toHaveCount(0);
  const button = page.getByRole('button', { name: 'New mount', exact: true });
  for (const width of [1600, 1440, 1280, 1100, 1024, 900, 768, 701, 700, 600, 480, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await button.scrollIntoViewIfNeeded();
    const cut = () =>
      button.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        const hidden = [left + 2, (left + right) / 2, right - 2].filter(
          (x) => !element.contains(document.elementFromPoint(x, middle)),
        );
        const words = [...element.querySelectorAll('span')].find(({ children }) => children.length === 0);
        const label = words?.parentElement;
        // Beside the tools of a narrow viewer the words are for screen readers only.
        const isIcon = words !== undefined && getComputedStyle(words).position === 'absolute';
        return {
          hidden,
          isTextCut: !isIcon && (!label || label.scrollWidth > label.clientWidth),
          isInside: left >= 0 && right <= window.innerWidth,
        };
      });
    await expect.poll(cut, `${width} px`).toEqual({ hidden: [], isTextCut: false, isInside: true });
  }
});
