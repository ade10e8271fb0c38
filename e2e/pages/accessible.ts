import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const schemes = ['dark', 'light'] as const;
const usual = { width: 1280, height: 720, deviceScaleFactor: 1 };

/** WCAG 1.4.10 and 1.4.4: a page 320 px wide; one of 1280 x 800 at 200 %, with as many pixels of the screen. */
const smallPages = [
  { name: '320 px', width: 320, height: 640, deviceScaleFactor: 1 },
  { name: '200 %', width: 640, height: 400, deviceScaleFactor: 2 },
];

/** The longest that anything may move for somebody who wants no motion, in milliseconds. */
const stillMs = 10;

/** What axe finds, a line each: the rule, where, and why. */
const findingsOf = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).withTags(rules).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary, html }) => `${id}: ${target.join(' ')} ${failureSummary} ${html}`),
  );
};

/** Frame, heading, name and language of the page as it stands, and whatever moves in it. */
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

/** What does not fit a page so small: a page that must be pushed sideways, words and controls beyond its edge. */
const outsideOf = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    /** Tables, mounts and pictures have two dimensions: they are pushed within their own frame. */
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

/** A page as everybody must be able to use it. Each finding fails the test, which goes on to the next place. */
export const accessible = (page: Page) => {
  /** Said once, where they were found first. */
  const said = new Set<string>();
  const none = (findings: readonly string[], where: string) => {
    const fresh = findings.filter((finding) => !said.has(finding));
    for (const finding of fresh) said.add(finding);
    expect.soft(fresh, where).toEqual([]);
  };
  const inSchemes = async (name: string) => {
    for (const scheme of schemes) {
      // Mantine keeps the scheme in this attribute alone.
      await page.evaluate((value) => document.documentElement.setAttribute('data-mantine-color-scheme', value), scheme);
      none(await findingsOf(page), `${name}, ${scheme}`);
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
      none(await outsideOf(page), `${name}, ${size}`);
    }
    await resize(usual);
  };
  return {
    /** A whole page: no finding of axe in either light, one heading of the first level, a name of its own, nothing that moves. */
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
    /** Something that lies over a page. */
    isGoodOver: async (name: string) => {
      none((await frameOf(page)).moving, `${name}: moves`);
      await inSchemes(name);
    },
    fits,
  };
};
