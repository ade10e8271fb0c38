import type { Images } from '../decode/images.ts';
import { attachKeys } from '../gesture/key-actions.ts';
import { attachPointers } from '../gesture/pointers.ts';
import type { GestureTarget, Subject } from '../gesture/target.ts';
import { attachWheel } from '../gesture/wheel-zoom.ts';
import type { ShownImage } from '../layers/image-layer.ts';
import { cameraOf, rectangleOf, type Size, sameView } from '../scene/camera.ts';
import { sameDisplay } from '../scene/display.ts';
import type { Camera, DrawnDisplay, Scene, SceneImage } from '../scene/scene.ts';
import { emptyScene } from '../scene/scene.ts';
import { watchDeviceSize } from './device-size.ts';
import { createIntents, type Intents } from './intents.ts';
import { createLiveViews } from './live-views.ts';
import { createPace } from './pace.ts';
import { createPainter, type Painter } from './painter.ts';
import { createPictures } from './pictures.ts';
import { createSurface } from './renderer.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

export interface StageOptions {
  /** Where pictures come from; may be shared by many stages, and outlives them. */
  readonly images: Images;
  /** What the canvas is called to those who cannot see it. */
  readonly label?: string;
}

export interface Stage {
  /** Shows a scene: at once what is loaded, the rest as it comes. */
  readonly show: (scene: Scene) => void;
  /** Listens; returns the function that stops it. */
  readonly on: Intents['on'];
  /**
   * The picture as drawn, once all images of the scene are loaded or have failed. Rejects with an Error when the stage
   * is disposed before, or when the browser gives no WebGL 2.
   */
  readonly snapshot: () => Promise<Snapshot>;
  /** Frees canvas, GPU memory, listeners and loads under way. The stage cannot be used after. */
  readonly dispose: () => void;
}

interface Drawn {
  readonly display: DrawnDisplay;
  readonly camera: Camera;
}

/**
 * A stage that fills `host` (which needs a size of its own). Returns at once; the canvas appears when the GPU is ready.
 */
export const createStage = (host: HTMLElement, { images, label = '' }: StageOptions): Stage => {
  const intents = createIntents();
  const views = createLiveViews();
  const pace = createPace();
  let scene: Scene = emptyScene;
  let size: Size = { width: 1, height: 1 };
  let painter: Painter | null = null;
  let failure: Error | null = null;
  let disposed = false;
  let frameRequest = 0;
  let requestedAt = 0;
  let drawn = new Map<string, Drawn>();
  let waiting: { readonly resolve: (snapshot: Snapshot) => void; readonly reject: (error: Error) => void }[] = [];
  let hands: { readonly inHand: () => string | null; readonly release: () => void }[] = [];

  const pictures = createPictures(images, {
    loaded: (id, image) => intents.emit({ type: 'image.loaded', id, image }),
    progressed: (id, loadedBytes, totalBytes) =>
      intents.emit({ type: 'image.progressed', id, loadedBytes, totalBytes }),
    failed: (id, error) => intents.emit({ type: 'image.failed', id, error }),
    changed: () => invalidate(),
  });

  const subjectOf = (sceneImage: SceneImage): Subject | null => {
    const image = pictures.of(sceneImage.id)?.image;
    const live = views.of(sceneImage.id);
    if (!image || !live) return null;
    const rectangle = rectangleOf(sceneImage.place, size);
    const display = { ...live.display, voi: live.display.voi ?? image.original.voi };
    const orientation = { ...display, pixelAspect: image.pixelAspect };
    const camera = cameraOf(live.view, image, rectangle, orientation);
    return { id: sceneImage.id, image, rectangle, display, orientation, camera };
  };

  const shownImages = (coarse: boolean) => {
    const shown = new Map<string, ShownImage>();
    for (const sceneImage of scene.images) {
      const subject = subjectOf(sceneImage);
      if (!subject) continue;
      pictures.filter(subject.id, subject.display);
      const pixels = pictures.of(subject.id)?.pixels ?? subject.image.pixels;
      shown.set(subject.id, { ...subject, pixels, stage: size, coarse });
    }
    return shown;
  };

  const tellDrawn = (shown: ReadonlyMap<string, ShownImage>) => {
    const before = drawn;
    drawn = new Map([...shown].map(([id, { display, camera }]) => [id, { display, camera }]));
    for (const [id, { display, camera }] of drawn) {
      const was = before.get(id);
      if (was && sameDisplay(was.display, display) && sameView(was.camera, camera)) continue;
      intents.emit({ type: 'view.drawn', id, display, camera, level: 'full', filtering: false });
    }
  };

  const draw = () => {
    cancelAnimationFrame(frameRequest);
    const delayMs = frameRequest === 0 ? 0 : performance.now() - requestedAt;
    frameRequest = 0;
    if (!painter || disposed || painter.renderer.context.isLost) return;
    const { renderer } = painter;
    if (renderer.width !== size.width || renderer.height !== size.height) renderer.resize(size.width, size.height);
    const shown = shownImages(pace.next(inHand() !== null, delayMs));
    painter.paint(shown);
    if (waiting.length > 0 && !pictures.busy()) {
      const snapshot = readSnapshot(renderer);
      for (const { resolve } of waiting) resolve(snapshot);
      waiting = [];
    }
    tellDrawn(shown);
  };

  const invalidate = () => {
    if (frameRequest !== 0 || disposed) return;
    requestedAt = performance.now();
    frameRequest = requestAnimationFrame(draw);
  };

  const inHand = () => hands.map((hand) => hand.inHand()).find((id) => id !== null) ?? null;
  const named = (id: string) => scene.images.find((image) => image.id === id);

  const target: GestureTarget = {
    subject: (id) => {
      const image = named(id);
      return image ? subjectOf(image) : null;
    },
    subjectAt: ({ x, y }) => {
      const image = scene.images.findLast(({ place }) => {
        const box = rectangleOf(place, size);
        return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
      });
      return image ? subjectOf(image) : null;
    },
    active: () => (scene.active === null ? null : target.subject(scene.active)),
    tool: () => scene.tool,
    begin: (id, gesture) => intents.emit({ type: 'gesture.begun', id, gesture }),
    change: (id, change) => {
      views.change(id, change);
      invalidate();
    },
    settle: (id, gesture) => {
      if (pace.isCoarse()) invalidate();
      const live = views.of(id);
      if (live) intents.emit({ type: 'gesture.settled', id, gesture, ...live });
    },
    emit: intents.emit,
    pixelRatio: () => size.width / Math.max(1, host.getBoundingClientRect().width),
  };

  const unwatch = watchDeviceSize(host, (next) => {
    if (next.width === size.width && next.height === size.height) return;
    size = next;
    if (painter) draw();
  });

  const listenTo = (canvas: HTMLCanvasElement) => {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    // Out of the flow: a canvas that took part in the size of its host could make it grow with every measurement.
    canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;touch-action:none;outline-offset:-2px';
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    canvas.addEventListener('webglcontextrestored', invalidate);
    const { spaceHeld } = attachKeys(canvas, target);
    hands = [attachPointers(canvas, target, spaceHeld), attachWheel(canvas, target)];
    host.append(canvas);
  };

  const fail = (error: Error) => {
    failure = error;
    for (const { reject } of waiting) reject(error);
    waiting = [];
  };

  createSurface(size).then(
    (surface) => {
      if (disposed) return createPainter(surface).dispose();
      painter = createPainter(surface);
      listenTo(surface.canvas);
      draw();
    },
    (reason) => {
      if (disposed) return;
      const error = reason instanceof Error ? reason : new Error(String(reason));
      fail(error);
      intents.emit({ type: 'stage.failed', error });
    },
  );

  return {
    show: (next) => {
      if (disposed) return;
      const previous = scene;
      scene = next;
      views.take(previous, next, inHand());
      pictures.want(next);
      invalidate();
    },
    on: intents.on,
    snapshot: () =>
      new Promise((resolve, reject) => {
        if (failure || disposed) return reject(failure ?? new Error('the stage is disposed'));
        waiting.push({ resolve, reject });
        invalidate();
      }),
    dispose: () => {
      if (disposed) return;
      disposed = true;
      unwatch();
      cancelAnimationFrame(frameRequest);
      pictures.dispose();
      fail(new Error('the stage is disposed'));
      intents.clear();
      painter?.dispose();
      painter = null;
    },
  };
};
