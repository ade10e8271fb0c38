import { createStage, type ResolvedDisplay, sceneOf, type View } from '../../../src/viewer/index.ts';
import type { ShownImage } from '../../../src/viewer/layers/image-layer.ts';
import { imageTransform } from '../../../src/viewer/layers/image-transform.ts';
import { applied, cameraOf, imageToStage, inverse, type Rectangle } from '../../../src/viewer/scene/camera.ts';
import { coloured } from '../../../src/viewer/shaders/palette/reference.ts';
import { sampledValue, shownGrey } from '../../../src/viewer/shaders/window/reference.ts';
import { windowUniforms } from '../../../src/viewer/shaders/window/uniforms.ts';
import { createPainter, type Painter } from '../../../src/viewer/stage/painter.ts';
import { createSurface } from '../../../src/viewer/stage/renderer.ts';
import { readSnapshot } from '../../../src/viewer/stage/snapshot.ts';
import { type ImageLoad, imagesOf, loadedPicture } from './synthetic.ts';

export interface ShaderCase {
  readonly picture: ImageLoad;
  readonly display: ResolvedDisplay;
  readonly view: View;
  readonly stage: { readonly width: number; readonly height: number };
}

export interface Comparison {
  readonly largest: number;
  readonly over: number;
  readonly pixels: number;
  /** Number of distinct grey values drawn: an all-black picture proves nothing. */
  readonly greyValues: number;
}

/** The input of the painter for a case, in `rectangle` or on the whole stage. */
export const shownOf = ({ picture, display, view, stage }: ShaderCase, rectangle?: Rectangle): ShownImage => {
  const image = loadedPicture(picture);
  const place = rectangle ?? { x: 0, y: 0, ...stage };
  const orientation = { ...display, pixelAspect: image.pixelAspect };
  const camera = cameraOf(view, image, place, orientation);
  return { image, pixels: image.pixels, display, camera, orientation, rectangle: place, stage, coarse: false };
};

/**
 * Tolerance for the position of the picture's edge in device pixels, because the rasteriser has limited subpixel precision. At 1:1,
 * and at whole scales, the edges lie on device pixels.
 */
const edgeWidth = ({ rotation }: ResolvedDisplay, scale: number) => {
  if (rotation % 90 !== 0) return 0.1;
  return Number.isInteger(scale) ? 0 : 0.07;
};

/**
 * Renders an image with the reference shader, as red, green, blue and alpha. Alpha 0 marks the pixels beside its rectangle, and those
 * whose centre is on the edge of the picture.
 */
export const expectedPixels = (shown: ShownImage): Uint8ClampedArray => {
  const { image, pixels, display, camera, orientation, rectangle, stage } = shown;
  const { reduction } = image;
  const toImage = inverse(imageToStage(camera, rectangle, orientation));
  const scale = camera.scale * reduction;
  const footprint = { x: 1 / scale, y: 1 / (scale * image.pixelAspect) };
  const uniforms = windowUniforms(image, display);
  const { sampling } = imageTransform(shown);
  const edge = edgeWidth(display, camera.scale) / camera.scale;
  const colour = pixels.format === 'rgba8';
  const size = { width: image.pixelWidth, height: image.pixelHeight };
  const channels = [0, 1, 2].map((channel) => ({
    ...size,
    stored: (column: number, row: number) =>
      pixels.values[(row * size.width + column) * (colour ? 4 : 1) + (colour ? channel : 0)] ?? 0,
  }));
  const greyAt = (channel: number, x: number, y: number) => {
    const read = channels[channel];
    return read ? shownGrey(sampledValue(read, x, y, sampling, footprint), uniforms) : 0;
  };
  const out = new Uint8ClampedArray(stage.width * stage.height * 4);
  for (let y = rectangle.y; y < rectangle.y + rectangle.height; y++) {
    for (let x = rectangle.x; x < rectangle.x + rectangle.width; x++) {
      const at = (y * stage.width + x) * 4;
      const point = applied(toImage, { x: x + 0.5, y: y + 0.5 });
      const inside = Math.min(point.x, point.y, image.width - point.x, image.height - point.y);
      if (edge > 0 && Math.abs(inside) < edge) continue;
      out[at + 3] = 255;
      if (point.x < 0 || point.y < 0 || point.x >= image.width || point.y >= image.height) continue;
      const [px, py] = [point.x / reduction, point.y / reduction];
      const shades = colour
        ? [0, 1, 2].map((channel) => greyAt(channel, px, py))
        : coloured(greyAt(0, px, py), uniforms.palette);
      for (const [channel, shade] of shades.entries()) out[at + channel] = shade * 255;
    }
  }
  return out;
};

/** Ignores pixels with alpha 0 in `expected`. */
export const compare = (drawn: Uint8ClampedArray, expected: Uint8ClampedArray, tolerance = 0): Comparison => {
  let largest = 0;
  let over = 0;
  const greyValues = new Set<number>();
  for (let index = 0; index < expected.length; index++) {
    if (expected[index - (index % 4) + 3] === 0) continue;
    const difference = Math.abs((drawn[index] ?? -1) - (expected[index] ?? 0));
    if (difference > largest) largest = difference;
    if (difference > tolerance) over++;
    if (index % 4 === 0) greyValues.add(drawn[index] ?? 0);
  }
  return { largest, over, pixels: expected.length / 4, greyValues: greyValues.size };
};

/** Returns `drawn` with the ignored pixels of `expected` cleared. */
const masked = (drawn: Uint8ClampedArray, expected: Uint8ClampedArray) =>
  drawn.map((value, index) => (index % 4 === 3 ? (expected[index] ?? 0) : value));

/** Creates a host element of the given size in device pixels. */
export const hostOf = ({ width, height }: { readonly width: number; readonly height: number }): HTMLElement => {
  const host = document.createElement('div');
  host.style.cssText = `position:absolute;left:0;top:0;width:${width / devicePixelRatio}px;height:${height / devicePixelRatio}px`;
  document.body.append(host);
  return host;
};

export const drawCase = async ({ picture, display, view, stage: size }: ShaderCase) => {
  const host = hostOf(size);
  const stage = createStage(host, { images: imagesOf({ synthetic: loadedPicture(picture) }) });
  stage.show(sceneOf('synthetic', { display, view }));
  const snapshot = await stage.snapshot();
  stage.dispose();
  host.remove();
  return snapshot;
};

/** Draws a case on a stage and compares each pixel with the reference shader. */
export const runCase = async (shaderCase: ShaderCase): Promise<Comparison> => {
  const snapshot = await drawCase(shaderCase);
  if (snapshot.width !== shaderCase.stage.width || snapshot.height !== shaderCase.stage.height) {
    throw new Error(`the stage is ${snapshot.width} x ${snapshot.height}`);
  }
  return compare(snapshot.pixels, expectedPixels(shownOf(shaderCase)));
};

/** A painter on a canvas of its own, without a stage around it. */
export const withPainter = async <Result>(
  size: { readonly width: number; readonly height: number },
  use: (painter: Painter, pixels: () => Uint8ClampedArray) => Result | Promise<Result>,
  budgetBytes?: number,
): Promise<Result> => {
  const painter = createPainter(await createSurface(size), budgetBytes);
  try {
    return await use(painter, () => readSnapshot(painter.renderer).pixels);
  } finally {
    painter.dispose();
  }
};

export interface BothWays {
  readonly direct: Comparison;
  /** The result after a window change, drawn from the value buffer if there is one. */
  readonly again: Comparison;
  /** Actual and expected bytes of the value buffer. */
  readonly sampleBytes: number;
  readonly sampleBytesDue: number;
  /** Largest difference between the two ways. */
  readonly apart: number;
}

/** Draws a case directly and after a window change, and compares both with the reference shader. */
export const runBothWays = (shaderCase: ShaderCase): Promise<BothWays> =>
  withPainter(shaderCase.stage, (painter, pixels) => {
    const shown = shownOf(shaderCase);
    const expected = expectedPixels(shown);
    painter.paint(new Map([['one', shown]]));
    const direct = pixels();
    const before = painter.gpuBytes();
    painter.paint(new Map([['one', { ...shown, display: { ...shown.display, inverted: !shown.display.inverted } }]]));
    const sampleBytes = painter.gpuBytes() - before;
    painter.paint(new Map([['one', shown]]));
    const again = pixels();
    return {
      direct: compare(direct, expected),
      again: compare(again, expected),
      sampleBytes,
      sampleBytesDue: shown.pixels.format !== 'rgba8' ? shown.stage.width * shown.stage.height * 4 : 0,
      apart: compare(again, masked(direct, expected)).largest,
    };
  });
