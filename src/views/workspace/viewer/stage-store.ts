import type { Camera, IntentOf, LoadedImage, ResolvedDisplay, Stage } from '../../../viewer/index.ts';

export type Loading =
  | { readonly phase: 'loading'; readonly loadedBytes: number; readonly totalBytes: number | null }
  | { readonly phase: 'ready'; readonly image: LoadedImage }
  | { readonly phase: 'failed'; readonly error: Error };

/** What is drawn of an image. */
export interface Drawn {
  readonly display: ResolvedDisplay;
  readonly camera: Camera;
  readonly level: 'full' | 'reduced';
  readonly filtering: boolean;
}

export type PointerValue = IntentOf<'pointer.value'>;
export type MountTransform = Pick<IntentOf<'mount.drawn'>, 'left' | 'top' | 'scale'>;

/** The latest events of a stage, as an external store for React. */
export interface StageStore {
  readonly loading: (id: string) => Loading | null;
  readonly drawn: (id: string) => Drawn | null;
  readonly pointer: () => PointerValue | null;
  readonly mountTransform: () => MountTransform | null;
  /** Why the stage could not be created. */
  readonly failure: () => Error | null;
  /** Calls `listener` after each change; returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Drops the state of images no longer shown. */
  readonly retain: (ids: ReadonlySet<string>) => void;
  readonly dispose: () => void;
}

export const createStageStore = (stage: Pick<Stage, 'on'>): StageStore => {
  const loadings = new Map<string, Loading>();
  const drawings = new Map<string, Drawn>();
  const listeners = new Set<() => void>();
  let pointer: PointerValue | null = null;
  let mountTransform: MountTransform | null = null;
  let failure: Error | null = null;

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const setLoading = (id: string, loading: Loading) => {
    loadings.set(id, loading);
    notify();
  };

  const stops = [
    stage.on('image.progressed', ({ id, loadedBytes, totalBytes }) => {
      // The full image may still be loading when the reduced one is shown.
      if (loadings.get(id)?.phase !== 'ready') setLoading(id, { phase: 'loading', loadedBytes, totalBytes });
    }),
    stage.on('image.loaded', ({ id, image }) => setLoading(id, { phase: 'ready', image })),
    stage.on('image.failed', ({ id, error }) => setLoading(id, { phase: 'failed', error })),
    stage.on('view.drawn', ({ id, display, camera, level, filtering }) => {
      drawings.set(id, { display, camera, level, filtering });
      notify();
    }),
    stage.on('pointer.value', (value) => {
      pointer = value;
      notify();
    }),
    stage.on('pointer.left', () => {
      pointer = null;
      notify();
    }),
    stage.on('mount.drawn', ({ left, top, scale }) => {
      mountTransform = { left, top, scale };
      notify();
    }),
    stage.on('stage.failed', ({ error }) => {
      failure = error;
      notify();
    }),
  ];

  return {
    loading: (id) => loadings.get(id) ?? null,
    drawn: (id) => drawings.get(id) ?? null,
    pointer: () => pointer,
    mountTransform: () => mountTransform,
    failure: () => failure,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    retain: (ids) => {
      for (const id of [...loadings.keys()]) if (!ids.has(id)) loadings.delete(id);
      for (const id of [...drawings.keys()]) if (!ids.has(id)) drawings.delete(id);
    },
    dispose: () => {
      for (const stop of stops) stop();
      listeners.clear();
    },
  };
};
