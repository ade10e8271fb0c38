import type { Camera, DrawnDisplay, IntentOf, LoadedImage, Stage } from '../../viewer/index.ts';

export type Loading =
  | { readonly phase: 'loading'; readonly loadedBytes: number; readonly totalBytes: number | null }
  | { readonly phase: 'ready'; readonly image: LoadedImage }
  | { readonly phase: 'failed'; readonly error: Error };

/** What is on the screen of an image. */
export interface Drawn {
  readonly display: DrawnDisplay;
  readonly camera: Camera;
  readonly level: 'full' | 'reduced';
  readonly filtering: boolean;
}

export type PointerValue = IntentOf<'pointer.value'>;
export type BoardPlace = Pick<IntentOf<'board.drawn'>, 'left' | 'top' | 'scale'>;

/** What a stage told last of everything, so that a piece of the page that comes later still knows it. */
export interface StageMemory {
  readonly loading: (id: string) => Loading | null;
  readonly drawn: (id: string) => Drawn | null;
  readonly pointer: () => PointerValue | null;
  readonly board: () => BoardPlace | null;
  /** Why there is no stage at all. */
  readonly failure: () => Error | null;
  /** Calls `listener` after each change; returns the function that stops it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Forgets images that are shown no more. */
  readonly keep: (ids: ReadonlySet<string>) => void;
  readonly forget: () => void;
}

export const createStageMemory = (stage: Pick<Stage, 'on'>): StageMemory => {
  const loadings = new Map<string, Loading>();
  const drawings = new Map<string, Drawn>();
  const listeners = new Set<() => void>();
  let pointer: PointerValue | null = null;
  let board: BoardPlace | null = null;
  let failure: Error | null = null;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const told = (id: string, loading: Loading) => {
    loadings.set(id, loading);
    tell();
  };

  const stops = [
    stage.on('image.progressed', ({ id, loadedBytes, totalBytes }) => {
      // The full picture may still be on its way when the reduced one is shown already.
      if (loadings.get(id)?.phase !== 'ready') told(id, { phase: 'loading', loadedBytes, totalBytes });
    }),
    stage.on('image.loaded', ({ id, image }) => told(id, { phase: 'ready', image })),
    stage.on('image.failed', ({ id, error }) => told(id, { phase: 'failed', error })),
    stage.on('view.drawn', ({ id, display, camera, level, filtering }) => {
      drawings.set(id, { display, camera, level, filtering });
      tell();
    }),
    stage.on('pointer.value', (value) => {
      pointer = value;
      tell();
    }),
    stage.on('pointer.left', () => {
      pointer = null;
      tell();
    }),
    stage.on('board.drawn', ({ left, top, scale }) => {
      board = { left, top, scale };
      tell();
    }),
    stage.on('stage.failed', ({ error }) => {
      failure = error;
      tell();
    }),
  ];

  return {
    loading: (id) => loadings.get(id) ?? null,
    drawn: (id) => drawings.get(id) ?? null,
    pointer: () => pointer,
    board: () => board,
    failure: () => failure,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    keep: (ids) => {
      for (const id of [...loadings.keys()]) if (!ids.has(id)) loadings.delete(id);
      for (const id of [...drawings.keys()]) if (!ids.has(id)) drawings.delete(id);
    },
    forget: () => {
      for (const stop of stops) stop();
      listeners.clear();
    },
  };
};
