import type { Images } from '../decode/images.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { areOff, noFilters, type PixelFilters, sameFilters } from '../decode/pixel-filters.ts';
import type { Scene, SceneImage } from '../scene/scene.ts';

/** A picture in hand: loaded, or why not, or neither yet. */
export interface Picture {
  readonly image: LoadedImage | null;
  /** What is to be drawn of it: its own values, or those that came out of the filter asked for last. */
  readonly pixels: ImagePixels | null;
  readonly error: Error | null;
}

/** What the drawing of an image asks of its picture. */
export interface Drawing {
  readonly filters: PixelFilters;
  /** Device pixels per image pixel, along the denser side. */
  readonly scale: number;
}

interface Entry {
  readonly source: string;
  readonly frame: number;
  readonly isActive: boolean;
  readonly loading: AbortController;
  /** What came first: the reduced picture, or the full one where there is no other. */
  first: LoadedImage | null;
  full: LoadedImage | null;
  fullLoading: AbortController | null;
  fullFailedAt: number;
  wantsFull: boolean;
  filters: PixelFilters;
  filtering: { readonly image: LoadedImage; readonly filters: PixelFilters; readonly end: AbortController } | null;
  /** The filters that `picture.pixels` have been through. */
  filtered: PixelFilters;
  picture: Picture;
}

export interface PictureNews {
  /** Once for the first picture of an image, and again when its full one takes its place. */
  readonly loaded: (id: string, image: LoadedImage) => void;
  readonly progressed: (id: string, loadedBytes: number, totalBytes: number | null) => void;
  readonly failed: (id: string, error: Error) => void;
  /** Something to draw has changed. */
  readonly changed: () => void;
}

/** Loads what a scene names, in the size that is drawn, and gives up what it no longer names. */
export interface Pictures {
  readonly want: (scene: Scene) => void;
  readonly of: (id: string) => Picture | null;
  /** Tells how an image is being drawn: the filters, and whether its reduced picture has pixels enough. */
  readonly drawn: (id: string, drawing: Drawing) => void;
  readonly isFiltering: (id: string) => boolean;
  /** Whether anything is still on its way. */
  readonly busy: () => boolean;
  /** Ends what is under way, and lets the images forget what was shown here. */
  readonly dispose: () => void;
}

const mebibyte = 2 ** 20;
const retryMs = 5_000;
/** First pictures go before full ones, the active image before its neighbours. */
const priorities = { first: { active: 0, other: 1 }, full: { active: 2, other: 3 } } as const;

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));
const bytesOf = (image: LoadedImage | null) => image?.sizeBytes ?? 0;

/** @param fullBytes full pictures of images that are drawn small are let go when there are more bytes of full ones than this */
export const createPictures = (images: Images, news: PictureNews, fullBytes = 256 * mebibyte): Pictures => {
  const entries = new Map<string, Entry>();
  const shown = new Set<string>();

  const drop = (id: string) => {
    const entry = entries.get(id);
    entry?.loading.abort();
    entry?.fullLoading?.abort();
    entry?.filtering?.end.abort();
    entries.delete(id);
  };

  /** Brings `picture` to the image that is wanted, as far as it is in hand, through the filters that are asked for. */
  const settle = (id: string, entry: Entry) => {
    const { filters } = entry;
    const image = (entry.wantsFull ? entry.full : null) ?? entry.first;
    if (!image) return;
    const { picture, filtering } = entry;
    const put = (pixels: ImagePixels, through: PixelFilters) => {
      entry.picture = { image, pixels, error: null };
      entry.filtered = through;
      news.changed();
    };
    if (picture.image === image && sameFilters(entry.filtered, filters)) {
      filtering?.end.abort();
      entry.filtering = null;
      return;
    }
    if (filtering?.image === image && sameFilters(filtering.filters, filters)) return;
    filtering?.end.abort();
    entry.filtering = null;
    if (areOff(filters)) return put(image.pixels, filters);
    // Of another frame the plain values are better than the old picture.
    if (picture.image?.frame !== image.frame) put(image.pixels, noFilters);
    const work = { image, filters, end: new AbortController() };
    entry.filtering = work;
    const done = (pixels: ImagePixels) => {
      if (entry.filtering !== work) return;
      entry.filtering = null;
      put(pixels, filters);
    };
    images.filter(image, filters, work.end.signal).then(done, (reason) => {
      if (work.end.signal.aborted) return;
      done(image.pixels);
      news.failed(id, asError(reason));
    });
  };

  const start = (sceneImage: SceneImage, isActive: boolean, before: Entry | undefined) => {
    const { id, source, frame } = sceneImage;
    const loading = new AbortController();
    // The next frame of the same file replaces the one before without a black flash between them.
    const kept = before?.source === source && !before.picture.error ? before : null;
    const entry: Entry = {
      ...{ source, frame, isActive, loading, first: null, full: null, fullLoading: null, fullFailedAt: 0 },
      wantsFull: false,
      filters: noFilters,
      filtering: null,
      filtered: kept?.filtered ?? noFilters,
      picture: kept?.picture ?? { image: null, pixels: null, error: null },
    };
    entries.set(id, entry);
    shown.add(source);
    const isCurrent = () => entries.get(id) === entry;
    const onProgress = (loaded: number, total: number | null) => {
      if (isCurrent()) news.progressed(id, loaded, total);
    };
    const priority = priorities.first[isActive ? 'active' : 'other'];
    images.load(source, frame, { level: 'reduced', priority, signal: loading.signal, onProgress }).then(
      (image) => {
        if (!isCurrent()) return;
        entry.first = image;
        settle(id, entry);
        news.loaded(id, image);
      },
      (reason) => {
        if (!isCurrent()) return;
        entry.picture = { image: null, pixels: null, error: asError(reason) };
        news.failed(id, asError(reason));
        news.changed();
      },
    );
  };

  const loadFull = (id: string, entry: Entry) => {
    const loading = new AbortController();
    entry.fullLoading = loading;
    const priority = priorities.full[entry.isActive ? 'active' : 'other'];
    images.load(entry.source, entry.frame, { level: 'full', priority, signal: loading.signal }).then(
      (image) => {
        if (entry.fullLoading !== loading) return;
        entry.fullLoading = null;
        entry.full = image;
        settle(id, entry);
        news.loaded(id, image);
        letGo();
      },
      () => {
        if (entry.fullLoading !== loading) return;
        // The reduced picture stays, and says of itself that it is reduced; it is tried again when it is drawn again.
        entry.fullLoading = null;
        entry.fullFailedAt = performance.now();
        news.changed();
      },
    );
  };

  /** Full pictures that are drawn small go, the first of the scene first, until the rest is within bounds. */
  const letGo = () => {
    let held = [...entries.values()].reduce((sum, { full }) => sum + bytesOf(full), 0);
    for (const entry of entries.values()) {
      if (held <= fullBytes) return;
      if (entry.wantsFull || !entry.full) continue;
      held -= bytesOf(entry.full);
      entry.full = null;
    }
  };

  /**
   * Whether the reduced picture is too coarse: for the screen, or for a filter, which works on the pixels of the image. A full one in use stays
   * until it has four times the pixels of the screen: a hand that zooms to and fro must not change textures each time.
   */
  const needsFull = ({ first, filters, wantsFull }: Entry, scale: number) =>
    first?.level === 'reduced' && (scale * first.reduction > (wantsFull ? 0.5 : 1) || !areOff(filters));

  return {
    want: (scene) => {
      for (const id of [...entries.keys()]) if (!scene.images.some((image) => image.id === id)) drop(id);
      for (const image of scene.images) {
        const entry = entries.get(image.id);
        if (entry?.source === image.source && entry.frame === image.frame) continue;
        drop(image.id);
        start(image, scene.active === image.id || scene.images.length === 1, entry);
      }
    },
    of: (id) => entries.get(id)?.picture ?? null,
    drawn: (id, { filters, scale }) => {
      const entry = entries.get(id);
      if (!entry?.first) return;
      entry.filters = filters;
      const was = entry.wantsFull;
      entry.wantsFull = needsFull(entry, scale);
      if (!entry.wantsFull && entry.fullLoading) {
        entry.fullLoading.abort();
        entry.fullLoading = null;
      }
      const mayTry = entry.fullFailedAt === 0 || performance.now() - entry.fullFailedAt > retryMs;
      if (entry.wantsFull && !entry.full && !entry.fullLoading && mayTry) loadFull(id, entry);
      if (was && !entry.wantsFull) letGo();
      settle(id, entry);
    },
    isFiltering: (id) => entries.get(id)?.filtering != null,
    busy: () =>
      [...entries.values()].some(
        ({ picture, filtering, fullLoading, frame }) =>
          filtering !== null ||
          fullLoading !== null ||
          (!picture.error && (!picture.image || picture.image.frame !== frame)),
      ),
    dispose: () => {
      for (const id of [...entries.keys()]) drop(id);
      images.forget(shown);
      shown.clear();
    },
  };
};
