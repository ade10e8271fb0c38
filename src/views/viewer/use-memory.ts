import { useSyncExternalStore } from 'react';
import type { Drawn, Loading, StageMemory } from './stage-memory.ts';

const deaf = () => () => {};

/**
 * A part of what the stage told, kept up to date. `select` gives a primitive or an object that the memory itself keeps: a piece is drawn again only
 * when that differs.
 */
export const useMemory = <Part>(memory: StageMemory | null, select: (memory: StageMemory) => Part): Part | null =>
  useSyncExternalStore(memory?.subscribe ?? deaf, () => (memory ? select(memory) : null));

export const useLoading = (memory: StageMemory | null, id: string | null): Loading | null =>
  useMemory(memory, (told) => (id === null ? null : told.loading(id)));

export const useLoadedImage = (memory: StageMemory | null, id: string | null) => {
  const loading = useLoading(memory, id);
  return loading?.phase === 'ready' ? loading.image : null;
};

/** A primitive of what is drawn of an image: nothing is drawn again while it stays. */
export const useDrawnPart = <Part extends string | number | boolean | object>(
  memory: StageMemory | null,
  id: string | null,
  select: (drawn: Drawn) => Part,
): Part | null =>
  useMemory(memory, (told) => {
    const drawn = id === null ? null : told.drawn(id);
    return drawn ? select(drawn) : null;
  });
