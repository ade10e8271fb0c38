import { createStage, type Intent, type Snapshot, sceneOf, withImage } from '../../../src/viewer/index.ts';
import { compare, drawCase, hostOf, type ShaderCase } from './shader-case.ts';
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

/** Takes the GPU context away and gives it back: the picture must come out the same. */
export const contextLoss = async () => {
  const { host, stage } = stageOf(named('odd size'));
  const before = await stage.snapshot();
  const canvas = host.querySelector('canvas');
  const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
  if (!canvas || !extension) throw new Error('the context cannot be taken away');
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

/** Builds a stage, draws, takes it down; again and again. */
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

/** A stage taken down before it was ready leaves nothing behind. */
export const disposedEarly = async () => {
  const host = hostOf({ width: 40, height: 30 });
  const stage = createStage(host, { images: imagesOf({}) });
  const snapshot = stage.snapshot().catch((error: Error) => error.message);
  stage.dispose();
  const refused = await snapshot;
  // A second stage on the same host becomes ready after the first would have been.
  const second = createStage(host, { images: imagesOf({}) });
  await second.snapshot();
  const canvases = host.querySelectorAll('canvas').length;
  second.dispose();
  const left = host.querySelectorAll('canvas').length;
  host.remove();
  return { refused, canvases, left };
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

/** The stage left in the page, with all that it tells, for a hand to play with. */
export const openForHands = async () => {
  const { stage, scene } = stageOf({ ...named('odd size'), view: 'fit', stage: { width: 400, height: 300 } });
  const told: Intent[] = [];
  const types = [
    'gesture.begun',
    'gesture.settled',
    'tool.wanted',
    'pointer.value',
    'pointer.left',
    'view.drawn',
  ] as const;
  for (const type of types) stage.on(type, (intent) => told.push(intent));
  await stage.snapshot();
  return { stage, scene, told };
};
