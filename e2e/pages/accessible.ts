import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Only the colors depend on the color scheme. */
const schemes = [
  ['dark', { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }],
  ['light', { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }],
] as const satisfies readonly (readonly [string, RunOptions['runOnly']])[];
const usual = { width: 1280, height: 720, deviceScaleFactor: 1 };

type RunOptions = Parameters<AxeBuilder['options']>[0];

/** WCAG 1.4.10 and 1.4.4: a page 320 px wide; 1280 x 800 at 200 %, with as many device pixels. */
const smallPages = [
  { name: '320 px', width: 320, height: 640, deviceScaleFactor: 1 },
  { name: '200 %', width: 640, height: 400, deviceScaleFactor: 2 },
];

/** Maximum duration of a transition with reduced motion, in milliseconds. */
const stillMs = 10;

/** Maximum duration of rendering after a resize, in milliseconds. */
const settleMs = 5_000;

/** Returns axe violations, one line each: rule, target and reason. */
const findingsOf = async (page: Page, runOnly: RunOptions['runOnly']): Promise<string[]> => {
  // Only violations are described in full, which takes much less time.
  const options = { runOnly, resultTypes: ['violations'] } satisfies RunOptions;
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary, html }) => `${id}: ${target.join(' ')} ${failureSummary} ${html}`),
  );
};

/** Returns landmark, heading, title, language and motion violations of the page. */
const frameOf = (page: Page) =>
  page.evaluate((longest) => {
    const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const count = (selector: string) => [...document.querySelectorAll(selector)].filter(seen).length;
    const ms = (times: string) => Math.max(...times.split(',').map((time) => Number.parseFloat(time) * 1000));
    const moving = (['', '::before', '::after'] as const).flatMap((pseudo) =>
      [...document.querySelectorAll('*')].filter((element) => {
        const style = getComputedStyle(element, pseudo || null);
        if (pseudo && style.content === 'none') return false;
        const runs = style.animationName === 'none' ? 0 : ms(style.animationDuration);
        return Math.max(runs, ms(style.transitionDuration)) > longest;
      }),
    );
    return {
      language: document.documentElement.lang,
      title: document.title,
      headings: count('h1'),
      mains: count('main'),
      moving: moving.map((element) => element.outerHTML.slice(0, 120)),
    };
  }, stillMs);

/** Returns what does not fit a small viewport: horizontal scrolling, an empty area below, and text or controls outside it. */
const outsideOf = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    // Signed-in pages scroll in <main>: a document taller than the window scrolls into an empty area.
    const main = document.querySelector('main');
    const { scrollHeight, clientHeight } = document.documentElement;
    // An open calendar may reach below the window.
    const isPopoverBelow = [...document.querySelectorAll('[data-portal] *')].some(
      (element) => element.getBoundingClientRect().bottom > clientHeight,
    );
    if (main && /auto|scroll/.test(getComputedStyle(main).overflowY) && scrollHeight > clientHeight && !isPopoverBelow)
      found.push(`the page scrolls ${scrollHeight - clientHeight} px beyond its end`);
    /** Tables, mounts and images are two-dimensional and may scroll within their own container. */
    const framed = (element: Element): boolean => {
      for (let box = element.parentElement; box && box.tagName !== 'MAIN'; box = box.parentElement)
        if (box.scrollWidth > box.clientWidth && /auto|scroll/.test(getComputedStyle(box).overflowX)) return true;
      return false;
    };
    for (const element of document.querySelectorAll('main, a, button, input, select, textarea, h1, h2, h3, p, label')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('[aria-hidden=true]')) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1 || box.bottom <= 0) continue;
      const tooWide = element.tagName === 'MAIN' && element.scrollWidth > element.clientWidth;
      if ((tooWide || box.right > width + 1 || box.left < -1) && !framed(element))
        found.push(`${Math.round(box.left)} to ${Math.round(box.right)}: ${element.outerHTML.slice(0, 160)}`);
    }
    return found;
  });

/** Accessibility checks of a page. Violations fail the test softly, so that the following pages are checked too. */
export const accessible = (page: Page) => {
  /** Violations are reported once. */
  const reported = new Set<string>();
  const unreported = (findings: readonly string[]) => findings.filter((finding) => !reported.has(finding));
  const none = (findings: readonly string[], where: string) => {
    const fresh = unreported(findings);
    for (const finding of fresh) reported.add(finding);
    expect.soft(fresh, where).toEqual([]);
  };
  const inSchemes = async (name: string) => {
    for (const [scheme, checked] of schemes) {
      // Mantine stores the color scheme only in this attribute.
      await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme);
      none(await findingsOf(page, checked), `${name}, ${scheme}`);
    }
  };
  const protocol = page.context().newCDPSession(page);
  const resize = async (metrics: typeof usual) => {
    await (await protocol).send('Emulation.setDeviceMetricsOverride', { ...metrics, mobile: false });
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(metrics.width);
  };
  const fits = async (name: string) => {
    for (const { name: size, ...metrics } of smallPages) {
      await resize(metrics);
      // Toolbars measure their new width first, then move what does not fit into a menu.
      const outside = async () => unreported(await outsideOf(page));
      await expect
        .poll(outside, { timeout: settleMs })
        .toEqual([])
        .catch(() => undefined);
      none(await outside(), `${name}, ${size}`);
    }
    await resize(usual);
  };
  return {
    /** Checks a page: no axe violations in either color scheme, one h1, a title of its own, reduced motion. */
    isGood: async (name: string, { title }: { title: string | RegExp }) => {
      const { moving, ...frame } = await frameOf(page);
      expect.soft(frame, name).toEqual({
        language: 'en',
        title: typeof title === 'string' ? `${title} · Dentarium` : expect.stringMatching(title),
        headings: 1,
        mains: 1,
      });
      none(moving, `${name}: moves`);
      await inSchemes(name);
    },
    /** Checks an overlay. */
    isGoodOver: async (name: string) => {
      none((await frameOf(page)).moving, `${name}: moves`);
      await inSchemes(name);
    },
    fits,
  };
};
