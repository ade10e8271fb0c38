import { createStage, emptyScene, type Snapshot, sceneOf, withImage } from '../../../src/viewer/index.ts';
import {
  type Comparison,
  compare,
  drawCase,
  expectedPixels,
  hostOf,
  runCase,
  type ShaderCase,
  shownOf,
} from './shader-case.ts';
import { shaderCases } from './shader-suite.ts';
import { imagesOf, loadedPicture, plainDisplay } from './synthetic.ts';

const named = (name: string): ShaderCase => {
  const found = shaderCases()[name];
  if (!found) throw new Error(`no case ${name}`);
  return found;
};

const happened = (target: EventTarget, type: string) =>
  new Promise<void>((resolve) => target.addEventListener(type, () => resolve(), { once: true }));

const stageOf = ({ picture, display, view, stage: size }: ShaderCase) => {
  const host = hostOf(size);
  const stage = createStage(host, { images: imagesOf({ synthetic: loadedPicture(picture) }), label: 'A radiograph' });
  const scene = sceneOf('synthetic', { display, view });
  stage.show(scene);
  return { host, stage, scene };
};

/** Loses and restores the GPU context: the picture must be unchanged. */
export const contextLoss = async () => {
  const { host, stage } = stageOf(named('odd size'));
  const before = await stage.snapshot();
  const canvas = host.querySelector('canvas');
  const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
  if (!canvas || !extension) throw new Error('WEBGL_lose_context is not available');
  const lost = happened(canvas, 'webglcontextlost');
  extension.loseContext();
  await lost;
  // The browser allows it once all listeners of the loss have run.
  await new Promise((resolve) => setTimeout(resolve));
  const restored = happened(canvas, 'webglcontextrestored');
  extension.restoreContext();
  await restored;
  const after = await stage.snapshot();
  stage.dispose();
  host.remove();
  return compare(after.pixels, before.pixels);
};

/** Creates, draws and disposes stages repeatedly. */
export const cycles = async (count: number) => {
  const shaderCase = named('odd size');
  let first: Snapshot | null = null;
  let largest = 0;
  for (let index = 0; index < count; index++) {
    const snapshot = await drawCase(shaderCase);
    first ??= snapshot;
    largest = Math.max(largest, compare(snapshot.pixels, first.pixels).largest);
  }
  return { largest, canvases: document.querySelectorAll('canvas').length };
};

/** Disposes a stage before it is ready: nothing must remain. */
export const disposedEarly = async () => {
  const host = hostOf({ width: 40, height: 30 });
  const stage = createStage(host, { images: imagesOf({}) });
  const snapshot = stage.snapshot().catch((error: Error) => error.message);
  stage.dispose();
  const rejected = await snapshot;
  // A second stage on the same host becomes ready after the first would have been.
  const second = createStage(host, { images: imagesOf({}) });
  await second.snapshot();
  const canvases = host.querySelectorAll('canvas').length;
  second.dispose();
  const left = host.querySelectorAll('canvas').length;
  host.remove();
  return { rejected, canvases, left };
};

/** Frames drawn while nothing changes, and after one change. */
export const idleFrames = async () => {
  const { host, stage, scene } = stageOf(named('odd size'));
  await stage.snapshot();
  const gl = host.querySelector('canvas')?.getContext('webgl2');
  if (!gl) throw new Error('no context');
  let draws = 0;
  const drawElements = gl.drawElements.bind(gl);
  gl.drawElements = (...rest) => {
    draws++;
    drawElements(...rest);
  };
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let index = 0; index < 10; index++) await nextFrame();
  const idle = draws;
  stage.show(withImage(scene, 'synthetic', (image) => ({ ...image, display: { ...plainDisplay, inverted: true } })));
  await nextFrame();
  await nextFrame();
  stage.dispose();
  host.remove();
  return { idle, afterChange: draws };
};

/** Draws cases with a texture limit of 64 pixels: in tiles, without seams. */
export const tiled = async (): Promise<Record<string, Comparison>> => {
  const { prototype } = WebGL2RenderingContext;
  const { getParameter } = prototype;
  prototype.getParameter = function (name: number) {
    return name === this.MAX_TEXTURE_SIZE ? 64 : getParameter.call(this, name);
  };
  const names = ['odd size', 'turned 90 horizontalFlip', 'enlarged 3.7 times', 'made smaller', 'ramp, full window'];
  const results: Record<string, Comparison> = {};
  for (const name of names) results[name] = await runCase(named(name));
  prototype.getParameter = getParameter;
  return results;
};

/** A picture as large as the monitor at 1:1: each device pixel must be its image pixel. */
export const monitor = async (size: { readonly width: number; readonly height: number }) => {
  // Neighbours differ, so that a picture moved or stretched by a part of a pixel would show.
  const values = new Uint16Array(size.width * size.height).map((_, index) => (index * 40503) % 65536);
  const shaderCase: ShaderCase = {
    picture: { ...size, pixels: { format: 'u16', values } },
    display: { ...plainDisplay, voi: { kind: 'window', centre: 32768, width: 65536, function: 'LINEAR' } },
    view: { centreX: size.width / 2, centreY: size.height / 2, scale: 1 },
    stage: size,
  };
  const { host, stage } = stageOf(shaderCase);
  const { pixels } = await stage.snapshot();
  const canvas = host.querySelector('canvas');
  const measured = { width: canvas?.width, height: canvas?.height };
  stage.dispose();
  host.remove();
  return { canvas: measured, ...compare(pixels, expectedPixels(shownOf(shaderCase))) };
};

/** Two pictures side by side: each must stay in its place. */
export const sideBySide = async () => {
  const host = hostOf({ width: 200, height: 80 });
  const { picture } = named('ramp, full window');
  const white = { ...picture, pixels: { format: 'u16', values: new Uint16Array(65536).fill(65535) } } as const;
  const stage = createStage(host, { images: imagesOf({ left: loadedPicture(white), right: loadedPicture(white) }) });
  const display = {
    ...plainDisplay,
    voi: { kind: 'window', centre: 32768, width: 65536, function: 'LINEAR' },
  } as const;
  const view = { centreX: 128, centreY: 128, scale: 4 };
  const half = { y: 0, width: 0.5, height: 1 };
  const left = {
    id: 'left',
    source: 'left',
    frame: 1,
    placement: { x: 0, ...half },
    display,
    view,
    marks: [],
    calibration: null,
  };
  const right = {
    ...left,
    id: 'right',
    source: 'right',
    placement: { x: 0.5, ...half },
    display: { ...display, inverted: true },
  };
  stage.show({ ...emptyScene, images: [left, right], active: 'left' });
  const { pixels } = await stage.snapshot();
  stage.dispose();
  host.remove();
  const row = Array.from({ length: 200 }, (_, x) => pixels[(40 * 200 + x) * 4]);
  return { left: [...new Set(row.slice(0, 100))], right: [...new Set(row.slice(100))] };
};

/** Counts the GPU objects that are created and not deleted. */
const watchObjects = (gl: WebGL2RenderingContext) => {
  const alive = { textures: new Set<object>(), buffers: new Set<object>(), vertexArrays: new Set<object>() };
  const made = { count: 0 };
  const watched = <Made extends object>(set: Set<object>, make: () => Made, free: (one: Made | null) => void) => ({
    make: () => {
      const one = make();
      made.count++;
      set.add(one);
      return one;
    },
    free: (one: Made | null) => {
      if (one) set.delete(one);
      free(one);
    },
  });
  const textures = watched(alive.textures, gl.createTexture.bind(gl), gl.deleteTexture.bind(gl));
  const buffers = watched(alive.buffers, gl.createBuffer.bind(gl), gl.deleteBuffer.bind(gl));
  const arrays = watched(alive.vertexArrays, gl.createVertexArray.bind(gl), gl.deleteVertexArray.bind(gl));
  Object.assign(gl, { createTexture: textures.make, deleteTexture: textures.free });
  Object.assign(gl, { createBuffer: buffers.make, deleteBuffer: buffers.free });
  Object.assign(gl, { createVertexArray: arrays.make, deleteVertexArray: arrays.free });
  const held = () => [alive.textures.size, alive.buffers.size, alive.vertexArrays.size];
  return { held, made };
};

/** Shows one picture after another on one stage, with windows and LUTs: counts the GPU objects after each. */
export const manyPictures = async () => {
  const shaderCase = named('modality LUT and VOI LUT');
  const keys = Array.from({ length: 20 }, (_, index) => `picture ${index}`);
  // Values differ, because a layer reuses its texture for equal values.
  const pixelsOf = () => ({ ...shaderCase.picture.pixels });
  const pictures = Object.fromEntries(
    keys.map((key) => [key, loadedPicture({ ...shaderCase.picture, pixels: pixelsOf() }, key)]),
  );
  const host = hostOf(shaderCase.stage);
  const stage = createStage(host, { images: imagesOf(pictures) });
  await stage.snapshot();
  const gl = host.querySelector('canvas')?.getContext('webgl2');
  if (!gl) throw new Error('no context');
  const { held, made } = watchObjects(gl);
  const countsAfter: string[] = [];
  const window = { ...plainDisplay, voi: { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' } } as const;
  for (const key of keys) {
    for (const display of [shaderCase.display, window]) {
      stage.show(sceneOf(key, { id: 'one', display }));
      await stage.snapshot();
    }
    countsAfter.push(held().join(' '));
  }
  stage.show(emptyScene);
  await stage.snapshot();
  const left = held();
  stage.dispose();
  host.remove();
  return { countsAfter: [...new Set(countsAfter.slice(2))], left, made: made.count };
};

/** Without WebGL the stage reports an error and no promise stays pending. */
export const withoutGpu = async () => {
  const { prototype } = HTMLCanvasElement;
  const { getContext } = prototype;
  Object.assign(prototype, { getContext: () => null });
  const host = hostOf({ width: 40, height: 30 });
  const stage = createStage(host, { images: imagesOf({}) });
  const failed = new Promise<string>((resolve) => stage.on('stage.failed', ({ error }) => resolve(error.message)));
  const rejected = await stage.snapshot().then(
    () => 'a picture',
    () => 'rejected',
  );
  const message = await failed;
  stage.dispose();
  Object.assign(prototype, { getContext });
  host.remove();
  return { rejected, reported: message.length > 0, canvases: host.querySelectorAll('canvas').length };
};
