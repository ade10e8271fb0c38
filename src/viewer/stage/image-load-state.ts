import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { areOff, noFilters, type PixelFilters, sameFilters } from '../decode/pixel-filters.ts';

/** State of an image: loaded, failed, or neither yet. */
export interface ImageLoad {
  readonly image: LoadedImage | null;
  /** The values to draw: those of the image, or the result of the last requested filter. */
  readonly pixels: ImagePixels | null;
  readonly error: Error | null;
}

/** How an image is drawn, which decides about its filters and level. */
export interface Drawing {
  readonly filters: PixelFilters;
  /** Device pixels per image pixel, along the denser side. */
  readonly scale: number;
}

/** The level that is loaded first: the reduced one, or the full one when there is no other. */
type First = { readonly state: 'loading' | 'failed' } | { readonly state: 'loaded'; readonly image: LoadedImage };

/** The full level of an image whose first level is reduced. */
type Full =
  | { readonly state: 'absent' | 'loading' }
  | { readonly state: 'loaded'; readonly image: LoadedImage }
  | { readonly state: 'failed'; readonly atMs: number };

/** A filter at work. */
export interface Filtering {
  readonly image: LoadedImage;
  readonly filters: PixelFilters;
}

/** One frame of an image on the stage. */
export interface ImageLoadState {
  readonly frame: number;
  readonly first: First;
  readonly full: Full;
  readonly usesFull: boolean;
  readonly filters: PixelFilters;
  readonly filtering: Filtering | null;
  readonly load: ImageLoad;
  /** The filters that are applied in `load.pixels`. */
  readonly filtered: PixelFilters;
}

export type ImageLoadEvent =
  | { readonly type: 'first.loaded'; readonly image: LoadedImage }
  | { readonly type: 'first.failed'; readonly error: Error }
  | { readonly type: 'drawn'; readonly drawing: Drawing; readonly nowMs: number }
  | { readonly type: 'full.loaded'; readonly image: LoadedImage }
  | { readonly type: 'full.failed'; readonly nowMs: number }
  | { readonly type: 'full.released' }
  | { readonly type: 'filtered'; readonly filtering: Filtering; readonly pixels: ImagePixels };

/** What an event means for the full level. */
type FullEvent =
  | Exclude<ImageLoadEvent, { readonly type: 'first.loaded' | 'first.failed' | 'drawn' | 'filtered' }>
  | { readonly type: 'full.needed'; readonly nowMs: number }
  | { readonly type: 'full.unneeded' };

type Transitions<State extends { readonly state: string }, Event extends { readonly type: string }> = {
  readonly [Name in State['state']]: {
    readonly [Type in Event['type']]?: (event: Extract<Event, { readonly type: Type }>, state: State) => State;
  };
};

/** Returns the next state; the same one when the state ignores the event. */
const after = <State extends { readonly state: string }, Event extends { readonly type: string }>(
  transitions: Transitions<State, Event>,
  state: State,
  event: Event,
): State => {
  const ofState = transitions[state.state as State['state']];
  const take = ofState[event.type as Event['type']] as ((event: Event, state: State) => State) | undefined;
  return take?.(event, state) ?? state;
};

const retryMs = 5_000;

const firstTransitions: Transitions<First, ImageLoadEvent> = {
  loading: {
    'first.loaded': ({ image }) => ({ state: 'loaded', image }),
    'first.failed': () => ({ state: 'failed' }),
  },
  loaded: {},
  failed: {},
};

const fullTransitions: Transitions<Full, FullEvent> = {
  absent: { 'full.needed': () => ({ state: 'loading' }) },
  loading: {
    'full.unneeded': () => ({ state: 'absent' }),
    'full.loaded': ({ image }) => ({ state: 'loaded', image }),
    // The reduced image stays, and is reported as reduced.
    'full.failed': ({ nowMs }) => ({ state: 'failed', atMs: nowMs }),
  },
  loaded: { 'full.released': () => ({ state: 'absent' }) },
  failed: {
    'full.needed': ({ nowMs }, full) =>
      full.state === 'failed' && nowMs - full.atMs > retryMs ? { state: 'loading' } : full,
  },
};

/** Returns the state of a frame that begins to load. `previous`: another frame of the same file, shown until this one is loaded. */
export const newLoad = (frame: number, previous: ImageLoadState | null): ImageLoadState => ({
  frame,
  first: { state: 'loading' },
  full: { state: 'absent' },
  usesFull: false,
  filters: noFilters,
  filtering: null,
  load: previous?.load ?? { image: null, pixels: null, error: null },
  filtered: previous?.filtered ?? noFilters,
});

export const imageOf = (level: First | Full): LoadedImage | null => ('image' in level ? level.image : null);

/**
 * Returns whether the reduced image is too coarse for the screen, or for a filter, which needs the full pixels. The hysteresis (factor 2
 * along a side) avoids changing textures repeatedly while the user zooms in and out.
 */
const needsFull = ({ first, usesFull }: ImageLoadState, { scale, filters }: Drawing): boolean => {
  const image = imageOf(first);
  return image?.level === 'reduced' && (scale * image.reduction > (usesFull ? 0.5 : 1) || !areOff(filters));
};

/** Shows the best loaded level with the requested filters, or requests the filters. */
const settled = (state: ImageLoadState): ImageLoadState => {
  const { filters, filtering, load } = state;
  const image = (state.usesFull ? imageOf(state.full) : null) ?? imageOf(state.first);
  if (!image) return state;
  if (load.image === image && sameFilters(state.filtered, filters))
    return filtering ? { ...state, filtering: null } : state;
  if (filtering?.image === image && sameFilters(filtering.filters, filters)) return state;
  const unfiltered = { image, pixels: image.pixels, error: null };
  if (areOff(filters)) return { ...state, filtering: null, load: unfiltered, filtered: filters };
  const requested = { ...state, filtering: { image, filters } };
  // For a new frame its unfiltered values are better than the old image.
  return load.image?.frame === image.frame ? requested : { ...requested, load: unfiltered, filtered: noFilters };
};

/** Returns the state after an event; the same object when nothing changes. */
export const loadAfter = (state: ImageLoadState, event: ImageLoadEvent): ImageLoadState => {
  switch (event.type) {
    case 'first.loaded':
      return settled({ ...state, first: after(firstTransitions, state.first, event) });
    case 'first.failed': {
      const first = after(firstTransitions, state.first, event);
      return { ...state, first, load: { image: null, pixels: null, error: event.error } };
    }
    case 'drawn': {
      if (state.first.state !== 'loaded') return state;
      const { drawing, nowMs } = event;
      const usesFull = needsFull(state, drawing);
      const full = after(
        fullTransitions,
        state.full,
        usesFull ? { type: 'full.needed', nowMs } : { type: 'full.unneeded' },
      );
      const isSame = usesFull === state.usesFull && full === state.full && drawing.filters === state.filters;
      return settled(isSame ? state : { ...state, filters: drawing.filters, usesFull, full });
    }
    case 'filtered':
      if (state.filtering !== event.filtering) return state;
      return {
        ...state,
        filtering: null,
        load: { image: event.filtering.image, pixels: event.pixels, error: null },
        filtered: event.filtering.filters,
      };
    default:
      return settled({ ...state, full: after(fullTransitions, state.full, event) });
  }
};

/** Returns whether anything is being loaded or filtered. */
export const isBusy = ({ frame, full, filtering, load }: ImageLoadState): boolean =>
  filtering !== null || full.state === 'loading' || (!load.error && (!load.image || load.image.frame !== frame));
