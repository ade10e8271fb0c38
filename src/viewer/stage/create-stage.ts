import type { Images } from '../decode/images.ts';
import type { KeyCommand } from '../gesture/keys.ts';
import { createSketchBook } from '../gesture/sketch.ts';
import type { ShownImage } from '../layers/image-layer.ts';
import type { Lens } from '../layers/lens.ts';
import { marksOf } from '../layers/mark-drawing.ts';
import { createMarksLayer, type MarksLayer } from '../layers/marks-layer.ts';
import { type Size, sameRectangle, sameView } from '../scene/camera.ts';
import type { StageWords } from '../scene/measure.ts';
import { emptyScene, type Scene } from '../scene/scene.ts';
import { watchDeviceSize } from './device-size.ts';
import { createDrawnNews } from './drawn.ts';
import { createHands } from './hands.ts';
import { createIntents, type Intents } from './intents.ts';
import { createLiveBoard } from './live-board.ts';
import { createLiveViews } from './live-views.ts';
import { createPace } from './pace.ts';
import { createPainter, type Painter } from './painter.ts';
import { createPictures } from './pictures.ts';
import { createSurface } from './renderer.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { createSubjects, type Standing } from './subjects.ts';

/** Width and height of the magnifier, in CSS pixels. */
const lensSide = 240;
/** CSS pixels from which on measurements can be read on an image of a board. */
const readableSide = 200;

export interface StageOptions {
  /** Where pictures come from; may be shared by many stages, and outlives them. */
  readonly images: Images;
  /** What the canvas is called to those who cannot see it. */
  readonly label?: string;
  /** The words of measurements; without them no measurement is shown. */
  readonly words?: StageWords;
  /** How numbers are written (BCP 47). */
  readonly locale?: string;
}

export interface Stage {
  /** Shows a scene: at once what is loaded, the rest as it comes. */
  readonly show: (scene: Scene) => void;
  /** Listens; returns the function that stops it. */
  readonly on: Intents['on'];
  /**
   * Does to the active image (or the board) what a key would, and tells it in the same way. false when there was
   * nothing to do: no such image, nothing to abandon, no further frame.
   */
  readonly act: (command: KeyCommand) => boolean;
  /**
   * The picture as drawn, once all images of the scene are loaded or have failed. Rejects with an Error when the stage
   * is disposed before, or when the browser gives no WebGL 2.
   */
  readonly snapshot: () => Promise<Snapshot>;
  /** Frees canvas, GPU memory, listeners and loads under way. The stage cannot be used after. */
  readonly dispose: () => void;
}

/**
 * A stage that fills `host` (which needs a size of its own). Returns at once; the canvas appears when the GPU is ready.
 */
export const createStage = (host: HTMLElement, { images, label = '', words, locale = 'sv' }: StageOptions): Stage => {
  const intents = createIntents();
  const pace = createPace();
  const news = createDrawnNews(intents.emit);
  let scene: Scene = emptyScene;
  let size: Size = { width: 1, height: 1 };
  let painter: Painter | null = null;
  let failure: Error | null = null;
  let disposed = false;
  let frameRequest = 0;
  let requestedAt = 0;
  let marks: MarksLayer | null = null;
  let lying: ReadonlyMap<string, ShownImage> = new Map();
  let waiting: { readonly resolve: (snapshot: Snapshot) => void; readonly reject: (error: Error) => void }[] = [];

  const pictures = createPictures(images, {
    loaded: (id, image) => intents.emit({ type: 'image.loaded', id, image }),
    progressed: (id, loadedBytes, totalBytes) =>
      intents.emit({ type: 'image.progressed', id, loadedBytes, totalBytes }),
    failed: (id, error) => intents.emit({ type: 'image.failed', id, error }),
    changed: () => invalidate(),
  });

  const invalidate = () => {
    if (frameRequest !== 0 || disposed) return;
    requestedAt = performance.now();
    frameRequest = requestAnimationFrame(draw);
  };

  const views = createLiveViews();
  const board = createLiveBoard();
  const standing: Standing = { scene: () => scene, size: () => size, views, board, pictures };
  const subjects = createSubjects(standing);
  const book = createSketchBook(invalidate);
  const hands = createHands({ host, standing, subjects, book, emit: intents.emit, invalidate });

  const shownImages = (coarse: boolean, lens: Lens | null) => {
    const shown = new Map<string, ShownImage>();
    for (const subject of subjects.all()) {
      const { id, image, drawn, camera } = subject;
      // Beside the stage the fewest pixels are enough; under the magnifier it takes more.
      const enlarged = camera.scale * (lens?.id === id ? lens.factor : 1) * Math.max(1, image.pixelAspect);
      const scale = subjects.isSeen(subject) ? enlarged : 0;
      pictures.drawn(id, { filters: drawn, scale });
    }
    // Being told how they are drawn, pictures may have changed level: image and values must be of the same.
    for (const { id, image, drawn, camera, orientation, rectangle } of subjects.all()) {
      const pixels = pictures.of(id)?.pixels ?? image.pixels;
      const before = lying.get(id);
      // What lies still is cheap to draw well.
      const moves =
        !before || before.coarse || !sameView(before.camera, camera) || !sameRectangle(before.rectangle, rectangle);
      const coarsely = coarse && moves;
      shown.set(id, { image, pixels, display: drawn, camera, orientation, rectangle, stage: size, coarse: coarsely });
    }
    lying = shown;
    return shown;
  };

  const draw = () => {
    cancelAnimationFrame(frameRequest);
    const delayMs = frameRequest === 0 ? 0 : performance.now() - requestedAt;
    frameRequest = 0;
    if (!painter || disposed || painter.renderer.context.isLost) return;
    const { renderer } = painter;
    if (renderer.width !== size.width || renderer.height !== size.height) renderer.resize(size.width, size.height);
    const held = hands.inHand();
    const lens = lensNow();
    const shown = shownImages(pace.next(held.images.size > 0 || held.board, delayMs), lens);
    painter.paint(shown, lens);
    if (waiting.length > 0 && !pictures.busy()) {
      const snapshot = readSnapshot(renderer);
      for (const { resolve } of waiting) resolve(snapshot);
      waiting = [];
    }
    // In the same task as the picture: what lies over it is never a frame behind.
    drawMarks(lens);
    news.board(board.now(), size, hands.pixelRatio());
    news.images(shown, pictures.isFiltering);
  };

  const unwatch = watchDeviceSize(host, (next) => {
    if (next.width === size.width && next.height === size.height) return;
    size = next;
    if (painter) draw();
  });

  const lensNow = (): Lens | null => {
    const { lens, lensFactor } = book.now();
    const id = lens && subjects.idAt(lens);
    return lens && id ? { id, ...lens, factor: lensFactor, side: lensSide * hands.pixelRatio() } : null;
  };

  const drawMarks = (lens: Lens | null) => {
    if (!words || !marks) return;
    const ratio = hands.pixelRatio();
    const least = board.now() ? readableSide * ratio : 0;
    // Over the magnifier they would lie beside what they measure.
    const readable = subjects.all().filter(({ id, rectangle }) => rectangle.width >= least && id !== lens?.id);
    marks.show(readable.map((subject) => marksOf(subject, book.now(), ratio, { words, locale })));
  };

  const listenTo = (canvas: HTMLCanvasElement) => {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', label);
    // Out of the flow: a canvas that took part in the size of its host could make it grow with every measurement.
    canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;touch-action:none;outline-offset:-2px';
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    canvas.addEventListener('webglcontextrestored', invalidate);
    hands.attach(canvas);
    host.append(canvas);
    if (words) marks = createMarksLayer(host, words.measurements);
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
      if (surface.isSoftware) pace.expectSlow();
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
      const held = hands.inHand();
      hands.taken(previous, next);
      views.take(previous, next, held.images);
      board.take(previous, next, held.board);
      pictures.want(next);
      invalidate();
    },
    on: intents.on,
    act: (command) => !disposed && hands.act(command),
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
      hands.dispose();
      cancelAnimationFrame(frameRequest);
      pictures.dispose();
      fail(new Error('the stage is disposed'));
      intents.clear();
      marks?.dispose();
      painter?.dispose();
      painter = null;
    },
  };
};
