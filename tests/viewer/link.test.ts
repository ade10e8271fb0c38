import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import { applied, fitted, imageToStage, type Orientation } from '../../src/viewer/scene/camera.ts';
import { withWindow } from '../../src/viewer/scene/display.ts';
import { linkedDisplay, linkedView, sameValues } from '../../src/viewer/scene/link.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const upright: Orientation = { rotation: 0, horizontalFlip: false };
const small = {
  image: { width: 100, height: 80 },
  rectangle: { x: 0, y: 0, width: 400, height: 400 },
  orientation: upright,
};
const large = {
  image: { width: 1000, height: 800 },
  rectangle: { x: 400, y: 0, width: 400, height: 400 },
  orientation: upright,
};

describe('images looked at together', () => {
  it('show the same part at the same size', () => {
    const view = { centreX: 30, centreY: 60, scale: 12 };
    expect(linkedView(small, view, large)).toEqual({
      centreX: expect.closeTo(300, 9),
      centreY: expect.closeTo(600, 9),
      scale: expect.closeTo(1.2, 9),
    });
    expect(linkedView(small, 'fit', large)).toBe('fit');
  });

  it.each([
    { rotation: 90, horizontalFlip: false },
    { rotation: 0, horizontalFlip: true },
    { rotation: 37, horizontalFlip: true, pixelAspect: 1.3 },
  ])('move the same way on the screen, %j', (orientation) => {
    const turned = { ...large, orientation };
    const before = linkedView(small, fitted(small.image, small.rectangle, upright), turned);
    const after = linkedView(small, { centreX: 50 - 10, centreY: 40, scale: 4 }, turned);
    if (before === 'fit' || after === 'fit') throw new Error('fitted');
    const middle = { x: 500, y: 400 };
    const was = applied(imageToStage(before, turned.rectangle, orientation), middle);
    const is = applied(imageToStage(after, turned.rectangle, orientation), middle);
    // The small image moved right: so does the other, and neither up nor down.
    expect(is.x - was.x).toBeGreaterThan(10);
    expect(Math.abs(is.y - was.y)).toBeLessThan(1);
  });

  const grey = loadedPicture({ width: 1, height: 1, pixels: { format: 'u16', values: new Uint16Array(1) } });
  const shallow = { ...grey, description: { ...grey.description, bitsStored: 12 } };
  const hounsfield = { ...shallow, modality: { kind: 'rescale', slope: 1, intercept: -1024 } } as const;
  const colour = loadedPicture({ width: 1, height: 1, pixels: { format: 'rgba8', values: new Uint8Array(4) } });

  it('share a window only where values mean the same', () => {
    expect(sameValues(grey, grey)).toBe(true);
    expect(sameValues(grey, shallow)).toBe(false);
    expect(sameValues(shallow, hounsfield)).toBe(false);
    expect(sameValues(hounsfield, { ...hounsfield, modality: { kind: 'rescale', slope: 2, intercept: -1000 } })).toBe(
      true,
    );
    expect(sameValues(grey, colour)).toBe(false);
    const own = { ...plainDisplay, rotation: 90 };
    const display = withWindow(plainDisplay, { centre: 1, width: 2, function: 'LINEAR' });
    expect(linkedDisplay(grey, display, grey, own)).toEqual({ ...own, voi: display.voi });
    expect(linkedDisplay(grey, display, shallow, own)).toBe(own);
    expect(linkedDisplay(grey, { ...plainDisplay, voi: { kind: 'lut', index: 0 } }, grey, own)).toBe(own);
  });
});
