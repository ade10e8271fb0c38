import { useEffect, useState } from 'react';
import type { LoadedImage, Stage } from '../../viewer/index.ts';
import type { Drawn } from './commands.ts';

export type Loading =
  | { readonly phase: 'loading'; readonly loadedBytes: number; readonly totalBytes: number | null }
  | { readonly phase: 'ready'; readonly image: LoadedImage }
  | { readonly phase: 'failed'; readonly error: Error }
  | { readonly phase: 'no-graphics' };

const begun: Loading = { phase: 'loading', loadedBytes: 0, totalBytes: null };

/** How far the image `id` is on a stage. */
export const useLoading = (stage: Stage | null, id: string): Loading => {
  const [told, setTold] = useState<{ id: string; stage: Stage | null; loading: Loading }>({
    id,
    stage,
    loading: begun,
  });
  useEffect(() => {
    if (!stage) return;
    const tell = (loading: Loading) => setTold({ id, stage, loading });
    const stops = [
      stage.on('image.progressed', ({ id: whose, loadedBytes, totalBytes }) => {
        if (whose === id) tell({ phase: 'loading', loadedBytes, totalBytes });
      }),
      stage.on('image.loaded', ({ id: whose, image }) => {
        if (whose === id) tell({ phase: 'ready', image });
      }),
      stage.on('image.failed', ({ id: whose, error }) => {
        if (whose === id) tell({ phase: 'failed', error });
      }),
      stage.on('stage.failed', () => tell({ phase: 'no-graphics' })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage, id]);
  return told.id === id && told.stage === stage ? told.loading : begun;
};

/** What is drawn of the image `id`, frame by frame; null before the first. */
export const useDrawn = (stage: Stage | null, id: string): Drawn | null => {
  const [told, setTold] = useState<{ id: string; drawn: Drawn } | null>(null);
  useEffect(() => {
    if (!stage) return;
    return stage.on('view.drawn', ({ id: whose, display, camera }) => {
      if (whose === id) setTold({ id, drawn: { display, camera } });
    });
  }, [stage, id]);
  return told?.id === id ? told.drawn : null;
};
