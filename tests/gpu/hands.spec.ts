import type { Page } from '@playwright/test';
import type { Intent, IntentOf, IntentType } from '../../src/viewer/index.ts';
import { expect, test } from './harness.ts';

/** A stage of 400 x 300 with a picture of 101 x 67, window 2048 / 4096, values 0 to 65535: the tool is the window. */
const open = async (page: Page) => {
  await page.evaluate(async () => {
    window.hands = await window.suites.openForHands();
  });
};

const told = (page: Page): Promise<readonly Intent[]> => page.evaluate(() => window.hands.told);
const forget = (page: Page) => page.evaluate(() => window.hands.told.splice(0).length);

const lastOf = async <Type extends IntentType>(page: Page, type: Type): Promise<IntentOf<Type>> => {
  await expect.poll(async () => (await told(page)).some((intent) => intent.type === type)).toBe(true);
  const found = (await told(page)).findLast((intent) => intent.type === type);
  return found as IntentOf<Type>;
};

const order = async (page: Page) =>
  (await told(page)).filter(({ type }) => type.startsWith('gesture.')).map(({ type }) => type);

const drag = async (page: Page, right: number, down: number, button: 'left' | 'middle' | 'right' = 'left') => {
  await page.mouse.move(200, 150);
  await page.mouse.down({ button });
  await page.mouse.move(200 + right / 2, 150 + down / 2);
  await page.mouse.move(200 + right, 150 + down);
  await page.mouse.up({ button });
};

test('dragging changes brightness and contrast, and tells both ends', async ({ page }) => {
  await open(page);
  await drag(page, 40, 30);
  const { gesture, display } = await lastOf(page, 'gesture.settled');
  const step = 65535 / 2000;
  expect(gesture).toBe('window');
  expect(display.voi).toEqual({
    kind: 'window',
    function: 'LINEAR',
    centre: expect.closeTo(2048 + 30 * step, 6),
    width: expect.closeTo(4096 + 40 * step, 6),
  });
  expect(await order(page)).toEqual(['gesture.begun', 'gesture.settled']);
  const drawn = await lastOf(page, 'view.drawn');
  await expect.poll(async () => (await lastOf(page, 'view.drawn')).display).toEqual(display);
  expect(drawn.id).toBe('synthetic');
});

for (const [name, button] of [
  ['middle', 'middle'],
  ['right', 'right'],
] as const) {
  test(`the ${name} button moves the picture`, async ({ page }) => {
    await open(page);
    await drag(page, 40, -20, button);
    const { gesture, view } = await lastOf(page, 'gesture.settled');
    const scale = 400 / 101;
    expect(gesture).toBe('pan');
    expect(view).toEqual({
      scale: expect.closeTo(scale, 6),
      centreX: expect.closeTo(50.5 - 40 / scale, 6),
      centreY: expect.closeTo(33.5 + 20 / scale, 6),
    });
  });
}

test('the space bar makes the left button move the picture', async ({ page }) => {
  await open(page);
  await page.locator('canvas').focus();
  await page.keyboard.down(' ');
  await drag(page, 10, 10);
  await page.keyboard.up(' ');
  expect((await lastOf(page, 'gesture.settled')).gesture).toBe('pan');
});

test('the wheel enlarges about the pointer', async ({ page }) => {
  await open(page);
  await page.mouse.move(300, 100);
  const before = await lastOf(page, 'pointer.value');
  await page.mouse.wheel(0, -240);
  const { gesture, view } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('zoom');
  if (view === 'fit') throw new Error('still fitted');
  expect(view.scale).toBeCloseTo((400 / 101) * Math.exp(0.4), 6);
  await forget(page);
  await page.mouse.move(300.4, 100);
  await page.mouse.move(300, 100);
  const after = await lastOf(page, 'pointer.value');
  expect([after.x, after.y, after.stored]).toEqual([before.x, before.y, before.stored]);
  expect(await order(page)).toEqual([]);
});

test('keys turn, flip, invert, enlarge and put back', async ({ page }) => {
  await open(page);
  await page.locator('canvas').focus();
  const after = async (key: string) => {
    await forget(page);
    await page.keyboard.press(key);
    return lastOf(page, 'gesture.settled');
  };
  expect((await after('r')).display.rotation).toBe(90);
  expect((await after('Shift+R')).display.rotation).toBe(0);
  expect((await after('h')).display).toMatchObject({ horizontalFlip: true, rotation: 0 });
  expect((await after('i')).display.inverted).toBe(true);
  expect((await after('1')).view).toEqual({ centreX: 50.5, centreY: 33.5, scale: 1 });
  expect((await after('+')).view).toMatchObject({ scale: 1.25 });
  expect((await after('f')).view).toBe('fit');
  const wider = (await after('Shift+ArrowLeft')).display.voi;
  expect(wider).toMatchObject({ width: 4096 + 10 * (65535 / 2000) });
  const reset = await after('Backspace');
  expect(reset.view).toBe('fit');
  expect(reset.display).toMatchObject({ inverted: false, horizontalFlip: false, rotation: 0 });
  await page.keyboard.press('p');
  expect((await lastOf(page, 'tool.wanted')).tool).toBe('pan');
});

test('a double click goes to 1:1 at that place, another back', async ({ page }) => {
  await open(page);
  await page.mouse.dblclick(300, 100);
  const { view } = await lastOf(page, 'gesture.settled');
  expect(view).toMatchObject({ scale: 1 });
  expect(await order(page)).toEqual(['gesture.begun', 'gesture.settled']);
  await expect.poll(async () => (await lastOf(page, 'view.drawn')).camera.scale).toBe(1);
  await forget(page);
  await page.mouse.dblclick(200, 150);
  await expect.poll(async () => (await lastOf(page, 'gesture.settled')).view).toBe('fit');
});

test('two fingers enlarge and move the picture', async ({ page }) => {
  await open(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spread: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: 200 - spread, y: 150, id: 0 },
              { x: 200 + spread, y: 150, id: 1 },
            ],
    });
  await touch('touchStart', 40);
  await touch('touchMove', 60);
  await touch('touchMove', 80);
  await touch('touchEnd', 0);
  const { gesture, view } = await lastOf(page, 'gesture.settled');
  expect(gesture).toBe('zoom');
  if (view === 'fit') throw new Error('still fitted');
  expect(view.scale).toBeCloseTo((400 / 101) * 2, 4);
  expect(view.centreX).toBeCloseTo(50.5, 3);
});

test('a scene shown again keeps what the hand has done; one that says otherwise does not', async ({ page }) => {
  await open(page);
  await drag(page, 40, 30);
  const { display } = await lastOf(page, 'gesture.settled');
  const drawnAfter = (again: 'same' | 'inverted') =>
    page.evaluate(async (which) => {
      const { stage, scene, told: intents } = window.hands;
      const images = scene.images.map((image) =>
        which === 'same' || !image.display ? image : { ...image, display: { ...image.display, inverted: true } },
      );
      stage.show({ ...scene, images });
      await stage.snapshot();
      return intents.findLast(({ type }) => type === 'view.drawn');
    }, again);
  expect(await drawnAfter('same')).toMatchObject({ display });
  expect(await drawnAfter('inverted')).toMatchObject({
    display: { inverted: true, voi: { centre: 2048, width: 4096 } },
  });
});
