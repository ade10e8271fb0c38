import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import { type Images, sceneOf } from '../../viewer/index.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { type Look, lookAfter, plainLook } from './commands.ts';
import { type KeyWish, wishOf } from './keys.ts';
import { useDrawn, useLoading } from './loading.ts';
import { useStage } from './use-stage.ts';
import classes from './viewer.module.css';
import { ViewerOverlay } from './viewer-overlay.tsx';
import { DocumentState, ViewerState } from './viewer-state.tsx';
import { type ViewerTool, ViewerToolbar } from './viewer-toolbar.tsx';

export interface ImageViewerProps {
  readonly image: ImageInfo;
  readonly patient: { readonly name: string; readonly personalNumber: string };
  readonly openImages: () => Promise<Images>;
  /** The next or the previous image of where one came from. */
  readonly onStep: (by: 1 | -1) => void;
  /** Back to the mount; null when one did not come from a mount. */
  readonly onBack: (() => void) | null;
}

/** One image on black, as its file asks, and all that can be done to how it is shown. */
export const ImageViewer = ({ image, patient, openImages, onStep, onBack }: ImageViewerProps) => {
  const { t } = useTranslation('viewer');
  const modalityName = useModalityName();
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [tool, setTool] = useState<ViewerTool>('window');
  const [overlays, setOverlays] = useState(true);
  const [frame, setFrame] = useState(1);
  const [look, setLook] = useState<Look>(plainLook);
  const stage = useStage(image.kind === 'image' ? host : null, openImages, t('image'), attempt);
  const loading = useLoading(stage, image.uid);
  const drawn = useDrawn(stage, image.uid);
  const ready = loading.phase === 'ready' ? loading.image : null;

  const scene = useMemo(() => ({ ...sceneOf(image.uid, { frame, ...look }), tool }), [image.uid, frame, look, tool]);
  useEffect(() => stage?.show(scene), [stage, scene]);

  useEffect(() => {
    if (!stage) return;
    const stops = [
      stage.on('gesture.settled', ({ display, view }) => setLook({ display, view })),
      stage.on('tool.wanted', (intent) => setTool(intent.tool)),
      stage.on('frame.wanted', (intent) => setFrame(intent.frame)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [stage]);

  const act = (wish: KeyWish) => {
    if (wish.type === 'tool') setTool(wish.tool);
    else if (wish.type === 'command') {
      if (ready) setLook(lookAfter(wish.command, { display: drawn?.display ?? look.display, view: look.view }, ready));
    } else if (wish.type === 'overlays') setOverlays((shown) => !shown);
    else if (wish.type === 'step') onStep(wish.by);
    else onBack?.();
  };
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const wish = wishOf(event);
      if (!wish) return;
      event.preventDefault();
      latest.current(wish);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const voi = drawn?.display.voi;
  return (
    <div className={classes.pane}>
      <ViewerToolbar
        tool={tool}
        ready={ready !== null}
        inverted={drawn?.display.inverted ?? false}
        flipped={drawn?.display.flipped ?? false}
        fitted={look.view === 'fit'}
        actual={drawn?.camera.scale === 1}
        overlays={overlays}
        onTool={setTool}
        onCommand={(command) => act({ type: 'command', command })}
        onOverlays={() => act({ type: 'overlays' })}
        onBack={onBack}
      />
      <section className={classes.viewer} aria-label={t('image')} aria-busy={loading.phase === 'loading'}>
        <div ref={setHost} className={classes.host} />
        {image.kind === 'document' ? (
          <DocumentState />
        ) : (
          <ViewerState
            loading={loading}
            transferSyntax={image.imageTransferSyntax}
            onRetry={() => setAttempt((count) => count + 1)}
          />
        )}
        {overlays && image.kind === 'image' && (
          <ViewerOverlay
            patient={patient.name}
            personalNumber={patient.personalNumber}
            date={image.imageAcquiredDate?.slice(0, 10) ?? null}
            modality={modalityName(image.seriesModalityValue)}
            teeth={image.teeth}
            scale={ready ? (drawn?.camera.scale ?? null) : null}
            window={ready && voi?.kind === 'window' && ready.description.samplesPerPixel === 1 ? voi : null}
            frame={frame}
            frames={image.frames}
          />
        )}
      </section>
    </div>
  );
};
