import { useEffect, useState, useSyncExternalStore } from 'react';
import { createStage, type Images, type LoadedImage, type Stage, type StageOptions } from '../../../viewer/index.ts';
import { createStageStore, type Drawn, type Loading, type StageStore } from './stage-store.ts';

/** A stage with its image source and the store of its events. */
export interface OpenStage {
  readonly stage: Stage;
  readonly images: Images;
  readonly store: StageStore;
}

/** Creates a stage in `host` and disposes it with the host. A new `attempt` or language creates a new one. */
export const useStage = (
  host: HTMLElement | null,
  openImages: () => Promise<Images>,
  { label, words, locale }: Omit<StageOptions, 'images'>,
  attempt: number,
): { readonly open: OpenStage | null; readonly failure: Error | null } => {
  const [open, setOpen] = useState<OpenStage | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    if (!host) return;
    let current: OpenStage | null = null;
    let left = false;
    setFailure(null);
    openImages().then(
      (images) => {
        if (left) return;
        const stage = createStage(host, {
          images,
          ...(label !== undefined && { label }),
          ...(words && { words }),
          ...(locale && { locale }),
        });
        current = { stage, images, store: createStageStore(stage) };
        setOpen(current);
      },
      (reason) => {
        if (!left) setFailure(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return () => {
      left = true;
      current?.store.dispose();
      current?.stage.dispose();
      setOpen(null);
    };
  }, [host, openImages, label, words, locale, attempt]);
  return { open, failure };
};

/** Returns whether the graphics context of the canvas in `host` is lost. */
export const useGraphicsLost = (host: HTMLElement | null): boolean => {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!host) return;
    const gone = () => setLost(true);
    const back = () => setLost(false);
    // These events do not bubble, so they are captured.
    host.addEventListener('webglcontextlost', gone, true);
    host.addEventListener('webglcontextrestored', back, true);
    return () => {
      host.removeEventListener('webglcontextlost', gone, true);
      host.removeEventListener('webglcontextrestored', back, true);
      setLost(false);
    };
  }, [host]);
  return lost;
};

const unsubscribed = () => () => {};

/**
 * Subscribes to a part of the stage state. `select` must return a primitive or an object held by the store,
 * so that the component re-renders only on change.
 */
export const useStageStore = <Part>(store: StageStore | null, select: (store: StageStore) => Part): Part | null =>
  useSyncExternalStore(store?.subscribe ?? unsubscribed, () => (store ? select(store) : null));

export const useLoading = (store: StageStore | null, id: string | null): Loading | null =>
  useStageStore(store, (store) => (id === null ? null : store.loading(id)));

export const loadedIn = (store: StageStore, id: string): LoadedImage | null => {
  const loading = store.loading(id);
  return loading?.phase === 'ready' ? loading.image : null;
};

export const useLoadedImage = (store: StageStore | null, id: string | null) => {
  const loading = useLoading(store, id);
  return loading?.phase === 'ready' ? loading.image : null;
};

/** Subscribes to a primitive of what is drawn of an image. */
export const useDrawnPart = <Part extends string | number | boolean | object>(
  store: StageStore | null,
  id: string | null,
  select: (drawn: Drawn) => Part,
): Part | null =>
  useStageStore(store, (store) => {
    const drawn = id === null ? null : store.drawn(id);
    return drawn ? select(drawn) : null;
  });
