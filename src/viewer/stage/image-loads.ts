import type { Images } from '../decode/images.ts';
import type { LoadedImage } from '../decode/loaded-image.ts';
import type { Scene, SceneImage } from '../scene/scene.ts';
import {
  type Drawing,
  type Filtering,
  type ImageLoad,
  type ImageLoadEvent,
  type ImageLoadState,
  imageOf,
  isBusy,
  loadAfter,
  newLoad,
} from './image-load-state.ts';

/** An image with its state and the work that the state asks for. */
interface Entry {
  readonly source: string;
  readonly isActive: boolean;
  readonly loading: AbortController;
  state: ImageLoadState;
  fullLoading: AbortController | null;
  filtering: AbortController | null;
}

export interface ImageLoadListener {
  /** Called for the first level of an image, and again when the full one replaces it. */
  readonly loaded: (id: string, image: LoadedImage) => void;
  readonly progressed: (id: string, loadedBytes: number, totalBytes: number | null) => void;
  readonly failed: (id: string, error: Error) => void;
  /** Something that is drawn has changed. */
  readonly changed: () => void;
}

/** Loads the images of a scene at the level that is drawn, and drops those that are no longer in it. */
export interface ImageLoads {
  readonly showScene: (scene: Scene) => void;
  readonly of: (id: string) => ImageLoad | null;
  /** Reports how an image is drawn, which decides about filters and level. */
  readonly reportDrawn: (id: string, drawing: Drawing) => void;
  readonly isFiltering: (id: string) => boolean;
  /** Whether anything is being loaded or filtered. */
  readonly busy: () => boolean;
  /** Aborts loads and filters. Images stay in the cache as long as it has space, so that a patient opens again at once. */
  readonly dispose: () => void;
}

const mebibyte = 2 ** 20;
/** First levels are loaded before full ones, the active image before the others. */
const priorities = { first: { active: 0, other: 1 }, full: { active: 2, other: 3 } } as const;

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));

/** @param fullBytes above this sum, full levels of images that are drawn small are released */
export const createImageLoads = (
  images: Images,
  listener: ImageLoadListener,
  fullBytes = 256 * mebibyte,
): ImageLoads => {
  const entries = new Map<string, Entry>();

  const drop = (id: string) => {
    const entry = entries.get(id);
    entry?.loading.abort();
    entry?.fullLoading?.abort();
    entry?.filtering?.abort();
    entries.delete(id);
  };

  /** Takes an event, and starts or aborts the work that the new state asks for. */
  const send = (id: string, entry: Entry, event: ImageLoadEvent) => {
    const before = entry.state;
    const state = loadAfter(before, event);
    entry.state = state;
    if (state.full.state !== before.full.state) {
      if (state.full.state === 'absent') entry.fullLoading?.abort();
      entry.fullLoading = state.full.state === 'loading' ? new AbortController() : null;
      if (entry.fullLoading) loadFull(id, entry, entry.fullLoading);
    }
    if (state.filtering !== before.filtering) {
      entry.filtering?.abort();
      entry.filtering = state.filtering ? new AbortController() : null;
      if (state.filtering && entry.filtering) filter(id, entry, state.filtering, entry.filtering);
    }
    if (state.load !== before.load || event.type === 'full.failed') listener.changed();
  };

  const filter = (id: string, entry: Entry, filtering: Filtering, { signal }: AbortController) => {
    const { image, filters } = filtering;
    images.filter(image, filters, signal).then(
      (pixels) => send(id, entry, { type: 'filtered', filtering, pixels }),
      (reason) => {
        if (signal.aborted) return;
        send(id, entry, { type: 'filtered', filtering, pixels: image.pixels });
        listener.failed(id, asError(reason));
      },
    );
  };

  const loadFull = (id: string, entry: Entry, loading: AbortController) => {
    const priority = priorities.full[entry.isActive ? 'active' : 'other'];
    images.load(entry.source, entry.state.frame, { level: 'full', priority, signal: loading.signal }).then(
      (image) => {
        if (entry.fullLoading !== loading) return;
        send(id, entry, { type: 'full.loaded', image });
        listener.loaded(id, image);
        releaseFull();
      },
      () => {
        if (entry.fullLoading === loading) send(id, entry, { type: 'full.failed', nowMs: performance.now() });
      },
    );
  };

  const start = ({ id, source, frame }: SceneImage, isActive: boolean, before: Entry | undefined) => {
    const loading = new AbortController();
    // The previous frame of the same file stays until the next one is loaded, so that nothing flickers.
    const previous = before?.source === source && !before.state.load.error ? before.state : null;
    const state = newLoad(frame, previous);
    const entry: Entry = { source, isActive, loading, state, fullLoading: null, filtering: null };
    entries.set(id, entry);
    const isCurrent = () => entries.get(id) === entry;
    const onProgress = (loaded: number, total: number | null) => {
      if (isCurrent()) listener.progressed(id, loaded, total);
    };
    const priority = priorities.first[isActive ? 'active' : 'other'];
    images.load(source, frame, { level: 'reduced', priority, signal: loading.signal, onProgress }).then(
      (image) => {
        if (!isCurrent()) return;
        send(id, entry, { type: 'first.loaded', image });
        listener.loaded(id, image);
      },
      (reason) => {
        if (!isCurrent()) return;
        const error = asError(reason);
        send(id, entry, { type: 'first.failed', error });
        listener.failed(id, error);
      },
    );
  };

  /** Releases full images that are drawn small, in scene order, until the rest is within the limit. */
  const releaseFull = () => {
    const bytesOf = ({ state }: Entry) => imageOf(state.full)?.sizeBytes ?? 0;
    let held = [...entries.values()].reduce((sum, entry) => sum + bytesOf(entry), 0);
    for (const [id, entry] of entries) {
      if (held <= fullBytes) return;
      if (entry.state.usesFull || entry.state.full.state !== 'loaded') continue;
      held -= bytesOf(entry);
      send(id, entry, { type: 'full.released' });
    }
  };

  return {
    showScene: (scene) => {
      for (const id of [...entries.keys()]) if (!scene.images.some((image) => image.id === id)) drop(id);
      for (const image of scene.images) {
        const entry = entries.get(image.id);
        if (entry?.source === image.source && entry.state.frame === image.frame) continue;
        drop(image.id);
        start(image, scene.active === image.id || scene.images.length === 1, entry);
      }
    },
    of: (id) => entries.get(id)?.state.load ?? null,
    reportDrawn: (id, drawing) => {
      const entry = entries.get(id);
      if (!entry) return;
      const usedFull = entry.state.usesFull;
      send(id, entry, { type: 'drawn', drawing, nowMs: performance.now() });
      if (usedFull && !entry.state.usesFull) releaseFull();
    },
    isFiltering: (id) => entries.get(id)?.state.filtering != null,
    busy: () => [...entries.values()].some(({ state }) => isBusy(state)),
    dispose: () => {
      for (const id of [...entries.keys()]) drop(id);
    },
  };
};
