import type { ImagePixels } from '../../../src/viewer/decode/loaded-image.ts';
import { createStage, type Display, sceneOf, type View } from '../../../src/viewer/index.ts';
import { applied, cameraOf, imageToStage, inverse } from '../../../src/viewer/scene/camera.ts';
import { sampledValue, shownGrey } from '../../../src/viewer/shaders/window/reference.ts';
import { samplingFor, windowUniforms } from '../../../src/viewer/shaders/window/uniforms.ts';
import { imagesOf, loadedPicture, type Picture } from './synthetic.ts';

export interface ShaderCase {
  readonly picture: Picture;
  readonly display: Display;
  readonly view: View;
  readonly stage: { readonly width: number; readonly height: number };
}

export interface Comparison {
  readonly largest: number;
  readonly over: number;
  readonly pixels: number;
  /** Greys that occur in the drawn picture: one that is all black proves nothing. */
  readonly greys: number;
}

const channelsOf = ({ format }: ImagePixels) => (format === 'rgba8' ? 3 : 1);

const expectedPixels = ({ picture, display, view, stage }: ShaderCase): Uint8ClampedArray => {
  const image = loadedPicture(picture);
  const rectangle = { x: 0, y: 0, ...stage };
  const orientation = { ...display, pixelAspect: image.pixelAspect };
  const camera = cameraOf(view, image, rectangle, orientation);
  const toImage = inverse(imageToStage(camera, rectangle, orientation));
  const footprint = { x: 1 / camera.scale, y: 1 / (camera.scale * image.pixelAspect) };
  const uniforms = windowUniforms(image, display);
  const sampling = samplingFor(camera.scale, image.pixelAspect);
  const channels = channelsOf(picture.pixels);
  const stride = channels === 3 ? 4 : 1;
  const { values } = picture.pixels;
  const out = new Uint8ClampedArray(stage.width * stage.height * 4);
  for (let y = 0; y < stage.height; y++) {
    for (let x = 0; x < stage.width; x++) {
      const at = (y * stage.width + x) * 4;
      out[at + 3] = 255;
      const point = applied(toImage, { x: x + 0.5, y: y + 0.5 });
      if (point.x < 0 || point.y < 0 || point.x >= image.width || point.y >= image.height) continue;
      for (let channel = 0; channel < 3; channel++) {
        const from = channels === 3 ? channel : 0;
        const stored = (column: number, row: number) => values[(row * image.width + column) * stride + from] ?? 0;
        const value = sampledValue({ ...image, stored }, point.x, point.y, sampling, footprint);
        out[at + channel] = shownGrey(value, uniforms) * 255;
      }
    }
  }
  return out;
};

export const compare = (drawn: Uint8ClampedArray, expected: Uint8ClampedArray, tolerance = 0): Comparison => {
  let largest = 0;
  let over = 0;
  const greys = new Set<number>();
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs((drawn[index] ?? -1) - (expected[index] ?? 0));
    if (difference > largest) largest = difference;
    if (difference > tolerance) over++;
    if (index % 4 === 0) greys.add(drawn[index] ?? 0);
  }
  return { largest, over, pixels: expected.length / 4, greys: greys.size };
};

/** A place of so many device pixels in the page. */
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

/** Draws a case and compares each pixel with the shader's twin. */
export const runCase = async (shaderCase: ShaderCase): Promise<Comparison> => {
  const snapshot = await drawCase(shaderCase);
  if (snapshot.width !== shaderCase.stage.width || snapshot.height !== shaderCase.stage.height) {
    throw new Error(`the stage is ${snapshot.width} x ${snapshot.height}`);
  }
  return compare(snapshot.pixels, expectedPixels(shaderCase));
};
