import type { CDPSession, Page } from '@playwright/test';
import type { Intent, IntentOf, IntentType, Scene } from '../../src/viewer/index.ts';
import { expect } from './harness.ts';
import type { GestureOptions } from './page/gestures.ts';

/** Opens a stage of 400 x 300 at the corner of the page. */
export const open = async (page: Page, options: GestureOptions) => {
  await page.waitForFunction(() => Boolean(window.openGestures));
  await page.evaluate((value) => window.openGestures(value), options);
};

export const show = (page: Page, change: Partial<Scene>) =>
  page.evaluate((value) => window.gestureTest.show(value), change);

export const intents = (page: Page): Promise<readonly Intent[]> => page.evaluate(() => window.gestureTest.intents);
export const clearIntents = (page: Page) => page.evaluate(() => window.gestureTest.intents.splice(0).length);

export const allOf = async <Type extends IntentType>(page: Page, type: Type): Promise<readonly IntentOf<Type>[]> =>
  (await intents(page)).filter((intent): intent is IntentOf<Type> => intent.type === type);

/** Waits for an intent of a type, and returns the last one. */
export const lastOf = async <Type extends IntentType>(page: Page, type: Type): Promise<IntentOf<Type>> => {
  await expect.poll(async () => (await allOf(page, type)).length, { message: type }).toBeGreaterThan(0);
  const last = (await allOf(page, type)).at(-1);
  if (!last) throw new Error(`no ${type}`);
  return last;
};

type Button = 'left' | 'middle' | 'right';

export const drag = async (
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
  button: Button = 'left',
) => {
  await page.mouse.move(...from);
  await page.mouse.down({ button });
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await page.mouse.move(...to);
  await page.mouse.up({ button });
};

/** Touch input over the Chrome DevTools Protocol; points in CSS pixels. */
export const touchInput = async (page: Page) => {
  const client: CDPSession = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly (readonly [number, number])[]) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  return {
    down: (...points: readonly (readonly [number, number])[]) => send('touchStart', points),
    move: (...points: readonly (readonly [number, number])[]) => send('touchMove', points),
    up: () => send('touchEnd', []),
    tap: async (x: number, y: number) => {
      await send('touchStart', [[x, y]]);
      await send('touchEnd', []);
    },
  };
};

/** Pen input over the Chrome DevTools Protocol; points in CSS pixels. */
export const penInput = async (page: Page) => {
  const client = await page.context().newCDPSession(page);
  const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number) =>
    client.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      button: type === 'mouseMoved' ? 'none' : 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: 1,
      pointerType: 'pen',
    });
  return {
    down: (x: number, y: number) => send('mousePressed', x, y),
    move: (x: number, y: number) => send('mouseMoved', x, y),
    up: (x: number, y: number) => send('mouseReleased', x, y),
  };
};
