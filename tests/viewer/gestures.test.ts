import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/viewer/gesture/keys.ts';
import { pinchBetween } from '../../src/viewer/gesture/pinch.ts';
import { wheelFactor } from '../../src/viewer/gesture/wheel.ts';
import { draggedWindow, windowDragStart } from '../../src/viewer/gesture/window-drag.ts';
import type { Display, WindowChoice } from '../../src/viewer/scene/scene.ts';

const window: WindowChoice = { kind: 'window', centre: 2048, width: 4000, function: 'LINEAR' };
const display: Display = {
  voi: window,
  inverted: false,
  gamma: 1,
  rotation: 0,
  horizontalFlip: false,
  noise: { kind: 'none', strength: 0 },
  sharpness: 0,
  equalisation: 0,
  palette: 'grey',
};
const greyValues = { window, range: { low: 0, high: 4095 }, shownInverse: false };
const grey = (value: number, { centre, width }: WindowChoice) => (value - (centre - 0.5)) / (width - 1) + 0.5;

describe('dragging brightness and contrast', () => {
  it.each([
    ['as stored', false, false, 1],
    ['MONOCHROME1', true, false, -1],
    ['inverted', false, true, -1],
    ['MONOCHROME1 inverted', true, true, 1],
  ] as const)('brightens on upward drags: %s', (_, shownInverse, inverted, sign) => {
    const grip = windowDragStart({ ...display, inverted }, { ...greyValues, shownInverse });
    const change = grey(2048, draggedWindow(grip, 0, -50)) - grey(2048, window);
    expect(Math.sign(change)).toBe(sign);
  });

  it('is proportional to the window width, with a minimum step for very narrow windows', () => {
    expect(windowDragStart(display, greyValues).step).toBe(10);
    const narrow = { ...window, width: 2 };
    expect(windowDragStart(display, { ...greyValues, window: narrow }).step).toBeCloseTo(4095 / 2000, 9);
  });

  it('keeps the width valid', () => {
    expect(draggedWindow(windowDragStart(display, greyValues), -1e6, 0).width).toBe(1);
    const sigmoid: WindowChoice = { ...window, function: 'SIGMOID' };
    const width = draggedWindow(windowDragStart(display, { ...greyValues, window: sigmoid }), -1e6, 0).width;
    expect(width).toBeGreaterThan(0);
    expect(width).toBeLessThan(1);
  });

  it('depends only on the distance from the start', () => {
    const grip = windowDragStart(display, greyValues);
    expect(draggedWindow(grip, 0, 0)).toEqual(window);
    expect(draggedWindow(grip, 7, -3)).toEqual({ ...window, width: 4070, centre: 2018 });
  });
});

describe('wheel and fingers', () => {
  it('zooms in on scrolling up, consistently for pixels, lines and pinches', () => {
    expect(wheelFactor({ deltaY: -100, deltaMode: 0, ctrlKey: false })).toBeCloseTo(Math.exp(0.2), 9);
    expect(
      wheelFactor({ deltaY: -100, deltaMode: 0, ctrlKey: false }) *
        wheelFactor({ deltaY: 100, deltaMode: 0, ctrlKey: false }),
    ).toBeCloseTo(1, 12);
    expect(wheelFactor({ deltaY: 3, deltaMode: 1, ctrlKey: false })).toBeCloseTo(Math.exp(-0.096), 9);
    expect(wheelFactor({ deltaY: -1e9, deltaMode: 2, ctrlKey: true })).toBeCloseTo(Math.exp(0.4), 9);
    expect(wheelFactor({ deltaY: -5, deltaMode: 0, ctrlKey: true })).toBeCloseTo(Math.exp(0.05), 9);
  });

  it('computes factor and movement of two fingers', () => {
    const pinch = pinchBetween(
      [
        { x: 0, y: 0 },
        { x: 10, y: 0 },
      ],
      [
        { x: 5, y: 5 },
        { x: 25, y: 5 },
      ],
    );
    expect(pinch).toEqual({ factor: 2, middle: { x: 15, y: 5 }, step: { x: 10, y: 5 } });
    const same = { x: 4, y: 4 };
    expect(pinchBetween([same, same], [same, { x: 9, y: 4 }]).factor).toBe(1);
  });
});

describe('keys', () => {
  const press = (key: string, held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

  it('maps arrows to pan, with Shift to brightness and contrast', () => {
    expect(press('ArrowRight')).toEqual({ type: 'pan', right: 1, down: 0 });
    expect(press('ArrowUp', { shiftKey: true })).toEqual({ type: 'window', wider: 0, brighter: 1 });
    expect(press('ArrowRight', { shiftKey: true })).toEqual({ type: 'window', wider: -1, brighter: 0 });
  });

  it('maps the viewer keys, independent of Caps Lock', () => {
    expect(press('q')).toEqual({ type: 'fit' });
    expect(press('X')).toEqual({ type: 'actual-size' });
    expect(press('R', { shiftKey: true })).toEqual({ type: 'rotate', quarters: -1 });
    expect(press('F', { shiftKey: true })).toEqual({ type: 'flip', axis: 'vertical' });
    expect(press('f')).toEqual({ type: 'flip', axis: 'horizontal' });
    expect(press('+', { shiftKey: true })).toEqual({ type: 'zoom', steps: 1 });
    const tools = ['w', 'p', 'z', 'a', 'l', 'g', 'k', 'm'].map((key) => press(key));
    expect(tools.map((command) => command?.type === 'tool' && command.tool)).toEqual([
      'window',
      'pan',
      'zoom',
      'region',
      'length',
      'angle',
      'calibrate',
      'magnifier',
    ]);
  });

  it('ignores browser shortcuts', () => {
    expect(press('r', { ctrlKey: true })).toBeNull();
    expect(press('+', { metaKey: true })).toBeNull();
    for (const key of ['Tab', ' ', '1', 'h', 'o', 'u', 't', ',', '?']) expect(press(key)).toBeNull();
    expect(press('W', { shiftKey: true })).toBeNull();
  });
});
