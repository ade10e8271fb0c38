import type { Images } from '../decode/images.ts';
import { watchDeviceSize } from '../device-size.ts';
import type { KeyCommand } from '../gesture/keys.ts';
import { createOverlayStore } from '../gesture/overlay-store.ts';
import type { ShownImage } from '../layers/image-layer.ts';
import type { Lens } from '../layers/lens.ts';
import { marksOf } from '../layers/mark-drawing.ts';
import { createMarksLayer, type MarksLayer } from '../layers/marks-layer.ts';
import { createPlanesLayer, type PlanesLayer } from '../layers/planes-layer.ts';
import { createTextField, type TextField } from '../layers/text-field.ts';
import { applied, imageToStage, type Size, sameRectangle, sameView } from '../scene/camera.ts';
import type { StageTexts } from '../scene/measure.ts';
import { emptyScene, type Scene } from '../scene/scene.ts';
import { createDrawNotifier } from './draw-notifier.ts';
import { createEnteringImages } from './entering-images.ts';
import { createFrameRateMonitor } from './frame-rate.ts';
import { createGestureController } from './gesture-controller.ts';
import { createImageLoads } from './image-loads.ts';
import { createIntents, type Intents } from './intents.ts';
import { createLiveMount } from './live-mount.ts';
import { createLiveViews } from './live-views.ts';
import { createPainter, type Painter } from './painter.ts';
import { createSurface } from './renderer.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { createStageImages, type StageState } from './stage-images.ts';

/** Width and height of the magnifier, in CSS pixels. */
const lensSide = 240;
/** Minimum width in CSS pixels of an image of a mount for its measurements to be drawn. */
const readableSide = 200;

export interface StageOptions {
  /** Source of the images; may be shared by several stages and outlives them. */
  readonly images: Images;
  /** Accessible name of the canvas. */
  readonly label?: string;
  /** Texts of measurements; without them no measurement is drawn. */
  readonly words?: StageTexts;
  /** Locale of numbers (BCP 47). */
  readonly locale?: string;
}

export interface Stage {
  /** Shows a scene: loaded images immediately, the others when they arrive. */
  readonly show: (scene: Scene) => void;
  /** Adds a listener; returns the function that removes it. */
  readonly on: Intents['on'];
  /**
   * Applies a command to the active image or the mount, like the corresponding key. Returns false when it had no effect: no such
   * image, nothing to cancel, no further frame.
   */
  readonly act: (command: KeyCommand) => boolean;
  /** Ends the current gesture as on pointer up: its change is settled. */
  readonly settle: () => void;
  /**
   * Resolves with the drawn image once all images of the scene are loaded or have failed. Rejects with an Error when the
   * stage is disposed before, or when WebGL 2 is not available.
   */
  readonly snapshot: () => Promise<Snapshot>;
  /** Frees the canvas, GPU memory and listeners and aborts loads. The stage cannot be used afterwards. */
  readonly dispose: () => void;
}

/**
 * Creates a stage that fills `host` (which needs a size of its own). Returns at once; the canvas is added when the GPU is ready.
 */
export const createStage = (host: HTMLElement, { images, label = '', words, locale = 'sv' }: StageOptions): Stage => {
  // The window of the host draws its frames; it may be another one than that of this script.
  const view = host.ownerDocument.defaultView ?? window;
  const intents = createIntents();
  const frameRate = createFrameRateMonitor();
  const notifier = createDrawNotifier(intents.emit);
  let scene: Scene = emptyScene;
  let size: Size = { width: 1, height: 1 };
  let painter: Painter | null = null;
  let failure: Error | null = null;
  let disposed = false;
  let frameRequest = 0;
  let requestedAt = 0;
  let marks: MarksLayer | null = null;
  let planes: PlanesLayer | null = null;
  let textField: TextField | null = null;
  let shownBefore: ReadonlyMap<string, ShownImage> = new Map();
  let waiting: { readonly resolve: (snapshot: Snapshot) => void; readonly reject: (error: Error) => void }[] = [];

  const imageLoads = createImageLoads(images, {
    loaded: (id, image) => {
      entering.loaded(id);
      intents.emit({ type: 'image.loaded', id, image });
    },
    progressed: (id, loadedBytes, totalBytes) =>
      intents.emit({ type: 'image.progressed', id, loadedBytes, totalBytes }),
    failed: (id, error) => intents.emit({ type: 'image.failed', id, error }),
    changed: () => invalidate(),
  });

  const invalidate = () => {
    if (frameRequest !== 0 || disposed) return;
    requestedAt = performance.now();
    frameRequest = view.requestAnimationFrame(draw);
  };

  const views = createLiveViews();
  const mount = createLiveMount();
  const stageState: StageState = { scene: () => scene, size: () => size, views, mount, imageLoads };
  const stageImages = createStageImages(stageState);
  const entering = createEnteringImages(views, stageImages);
  const overlay = createOverlayStore(invalidate);
  const gestures = createGestureController({ host, stageState, stageImages, overlay, emit: intents.emit, invalidate });

  const shownImages = (coarse: boolean, lens: Lens | null) => {
    const shown = new Map<string, ShownImage>();
    for (const stageImage of stageImages.all()) {
      const { id, image, drawn, camera } = stageImage;
      // An image outside the stage needs the lowest resolution, one under the magnifier a higher one.
      const enlarged = camera.scale * (lens?.id === id ? lens.factor : 1) * Math.max(1, image.pixelAspect);
      const scale = stageImages.isSeen(stageImage) ? enlarged : 0;
      imageLoads.reportDrawn(id, { filters: drawn, scale });
    }
    // `reportDrawn` may have changed the level: image and pixel values must belong to the same one.
    for (const { id, image, drawn, camera, orientation, rectangle } of stageImages.all()) {
      const pixels = imageLoads.of(id)?.pixels ?? image.pixels;
      const before = shownBefore.get(id);
      // An image that does not move is cheap to draw at full quality.
      const moves =
        !before || before.coarse || !sameView(before.camera, camera) || !sameRectangle(before.rectangle, rectangle);
      const coarsely = coarse && moves;
      shown.set(id, { image, pixels, display: drawn, camera, orientation, rectangle, stage: size, coarse: coarsely });
    }
    shownBefore = shown;
    return shown;
  };

  const draw = () => {
    view.cancelAnimationFrame(frameRequest);
    const delayMs = frameRequest === 0 ? 0 : performance.now() - requestedAt;
    frameRequest = 0;
    if (!painter || disposed || painter.renderer.context.isLost) return;
    const { renderer } = painter;
    if (renderer.width !== size.width || renderer.height !== size.height) renderer.resize(size.width, size.height);
    const active = gestures.active();
    const lens = lensNow();
    const shown = shownImages(frameRate.next(active.images.size > 0 || active.mount, delayMs), lens);
    painter.paint(shown, lens);
    if (waiting.length > 0 && !imageLoads.busy()) {
      const snapshot = readSnapshot(renderer);
      for (const { resolve } of waiting) resolve(snapshot);
      waiting = [];
    }
    // In the same task as the drawing, so that overlays are never a frame behind.
    planes?.show([...shown.values()], (lens && shown.get(lens.id)) ?? null, lens, size, {
      withPlanes: !scene.planesHidden,
      withStates: !scene.marksHidden || overlay.get().draft !== null,
      ratio: gestures.pixelRatio(),
    });
    drawMarks(lens);
    showTextField();
    notifier.mount(mount.now(), size, gestures.pixelRatio());
    notifier.images(shown, imageLoads.isFiltering);
  };

  const unwatch = watchDeviceSize(host, (next) => {
    if (next.width === size.width && next.height === size.height) return;
    size = next;
    if (painter) draw();
  });

  const lensNow = (): Lens | null => {
    const { lens, lensFactor } = overlay.get();
    const id = lens && stageImages.idAt(lens);
    return lens && id ? { id, ...lens, factor: lensFactor, side: lensSide * gestures.pixelRatio() } : null;
  };

  const drawMarks = (lens: Lens | null) => {
    if (!words || !marks) return;
    const ratio = gestures.pixelRatio();
    const least = mount.now() ? readableSide * ratio : 0;
    // On the magnified image the marks would be in the wrong position.
    const readable = stageImages.all().filter(({ id, rectangle }) => rectangle.width >= least && id !== lens?.id);
    const isHidden = scene.marksHidden && overlay.get().draft === null;
    const drawn = readable.map((stageImage) => (isHidden ? { ...stageImage, marks: [] } : stageImage));
    marks.show(drawn.map((stageImage) => marksOf(stageImage, overlay.get(), ratio, { words, locale })));
  };

  const showTextField = () => {
    const { draft } = overlay.get();
    const stageImage = draft?.kind === 'text' && draft.done ? stageImages.of(draft.imageId) : null;
    const [place] = draft?.points ?? [];
    if (!stageImage || !place) return textField?.show(null, '');
    const { camera, rectangle, orientation } = stageImage;
    const { x, y } = applied(imageToStage(camera, rectangle, orientation), { x: place[0], y: place[1] });
    const ratio = gestures.pixelRatio();
    textField?.show({ x: x / ratio, y: y / ratio }, draft?.changed?.text ?? '');
  };

  const listenTo = (canvas: HTMLCanvasElement) => {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    // Out of the layout flow: otherwise the canvas could enlarge its host at every size measurement.
    canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;touch-action:none;outline-offset:-2px';
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    canvas.addEventListener('webglcontextrestored', invalidate);
    gestures.attach(canvas);
    host.append(canvas);
    planes = createPlanesLayer(canvas);
    if (!words) return;
    marks = createMarksLayer(host, words.marks);
    textField = createTextField(host, words.textField, gestures.endText);
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
      if (surface.isSoftware) frameRate.expectSlow();
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
      const active = gestures.active();
      gestures.sceneReplaced(previous, next);
      views.applyScene(previous, next, active.images);
      mount.applyScene(previous, next, active.mount);
      entering.applyScene(previous, next);
      notifier.applyScene(next);
      imageLoads.showScene(next);
      invalidate();
    },
    on: intents.on,
    act: (command) => !disposed && gestures.act(command),
    settle: () => {
      if (!disposed) gestures.settle();
    },
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
      gestures.dispose();
      view.cancelAnimationFrame(frameRequest);
      imageLoads.dispose();
      fail(new Error('the stage is disposed'));
      intents.clear();
      planes?.dispose();
      marks?.dispose();
      textField?.dispose();
      painter?.dispose();
      painter = null;
    },
  };
};
