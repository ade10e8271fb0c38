import { type ReactNode, useEffect, useState } from 'react';
import { plainDisplay } from '../../../../contract/displays.ts';
import {
  type Display,
  type Histogram,
  type Images,
  type LoadedImage,
  linkedImages,
  presentedImage,
  type Scene,
  type SceneImage,
  withImage,
} from '../../../viewer/index.ts';
import { hasStatesSection, StatesSection } from '../states/states-section.tsx';
import type { ChosenStates } from '../states/use-chosen-states.ts';
import type { ImageStates } from '../states/use-image-states.ts';
import { useWorkspace } from '../workspace-context.ts';
import { DisplayPanel, type NotePart } from './display-panel.tsx';
import type { ShownSettings } from './scene-of-content.ts';
import { useDisplayDraft } from './use-display-draft.ts';
import { loadedIn, type OpenStage, useLoadedImage } from './use-stage.ts';
import type { ViewOptions } from './use-view-options.ts';

interface ViewerPanelProps {
  readonly open: OpenStage | null;
  readonly scene: Scene;
  readonly activeUid: string | null;
  readonly settings: ShownSettings | null;
  readonly notes: readonly NotePart[];
  readonly grade: ReactNode;
  readonly options: ViewOptions;
  readonly states: ImageStates | null;
  readonly chosen: ChosenStates;
  /** Marks of the active image that this version cannot draw. */
  readonly unknownMarks: number;
  readonly aside: ReactNode;
}

/** Maximum number of bins. */
const maxBars = 128;

/** With integer values every bin covers the same number of values; otherwise the histogram would look like a comb. */
const binsFor = ({ range, description, modality }: LoadedImage): number => {
  const whole = description.sampleKind === 'integer' && modality.kind === 'rescale' && Number.isInteger(modality.slope);
  const span = Math.abs(range.high - range.low);
  if (!whole || span < 1) return maxBars;
  return Math.max(1, Math.round(span / Math.ceil(span / maxBars)));
};

/** Returns the histogram of an image, computed in a worker; null until ready. A better level of the same image keeps the old one meanwhile. */
const useHistogram = (images: Images | null, image: LoadedImage | null): Histogram | null => {
  const [counted, setCounted] = useState<{ readonly key: string; readonly histogram: Histogram } | null>(null);
  useEffect(() => {
    if (!images || !image) return;
    let left = false;
    images.histogram(image, binsFor(image)).then(
      (histogram) => {
        if (!left) setCounted({ key: image.key, histogram });
      },
      // The handles work without a histogram.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [images, image]);
  return image && counted?.key === image.key ? counted.histogram : null;
};

/** The display during a gesture on the stage; null otherwise. */
const useHeldDisplay = (open: OpenStage | null, activeUid: string | null): Display | null => {
  const [held, setHeld] = useState<{ readonly id: string; readonly display: Display } | null>(null);
  useEffect(() => {
    if (!open || activeUid === null) return;
    let holding = false;
    const stops = [
      open.stage.on('gesture.begun', ({ id }) => {
        holding = id === activeUid;
      }),
      open.stage.on('view.drawn', ({ id, display }) => {
        if (holding && id === activeUid) setHeld({ id, display });
      }),
      open.stage.on('gesture.settled', ({ id }) => {
        if (id !== activeUid) return;
        holding = false;
        setHeld(null);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      setHeld(null);
    };
  }, [open, activeUid]);
  return held?.id === activeUid ? held.display : null;
};

/** The panel of the active image. Sliders update the stage directly; the machine receives the settled display. */
export const ViewerPanel = (props: ViewerPanelProps) => {
  const { open, scene, activeUid, settings, unknownMarks, notes, grade, options, states, chosen, aside } = props;
  const { viewer } = useWorkspace();
  const shown = scene.images.find(({ id }) => id === activeUid);
  const image = useLoadedImage(open?.store ?? null, activeUid);
  const histogram = useHistogram(open?.images ?? null, image);
  const held = useHeldDisplay(open, activeUid);
  const presentedIn = (store: OpenStage['store'], imageUid: string): LoadedImage | null => {
    const loaded = loadedIn(store, imageUid);
    return loaded && presentedImage(loaded, scene.images.find(({ id }) => id === imageUid)?.state);
  };
  const followedBy = (display: Display): readonly SceneImage[] =>
    open && activeUid !== null ? linkedImages(scene, (id) => presentedIn(open.store, id), activeUid, display) : [];
  const draft = useDisplayDraft({
    imageUid: activeUid,
    display: held ?? settings?.display ?? plainDisplay,
    onLive: (display) => {
      if (activeUid === null) return;
      const changed = withImage(scene, activeUid, (one) => ({ ...one, display }));
      open?.stage.show(followedBy(display).reduce((next, one) => withImage(next, one.id, () => one), changed));
    },
    onSettle: (display) => {
      if (activeUid === null || !settings) return;
      const followed = followedBy(display).map((one) => ({ imageUid: one.id, display: one.display, view: one.view }));
      viewer.send({ type: 'display.settled', imageUid: activeUid, display, view: settings.view, followed });
    },
  });
  return (
    <DisplayPanel
      activeUid={activeUid}
      image={image}
      presented={image && presentedImage(image, shown?.state)}
      histogram={histogram}
      draft={draft}
      plainRotation={shown?.plain?.rotation ?? plainDisplay.rotation}
      marks={settings?.marks ?? []}
      authorTexts={shown?.authorTexts ?? {}}
      unknownMarks={unknownMarks}
      calibration={settings?.calibration ?? null}
      notes={notes}
      grade={grade}
      states={
        states?.imageUid === activeUid && states && image && hasStatesSection(states) ? (
          <StatesSection states={states} chosen={chosen} image={image} isInMount={scene.mount !== null} />
        ) : null
      }
      options={options}
      aside={aside}
    />
  );
};
