import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { applied, imageToStage } from '../../src/viewer/scene/camera.ts';
import {
  flippedHorizontally,
  flippedVertically,
  inverted,
  isSameDisplay,
  rotated,
  withDefaultsExceptOrientation,
  withGamma,
  withWindow,
} from '../../src/viewer/scene/display.ts';
import { type Display, emptyScene, sceneOf, withImage } from '../../src/viewer/scene/scene.ts';

const window = { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' } as const;
const plain: Display = {
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
const square = { x: 0, y: 0, width: 100, height: 100 };
const camera = { centreX: 50, centreY: 50, scale: 1 };
/** Returns the screen position of the pixel at 10, 20 of a 100 x 100 image. */
const seen = (display: Display) => applied(imageToStage(camera, square, display), { x: 10, y: 20 });

const turns = ([0, 90, 180, 270] as const).flatMap((rotation) =>
  [false, true].map((horizontalFlip): Display => ({ ...plain, rotation, horizontalFlip })),
);

describe('display', () => {
  it.each(turns)('rotates clockwise as displayed ($rotation, $horizontalFlip)', (display) => {
    const { x, y } = seen(display);
    expect(seen(rotated(display))).toEqual({ x: 100 - y, y: x });
    expect(seen(rotated(display, -1))).toEqual({ x: y, y: 100 - x });
    expect(isSameDisplay(rotated(display, 4), display)).toBe(true);
  });

  it.each(turns)('flips as displayed ($rotation, $horizontalFlip)', (display) => {
    const { x, y } = seen(display);
    expect(seen(flippedHorizontally(display))).toEqual({ x: 100 - x, y });
    expect(seen(flippedVertically(display))).toEqual({ x, y: 100 - y });
    expect(isSameDisplay(flippedHorizontally(flippedHorizontally(display)), display)).toBe(true);
  });

  it('compares displays by every property', () => {
    const others: Display[] = [
      inverted(plain),
      withGamma(plain, 1.2),
      rotated(plain),
      flippedHorizontally(plain),
      withWindow(plain, { centre: 2048, width: 4095, function: 'LINEAR' }),
      withWindow(plain, { centre: 2048, width: 4096, function: 'SIGMOID' }),
      { ...plain, voi: { kind: 'lut', index: 0 } },
      { ...plain, voi: null },
      { ...plain, noise: { kind: 'median', strength: 0 } },
      { ...plain, noise: { kind: 'none', strength: 0.1 } },
      { ...plain, equalisation: 0.1 },
      { ...plain, palette: 'hot' },
      { ...plain, sharpness: 0.1 },
    ];
    for (const other of others) expect(isSameDisplay(plain, other)).toBe(false);
    expect(isSameDisplay(plain, { ...plain, voi: { ...window } })).toBe(true);
  });

  it('resets the grey values and keeps rotation and flip', () => {
    const changed = { ...rotated(withGamma(inverted(plain), 3)), horizontalFlip: true };
    expect(withDefaultsExceptOrientation(changed)).toEqual({ ...plainDisplay, rotation: 90, horizontalFlip: true });
  });

  it('clamps gamma', () => {
    expect(withGamma(plain, 0).gamma).toBe(0.1);
    expect(withGamma(plain, 99).gamma).toBe(10);
  });
});

describe('a scene', () => {
  it('is immutable', () => {
    const scene = sceneOf('a');
    const next = withImage(scene, 'a', (image) => ({ ...image, frame: 2 }));
    expect(scene.images[0]?.frame).toBe(1);
    expect(next.images[0]?.frame).toBe(2);
    expect(withImage(scene, 'b', (image) => image)).toBe(scene);
    expect(scene.active).toBe('a');
    expect(emptyScene.active).toBeNull();
  });
});
