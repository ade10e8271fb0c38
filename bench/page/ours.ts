import { plainDisplay } from '../../contract/displays.ts';
import {
  createImages,
  createStage,
  emptyScene,
  type Mark,
  type Scene,
  type SceneImage,
  type Stage,
} from '../../src/viewer/index.ts';
import { hostOf, probeWidth, timed } from './clock.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is fetched: full files, like the peer; or renditions, as from the archive (`.full` and `.reduced` of each file). */
export type Source = 'files' | 'renditions';

const openImages = (source: Source) =>
  createImages({
    loadBytes: async (key, { level }, signal) => {
      const response = await fetch(source === 'files' ? key : `${key}.${level}`, { signal });
      return response.arrayBuffer();
    },
  });

const sceneImage = (source: string, place: Rectangle): SceneImage => ({
  id: source,
  source,
  frame: 1,
  placement: place,
  display: plainDisplay,
  view: 'fit',
  marks: [],
  calibration: null,
});

/** The same change of the window as the peer's. */
const voi = (index: number) => {
  const lower = 2_000;
  const upper = 45_500 - 300 * index;
  const window = { kind: 'window', centre: (lower + upper) / 2, width: upper - lower, function: 'LINEAR' } as const;
  return { ...plainDisplay, voi: window };
};

const pixelsAt = (host: HTMLElement, x: number, y: number): string => {
  const gl = host.querySelector('canvas')?.getContext('webgl2');
  if (!gl) throw new Error('no canvas');
  const pixels = new Uint8Array(4 * probeWidth);
  gl.readPixels(
    Math.floor(x),
    gl.drawingBufferHeight - 1 - Math.floor(y),
    probeWidth,
    1,
    gl.RGBA,
    gl.UNSIGNED_BYTE,
    pixels,
  );
  return `${pixels}`;
};

/** A small wheel step at a moving point, which zooms and pans. */
const wheelStep = (index: number, { width, height }: { readonly width: number; readonly height: number }) =>
  new WheelEvent('wheel', {
    deltaY: -12,
    clientX: width / 2 + 3 * index,
    clientY: height / 2 + 2 * index,
    bubbles: true,
    cancelable: true,
  });

const withDisplay = (scene: Scene, at: number, display: SceneImage['display']): Scene => ({
  ...scene,
  images: scene.images.map((image, index) => (index === at ? { ...image, display } : image)),
});

/** Twenty marks on a panoramic image; the last one depends on `index`. */
const withMarks = (scene: Scene, index: number): Scene => {
  const others = Array.from({ length: 19 }, (_, at): Mark => {
    const left = 100 + 140 * at;
    const place = { id: `mark-${at}`, frame: 1 };
    if (at % 2 === 0)
      return {
        ...place,
        kind: 'ellipse',
        points: [
          [left, 900],
          [left + 120, 1_100],
        ],
      };
    return {
      ...place,
      kind: 'polyline',
      points: [
        [left, 200],
        [left + 80, 500],
        [left + 20, 600],
      ],
    };
  });
  const moved: Mark = {
    id: 'moved',
    frame: 1,
    kind: 'length',
    points: [
      [1_500 + 2 * index, 400],
      [1_500, 1_100],
    ],
  };
  return { ...scene, images: scene.images.map((image) => ({ ...image, marks: [...others, moved] })) };
};

/** Resolves when everything is drawn and no frame is requested. */
const drawn = async (stage: Stage, scene: Scene): Promise<void> => {
  stage.show(scene);
  await stage.snapshot();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
};

export type FramesScene =
  | { readonly kind: 'image'; readonly urls: readonly string[] }
  | { readonly kind: 'mount'; readonly urls: readonly string[]; readonly places: readonly Rectangle[] };

export const ours = {
  /** ms of each window change. */
  window: async (url: string, width: number, height: number, count: number) => {
    const images = openImages('files');
    const host = hostOf(width, height);
    const stage = createStage(host, { images });
    const scene: Scene = { ...emptyScene, images: [sceneImage(url, { x: 0, y: 0, width: 1, height: 1 })], active: url };
    await drawn(stage, scene);
    const times = await timed(
      count,
      (index) => stage.show(withDisplay(scene, 0, voi(index))),
      () => pixelsAt(host, width / 2, height / 2),
    );
    stage.dispose();
    images.dispose();
    host.remove();
    return times;
  },
  /** Shows a scene; returns what changes it in `count` frames of the browser, and reads pixels back in each, so that the work is done. */
  frames: async (scene: FramesScene, size: { readonly width: number; readonly height: number }) => {
    const images = openImages(scene.kind === 'image' ? 'files' : 'renditions');
    const host = hostOf(size.width, size.height);
    const stage = createStage(host, { images });
    const places = scene.kind === 'image' ? [{ x: 0, y: 0, width: 1, height: 1 }] : scene.places;
    const shown = scene.urls.flatMap((url, index) => (places[index] ? [sceneImage(url, places[index])] : []));
    const mount = scene.kind === 'image' ? null : ({ ...size, view: 'fit' } as const);
    const first = { ...emptyScene, images: shown, active: scene.urls[0] ?? null, mount };
    await drawn(stage, first);
    const steps = {
      window: (index: number) => stage.show(withDisplay(first, 0, voi(index % 40))),
      marks: (index: number) => stage.show(withMarks(first, index)),
      pan: (index: number) => void host.querySelector('canvas')?.dispatchEvent(wheelStep(index, size)),
    };
    const run = async (name: keyof typeof steps, count: number) => {
      for (let index = 0; index < count; index++) {
        steps[name](index);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        pixelsAt(host, size.width / 2, size.height / 2);
      }
    };
    const close = () => {
      stage.dispose();
      images.dispose();
      host.remove();
    };
    return { run, close };
  },
  /** `places` in CSS pixels of a stage of `width` x `height`. */
  mount: async (
    urls: readonly string[],
    places: readonly Rectangle[],
    size: { readonly width: number; readonly height: number },
    count: number,
    source: Source,
  ) => {
    const start = performance.now();
    const { width, height } = size;
    const images = openImages(source);
    const host = hostOf(width, height);
    const stage = createStage(host, { images });
    const mount = { width, height, view: 'fit' } as const;
    const scene: Scene = {
      ...emptyScene,
      images: urls.flatMap((url, index) => {
        const place = places[index];
        return place ? [sceneImage(url, place)] : [];
      }),
      active: urls[0] ?? null,
      mount,
    };
    stage.show(scene);
    await stage.snapshot();
    const middles = places.map((place) => [place.x + place.width / 2, place.y + place.height / 2] as const);
    const all = () => middles.map(([x, y]) => pixelsAt(host, x, y)).join(' ');
    all();
    const firstPaint = performance.now() - start;
    const canvas = host.querySelector('canvas');
    const settled = new Promise((resolve) => stage.on('mount.settled', resolve));
    const pan = await timed(count, (index) => canvas?.dispatchEvent(wheelStep(index, size)), all);
    await settled;
    await drawn(stage, { ...scene, mount: { ...mount, view: { centreX: width / 2, centreY: height / 2, zoom: 1 } } });
    const [x = 0, y = 0] = middles[0] ?? [];
    const one = await timed(
      count,
      (index) => stage.show(withDisplay(scene, 0, voi(index))),
      () => pixelsAt(host, x, y),
    );
    stage.dispose();
    images.dispose();
    host.remove();
    return { firstPaint, pan, one };
  },
  /**
   * Opens and closes `patients` one after another on one stage, each with pictures of its own, like the patient page.
   * Returns the bytes in the cache and in the JavaScript heap after each.
   */
  memory: async (
    patients: readonly (readonly string[])[],
    places: readonly Rectangle[],
    width: number,
    height: number,
  ) => {
    const images = openImages('renditions');
    const host = hostOf(width, height);
    const stage = createStage(host, { images });
    const usage: { readonly cached: number; readonly heap: number }[] = [];
    for (const urls of patients) {
      const shown = urls.flatMap((url, index) => (places[index] ? [sceneImage(url, places[index])] : []));
      const mount = { width, height, view: 'fit' } as const;
      await drawn(stage, { ...emptyScene, images: shown, active: urls[0] ?? null, mount });
      await drawn(stage, { ...emptyScene, images: [sceneImage(urls[0] ?? '', { x: 0, y: 0, width: 1, height: 1 })] });
      await drawn(stage, emptyScene);
      usage.push({ cached: images.cacheUsage().bytes, heap: performance.memory?.usedJSHeapSize ?? 0 });
    }
    stage.dispose();
    images.dispose();
    host.remove();
    return usage;
  },
};

declare global {
  interface Performance {
    /** Chromium only. */
    readonly memory?: { readonly usedJSHeapSize: number };
  }
  interface Window {
    ours?: typeof ours;
  }
}
window.ours = ours;
