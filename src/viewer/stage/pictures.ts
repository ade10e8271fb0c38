import type { Images } from '../decode/images.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { noFilters, type PixelFilters, sameFilters } from '../decode/pixel-filters.ts';
import type { Scene, SceneImage } from '../scene/scene.ts';

/** A picture in hand: loaded, or why not, or neither yet. */
export interface Picture {
  readonly image: LoadedImage | null;
  /** What is to be drawn of it: its own values, or those that came out of the filter asked for last. */
  readonly pixels: ImagePixels | null;
  readonly error: Error | null;
}

interface Entry {
  readonly source: string;
  readonly frame: number;
  readonly loading: AbortController;
  filtering: AbortController | null;
  filters: PixelFilters;
  picture: Picture;
}

export interface PictureNews {
  readonly loaded: (id: string, image: LoadedImage) => void;
  readonly progressed: (id: string, loadedBytes: number, totalBytes: number | null) => void;
  readonly failed: (id: string, error: Error) => void;
  /** Something to draw has changed. */
  readonly changed: () => void;
}

/** Loads what a scene names and gives up what it no longer names. */
export interface Pictures {
  readonly want: (scene: Scene) => void;
  readonly of: (id: string) => Picture | null;
  readonly filter: (id: string, filters: PixelFilters) => void;
  /** Whether anything is still on its way. */
  readonly busy: () => boolean;
  readonly dispose: () => void;
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));

export const createPictures = (images: Images, news: PictureNews): Pictures => {
  const entries = new Map<string, Entry>();

  const drop = (id: string) => {
    const entry = entries.get(id);
    entry?.loading.abort();
    entry?.filtering?.abort();
    entries.delete(id);
  };

  const start = ({ id, source, frame }: SceneImage, kept: Picture | null) => {
    const loading = new AbortController();
    const picture = kept ?? { image: null, pixels: null, error: null };
    const entry: Entry = { source, frame, loading, filtering: null, filters: noFilters, picture };
    entries.set(id, entry);
    const isCurrent = () => entries.get(id) === entry;
    const onProgress = (loaded: number, total: number | null) => {
      if (isCurrent()) news.progressed(id, loaded, total);
    };
    images.load(source, frame, { signal: loading.signal, onProgress }).then(
      (image) => {
        if (!isCurrent()) return;
        entry.picture = { image, pixels: image.pixels, error: null };
        news.loaded(id, image);
        news.changed();
      },
      (reason) => {
        if (!isCurrent()) return;
        entry.picture = { image: null, pixels: null, error: asError(reason) };
        news.failed(id, asError(reason));
        news.changed();
      },
    );
  };

  return {
    want: (scene) => {
      for (const id of [...entries.keys()]) if (!scene.images.some((image) => image.id === id)) drop(id);
      for (const image of scene.images) {
        const entry = entries.get(image.id);
        if (entry?.source === image.source && entry.frame === image.frame) continue;
        drop(image.id);
        // The next frame of the same file replaces the one before without a black flash between them.
        start(image, entry?.source === image.source && !entry.picture.error ? entry.picture : null);
      }
    },
    of: (id) => entries.get(id)?.picture ?? null,
    filter: (id, filters) => {
      const entry = entries.get(id);
      const image = entry?.picture.image;
      if (!entry || !image || sameFilters(entry.filters, filters)) return;
      entry.filters = filters;
      entry.filtering?.abort();
      const filtering = new AbortController();
      entry.filtering = filtering;
      const settle = (pixels: ImagePixels) => {
        if (entry.filtering !== filtering || entry.picture.image !== image) return;
        entry.filtering = null;
        entry.picture = { ...entry.picture, pixels };
        news.changed();
      };
      images.filter(image, filters, filtering.signal).then(settle, (reason) => {
        if (filtering.signal.aborted) return;
        settle(image.pixels);
        news.failed(id, asError(reason));
      });
    },
    busy: () =>
      [...entries.values()].some(
        ({ picture, filtering, frame }) =>
          filtering !== null || (!picture.error && (!picture.image || picture.image.frame !== frame)),
      ),
    dispose: () => {
      for (const id of [...entries.keys()]) drop(id);
    },
  };
};
