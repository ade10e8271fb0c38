import { describe, expect, it } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import type { LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { draggedWindow, windowDragStart } from '../../src/viewer/gesture/window-drag.ts';
import { applied, fitted, imageToStage, type Orientation } from '../../src/viewer/scene/camera.ts';
import { effectiveWindow } from '../../src/viewer/scene/effective-window.ts';
import { linkedImages, linkedView, linkedVoi } from '../../src/viewer/scene/link.ts';
import { type Display, emptyScene, sceneOf } from '../../src/viewer/scene/scene.ts';
import { shownGrey } from '../../src/viewer/shaders/window/reference.ts';
import { windowUniforms } from '../../src/viewer/shaders/window/uniforms.ts';
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

describe('linked images', () => {
  it('show the same part at the same zoom', () => {
    const view = { centreX: 30, centreY: 60, scale: 12 };
    expect(linkedView(small, view, large)).toEqual({
      centreX: expect.closeTo(300, 9),
      centreY: expect.closeTo(600, 9),
      scale: expect.closeTo(1.2, 9),
    });
    expect(linkedView(small, 'fit', large)).toBe('fit');
  });

  it('show the same part as one with a displayed area', () => {
    const area = { frames: null, from: [20, 30], to: [60, 70], magnification: null, isTrueSize: false } as const;
    const viewed = { ...small, image: { ...small.image, area: { ...area, from: [20, 30], to: [60, 70] } } };
    expect(linkedView(viewed as typeof small, 'area', large)).toEqual(
      linkedView(small, { centreX: 40, centreY: 50, scale: 10 }, large),
    );
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
});

/** Values of 16 bits from dark to bright, in equal steps over the range of the image. */
const ramp = (
  range: { readonly low: number; readonly high: number },
  changes: Partial<LoadedImage> = {},
): LoadedImage => ({
  ...loadedPicture({ width: 2, height: 1, pixels: { format: 'u16', values: new Uint16Array(2) } }),
  range,
  original: {
    ...plainDisplay,
    voi: { kind: 'window', centre: (range.low + range.high) / 2, width: range.high - range.low, function: 'LINEAR' },
  },
  ...changes,
});

const sixteen = ramp({ low: 0, high: 65_535 });
const images: Readonly<Record<string, LoadedImage>> = {
  '16 bit MONOCHROME2': sixteen,
  '16 bit MONOCHROME1': { ...sixteen, shownInverse: true },
  '8 bit MONOCHROME2': ramp({ low: 0, high: 255 }),
  '12 bit MONOCHROME1 with a narrow window': ramp(
    { low: 0, high: 4095 },
    {
      shownInverse: true,
      original: { ...plainDisplay, voi: { kind: 'window', centre: 1200, width: 300, function: 'LINEAR_EXACT' } },
    },
  ),
  'a falling modality slope': ramp(
    { low: -1000, high: 3095 },
    { modality: { kind: 'rescale', slope: -1, intercept: 3095 } },
  ),
  'Hounsfield units': ramp({ low: -1024, high: 3071 }, { modality: { kind: 'rescale', slope: 1, intercept: -1024 } }),
  'a sigmoid curve': ramp(
    { low: 0, high: 4095 },
    { original: { ...plainDisplay, voi: { kind: 'window', centre: 2000, width: 900, function: 'SIGMOID' } } },
  ),
};
const names = Object.keys(images);
const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
const imageOf = (name: string) => {
  const image = images[name];
  if (!image) throw new Error(name);
  return image;
};

/** The displayed values, from black 0 to white 1, of 32 stored values across the window of `start`. */
const greyValuesOf = (image: LoadedImage, display: Display, start: Display): readonly number[] => {
  const { centre, width } = effectiveWindow({ image, drawn: { voi: start.voi ?? image.original.voi } });
  const uniforms = windowUniforms(image, { ...display, voi: display.voi ?? image.original.voi });
  const { modality } = image;
  if (modality.kind === 'lut') throw new Error('no slope');
  return Array.from({ length: 32 }, (_, at) => {
    const value = centre + (at / 31 - 0.5) * width;
    return shownGrey((value - modality.intercept) / modality.slope, uniforms);
  });
};

const dragged = (image: LoadedImage, display: Display, right: number, down: number): Display => {
  const window = effectiveWindow({ image, drawn: { voi: display.voi ?? image.original.voi } });
  const grip = windowDragStart(display, { window, range: image.range, shownInverse: image.shownInverse });
  return { ...display, voi: draggedWindow(grip, right, down) };
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

describe.each(pairs)('%s linked with %s', (one, other) => {
  const [from, to] = [imageOf(one), imageOf(other)];
  const inversions = [false, true].flatMap((mine) => [false, true].map((theirs) => [mine, theirs] as const));

  it.each(inversions)('is brighter where the other is brighter (inverted %s, %s)', (mine, theirs) => {
    const [before, own] = [
      { ...plainDisplay, inverted: mine },
      { ...plainDisplay, inverted: theirs },
    ];
    for (const [down, sign] of [
      [-60, 1],
      [60, -1],
    ] as const) {
      const after = dragged(from, before, 0, down);
      const followed = { ...own, voi: linkedVoi({ image: from, display: before }, after, { image: to, display: own }) };
      const [was, is] = [greyValuesOf(from, before, before), greyValuesOf(from, after, before)];
      const [ownWas, ownIs] = [greyValuesOf(to, own, own), greyValuesOf(to, followed, own)];
      expect(Math.sign(mean(is) - mean(was))).toBe(sign);
      expect(Math.sign(mean(ownIs) - mean(ownWas))).toBe(sign);
      for (const [at, grey] of ownIs.entries()) expect((grey - (ownWas[at] ?? 0)) * sign).toBeGreaterThanOrEqual(-1e-9);
    }
  });

  it('changes contrast alike, and reverts exactly', () => {
    const before = plainDisplay;
    const own = { ...plainDisplay, voi: to.original.voi };
    const after = dragged(from, before, 200, 30);
    const there = linkedVoi({ image: from, display: before }, after, { image: to, display: own });
    expect(spread(greyValuesOf(to, { ...own, voi: there }, own))).toBeLessThan(spread(greyValuesOf(to, own, own)));
    expect(linkedVoi({ image: from, display: before }, before, { image: to, display: own })).toBe(own.voi);
  });
});

describe('not linked', () => {
  const colour = loadedPicture({ width: 1, height: 1, pixels: { format: 'rgba8', values: new Uint8Array(4) } });
  const window = { kind: 'window', centre: 1, width: 2, function: 'LINEAR' } as const;
  const from = { image: sixteen, display: plainDisplay };

  it('a VOI LUT, which belongs to its file', () => {
    const after: Display = { ...plainDisplay, voi: { kind: 'lut', index: 0 } };
    expect(linkedVoi(from, after, { image: sixteen, display: { ...plainDisplay, voi: window } })).toBe(window);
  });

  it('windows between colour and greyscale images', () => {
    const after: Display = { ...plainDisplay, voi: window };
    expect(linkedVoi(from, after, { image: colour, display: plainDisplay })).toBeNull();
    expect(linkedVoi({ image: colour, display: plainDisplay }, after, from)).toBeNull();
    expect(
      linkedVoi({ image: colour, display: plainDisplay }, after, { image: colour, display: plainDisplay }),
    ).not.toBeNull();
  });

  it('any window in a comparison where each image keeps its own', () => {
    const after: Display = { ...plainDisplay, voi: window };
    const images = ['one', 'other'].flatMap((id) => sceneOf(id).images);
    const scene = { ...emptyScene, images, linked: true };
    const voiOf = (ownWindows: boolean) =>
      linkedImages({ ...scene, ownWindows }, () => sixteen, 'one', after).map(({ id, display }) => [id, display.voi]);
    expect(voiOf(true)).toEqual([['other', null]]);
    expect(voiOf(false)).toEqual([['other', expect.objectContaining({ kind: 'window' })]]);
  });

  it('rotation, flip, inversion, gamma, filters and palette', () => {
    const after: Display = {
      ...plainDisplay,
      rotation: 90,
      horizontalFlip: true,
      inverted: true,
      gamma: 2,
      noise: { kind: 'median', strength: 1 },
      sharpness: 1,
      equalisation: 1,
      palette: 'hot',
    };
    expect(linkedVoi(from, after, { image: sixteen, display: { ...plainDisplay, voi: window } })).toBe(window);
  });

  it('widths below the minimum of the image', () => {
    const own: Display = { ...plainDisplay, voi: { ...window, width: 4 } };
    const after: Display = { ...plainDisplay, voi: { ...window, width: 1 } };
    expect(linkedVoi(from, after, { image: sixteen, display: own })).toMatchObject({ width: 1 });
  });
});
