import { useEffect, useState } from 'react';
import { type Display, plainDisplay } from '../../../contract/displays.ts';
import type { SharedImage } from '../../../contract/shared-links.ts';
import { createStage, type Images, type LoadedImage, type Stage, sceneOf, type View } from '../../viewer/index.ts';

/** Tools of the primary button or one finger on this page. */
export const sharedTools = ['window', 'pan'] as const;
export type SharedTool = (typeof sharedTools)[number];

interface Shown {
  readonly display: Display;
  readonly view: View;
  readonly frame: number;
}

export type StageState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly image: LoadedImage }
  | { readonly phase: 'failed'; readonly error: Error }
  /** The browser cannot draw. */
  | { readonly phase: 'unavailable' };

const firstShown = ({ display }: SharedImage): Shown => ({ display: display ?? plainDisplay, view: 'fit', frame: 1 });
const asStored = { display: plainDisplay, view: 'fit' } as const;

/** Creates a stage in `host` and disposes it with the host. A new `attempt` creates a new one. */
const useStage = (host: HTMLElement | null, openImages: () => Promise<Images>, label: string, attempt: number) => {
  const [stage, setStage] = useState<Stage | null>(null);
  const [isUnavailable, setIsUnavailable] = useState(false);
  useEffect(() => {
    if (!host) return;
    setIsUnavailable(false);
    let current: Stage | null = null;
    let left = false;
    openImages().then(
      (images) => {
        if (left) return;
        current = createStage(host, { images, label });
        current.on('stage.failed', () => setIsUnavailable(true));
        setStage(current);
      },
      () => setIsUnavailable(!left),
    );
    return () => {
      left = true;
      current?.dispose();
      setStage(null);
    };
  }, [host, openImages, label, attempt]);
  return { stage, isUnavailable };
};

/** Shows one image on a stage, and remembers how each image was shown. */
export const useSharedStage = (
  host: HTMLElement | null,
  openImages: () => Promise<Images>,
  image: SharedImage,
  label: string,
) => {
  const [changed, setChanged] = useState<ReadonlyMap<string, Shown>>(new Map());
  const [tool, setTool] = useState<SharedTool>('window');
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly state: StageState } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { stage, isUnavailable } = useStage(host, openImages, label, attempt);
  const { display, view, frame } = changed.get(image.uid) ?? firstShown(image);

  const change = (more: Partial<Shown>) =>
    setChanged((known) => new Map(known).set(image.uid, { ...(known.get(image.uid) ?? firstShown(image)), ...more }));

  useEffect(() => {
    if (!stage) return;
    const changeOf = (id: string, more: Partial<Shown>) => {
      if (id === image.uid) change(more);
    };
    const stops = [
      stage.on('gesture.settled', (settled) => changeOf(settled.id, { display: settled.display, view: settled.view })),
      stage.on('reset.requested', ({ id }) => changeOf(id, asStored)),
      stage.on('frame.requested', (asked) => changeOf(asked.id, { frame: asked.frame })),
      stage.on('tool.requested', (asked) => {
        const known = sharedTools.find((one) => one === asked.tool);
        if (known) setTool(known);
      }),
      stage.on('image.loaded', ({ id, image: ready }) => setLoaded({ id, state: { phase: 'ready', image: ready } })),
      stage.on('image.failed', ({ id, error }) => setLoaded({ id, state: { phase: 'failed', error } })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  });

  useEffect(() => {
    if (!stage) return;
    stage.show({ ...sceneOf(image.uid, { display, view, frame, plain: plainDisplay }), tool });
  }, [stage, image.uid, display, view, frame, tool]);

  const state: StageState = loaded?.id === image.uid ? loaded.state : { phase: 'loading' };
  return {
    state: isUnavailable ? ({ phase: 'unavailable' } as const) : state,
    stage,
    tool,
    chooseTool: setTool,
    frame,
    showFrame: (frame: number) => change({ frame }),
    showAsStored: () => change(asStored),
    retry: () => {
      setLoaded(null);
      setAttempt(attempt + 1);
    },
  };
};
