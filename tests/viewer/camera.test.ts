import { describe, expect, it } from 'vitest';
import {
  applied,
  cameraOf,
  clampScale,
  fitted,
  imageToStage,
  inverse,
  maxScale,
  minScale,
  type Orientation,
  panned,
  rectangleOf,
  type ViewedImage,
  zoomedAbout,
} from '../../src/viewer/scene/camera.ts';

const image = { width: 1300, height: 900 };
const rectangle = { x: 20, y: 10, width: 640, height: 480 };
const turns: readonly Orientation[] = ([0, 90, 180, 270] as const).flatMap((rotation) =>
  [false, true].map((horizontalFlip) => ({ rotation, horizontalFlip })),
);
const orientations = [...turns, ...turns.map((turn) => ({ ...turn, pixelAspect: 1.25 }))];
const ascending = (one: number, other: number) => one - other;
const upright: Orientation = { rotation: 0, horizontalFlip: false };

describe('imageToStage', () => {
  it.each([
    [{ rotation: 0, horizontalFlip: false }, [20, 10], [660, 10]],
    [{ rotation: 0, horizontalFlip: true }, [660, 10], [20, 10]],
    [{ rotation: 90, horizontalFlip: false }, [660, 10], [660, 490]],
    [{ rotation: 180, horizontalFlip: false }, [660, 490], [20, 490]],
    [{ rotation: 270, horizontalFlip: false }, [20, 490], [20, 10]],
    [{ rotation: 90, horizontalFlip: true }, [660, 490], [660, 10]],
  ] as const)('%j transforms the top left and top right corners', (orientation, topLeft, topRight) => {
    // An image that fills the rectangle exactly, at one device pixel a pixel.
    const across = orientation.rotation === 90 || orientation.rotation === 270;
    const own = across ? { width: 480, height: 640 } : { width: 640, height: 480 };
    const affine = imageToStage(fitted(own, rectangle, orientation), rectangle, orientation);
    expect(applied(affine, { x: 0, y: 0 })).toEqual({ x: topLeft[0], y: topLeft[1] });
    expect(applied(affine, { x: own.width, y: 0 })).toEqual({ x: topRight[0], y: topRight[1] });
  });

  it.each(orientations)('fits the whole image into the place, %j', (orientation) => {
    const camera = fitted(image, rectangle, orientation);
    const affine = imageToStage(camera, rectangle, orientation);
    const corners = [0, 1, 2, 3].map((corner) =>
      applied(affine, { x: corner % 2 === 0 ? 0 : image.width, y: corner < 2 ? 0 : image.height }),
    );
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(rectangle.x - 1e-9);
    expect(Math.max(...xs)).toBeLessThanOrEqual(rectangle.x + rectangle.width + 1e-9);
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(rectangle.y - 1e-9);
    expect(Math.max(...ys)).toBeLessThanOrEqual(rectangle.y + rectangle.height + 1e-9);
    const fills = [
      Math.max(...xs) - Math.min(...xs) - rectangle.width,
      Math.max(...ys) - Math.min(...ys) - rectangle.height,
    ];
    expect(Math.max(...fills)).toBeCloseTo(0, 9);
  });

  it.each(turns)('shares pixel edges with the screen at 1:1, %j', (orientation) => {
    const camera = { centreX: 650.37, centreY: 449.81, scale: 1 };
    const { x, y } = applied(imageToStage(camera, rectangle, orientation), { x: 3, y: 5 });
    expect([x % 1, y % 1].map(Math.abs)).toEqual([0, 0]);
  });

  it.each(orientations)('can be undone, %j', (orientation) => {
    const affine = imageToStage({ centreX: 400, centreY: 300, scale: 1.7 }, rectangle, orientation);
    const point = applied(inverse(affine), applied(affine, { x: 123.4, y: 56.7 }));
    expect(point.x).toBeCloseTo(123.4, 9);
    expect(point.y).toBeCloseTo(56.7, 9);
  });

  it('follows the stage when fitted and not otherwise', () => {
    const camera = { centreX: 1, centreY: 2, scale: 3 };
    expect(cameraOf(camera, image, rectangle, upright)).toBe(camera);
    expect(cameraOf('fit', image, { width: 130, height: 900 }, upright).scale).toBeCloseTo(0.1, 12);
    expect(
      cameraOf('fit', image, { width: 130, height: 900 }, { rotation: 90, horizontalFlip: false }).scale,
    ).toBeCloseTo(130 / 900, 12);
  });

  it('divides the stage without gaps or overlaps', () => {
    const stage = { width: 1001, height: 701 };
    const left = rectangleOf({ x: 0, y: 0, width: 1 / 3, height: 1 }, stage);
    const right = rectangleOf({ x: 1 / 3, y: 0, width: 2 / 3, height: 1 }, stage);
    expect(left.x + left.width).toBe(right.x);
    expect(right.x + right.width).toBe(1001);
    expect(left.height).toBe(701);
  });
});

describe('pan and zoom', () => {
  it.each(orientations)('keeps the image point under the pointer when enlarging, %j', (orientation) => {
    const camera = { centreX: 500, centreY: 400, scale: 0.7 };
    const pointer = { x: 555, y: 77 };
    const before = applied(inverse(imageToStage(camera, rectangle, orientation)), pointer);
    const zoomed = zoomedAbout(camera, 1.9, pointer, rectangle, orientation);
    const after = applied(inverse(imageToStage(zoomed, rectangle, orientation)), pointer);
    expect(zoomed.scale).toBeCloseTo(1.33, 12);
    expect(after.x).toBeCloseTo(before.x, 9);
    expect(after.y).toBeCloseTo(before.y, 9);
  });

  it.each(orientations)('lets the image follow the pointer, %j', (orientation) => {
    const camera = { centreX: 500, centreY: 400, scale: 0.7 };
    const before = applied(imageToStage(camera, rectangle, orientation), { x: 480, y: 420 });
    const moved = panned(camera, { x: 31, y: -17 }, image, orientation);
    const after = applied(imageToStage(moved, rectangle, orientation), { x: 480, y: 420 });
    expect(after.x - before.x).toBeCloseTo(31, 9);
    expect(after.y - before.y).toBeCloseTo(-17, 9);
  });

  it('keeps the centre inside the image', () => {
    const camera = panned({ centreX: 500, centreY: 400, scale: 1 }, { x: 1e6, y: -1e6 }, image, upright);
    expect(camera).toEqual({ centreX: 0, centreY: 900, scale: 1 });
    expect(clampScale(0)).toBe(minScale);
  });
});

describe('the camera of a displayed area', () => {
  const area = { frames: null, from: [100, 200], to: [300, 260], magnification: null, isTrueSize: false } as const;
  const viewed = { ...image, area: { ...area, from: [...area.from], to: [...area.to] } } satisfies ViewedImage;

  it.each(orientations)('shows all of it in the middle, as large as the rectangle allows: %j', (orientation) => {
    const camera = cameraOf('area', viewed, rectangle, orientation);
    const affine = imageToStage(camera, rectangle, orientation);
    const corners = [
      [100, 200],
      [300, 260],
    ].map(([x = 0, y = 0]) => applied(affine, { x, y }));
    const [xs, ys] = [corners.map(({ x }) => x).toSorted(ascending), corners.map(({ y }) => y).toSorted(ascending)];
    const [left = 0, right = 0] = xs;
    const [top = 0, bottom = 0] = ys;
    expect(Math.max((right - left) / rectangle.width, (bottom - top) / rectangle.height)).toBeCloseTo(1, 2);
    expect((left + right) / 2).toBeCloseTo(rectangle.x + rectangle.width / 2, 0);
    expect((top + bottom) / 2).toBeCloseTo(rectangle.y + rectangle.height / 2, 0);
  });

  it('has the scale of its magnification, within that of the stage', () => {
    const magnified = (magnification: number) =>
      cameraOf('area', { ...viewed, area: { ...viewed.area, magnification } }, rectangle, upright);
    expect(magnified(2.5)).toEqual({ centreX: 200, centreY: 230, scale: 2.5 });
    expect(magnified(1e9).scale).toBe(maxScale);
  });

  it('is that of the whole image where there is none, and where the view is not that of the area', () => {
    expect(cameraOf('area', { ...image, area: null }, rectangle, upright)).toEqual(fitted(image, rectangle, upright));
    expect(cameraOf('fit', viewed, rectangle, upright)).toEqual(fitted(image, rectangle, upright));
  });
});
