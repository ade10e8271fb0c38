import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImageInfo } from '../../../contract/images.ts';
import {
  selectAttempt,
  selectCanReset,
  selectCanUndo,
  selectInHand,
  selectSettingsOf,
  selectTool,
  type ViewerActor,
} from '../../machines/viewer/viewer.machine.ts';
import { freshSettings } from '../../machines/viewer/viewer.rules.ts';
import { type Images, sceneOf } from '../../viewer/index.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { lookAfter } from './commands.ts';
import { type KeyWish, wishOf } from './keys.ts';
import { useDrawn, useLoading } from './loading.ts';
import { useStage } from './use-stage.ts';
import { useStageNews } from './use-stage-news.ts';
import classes from './viewer.module.css';
import { ViewerOverlay } from './viewer-overlay.tsx';
import { DocumentState, ViewerState } from './viewer-state.tsx';
import { type ViewerCommand, ViewerToolbar } from './viewer-toolbar.tsx';

export interface ImageViewerProps {
  readonly actor: ViewerActor;
  readonly image: ImageInfo;
  readonly patient: { readonly name: string; readonly personalNumber: string };
  readonly openImages: () => Promise<Images>;
  /** The next or the previous image of where one came from. */
  readonly onStep: (by: 1 | -1) => void;
  /** Back to the mount; null when one did not come from a mount. */
  readonly onBack: (() => void) | null;
}

/** Calls the latest `act` for keys pressed anywhere on the page. */
const useKeys = (act: (wish: KeyWish) => void) => {
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
};

/** One image on black, as its file asks or as a person left it, and all that can be done to how it is shown. */
export const ImageViewer = ({ actor, image, patient, openImages, onStep, onBack }: ImageViewerProps) => {
  const { t } = useTranslation('viewer');
  const modalityName = useModalityName();
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [overlays, setOverlays] = useState(true);
  const tool = useSelector(actor, selectTool);
  const attempt = useSelector(actor, selectAttempt);
  const isOpen = useSelector(actor, selectInHand) === image.uid;
  const kept = useSelector(actor, selectSettingsOf(image.uid));
  const canReset = useSelector(actor, selectCanReset);
  const canUndo = useSelector(actor, selectCanUndo);
  const { display, view, frame } = isOpen ? kept : freshSettings;

  useEffect(() => {
    const { uid, display, displayVersion, marks, calibration, marksVersion, frames } = image;
    const place = { imageUid: uid, viewsetId: null, display, displayVersion, turn: null };
    actor.send({ type: 'images.shown', places: [{ ...place, marks, calibration, marksVersion, frames }] });
  }, [actor, image]);
  useEffect(() => actor.send({ type: 'image.opened', imageUid: image.uid }), [actor, image.uid]);
  useEffect(() => () => actor.send({ type: 'viewer.closed' }), [actor]);

  const stage = useStage(image.kind === 'image' ? host : null, openImages, t('image'), attempt);
  const loading = useLoading(stage, image.uid);
  const drawn = useDrawn(stage, image.uid);
  const ready = loading.phase === 'ready' ? loading.image : null;
  useStageNews(stage, actor);

  const scene = useMemo(
    () => ({ ...sceneOf(image.uid, { frame, display, view }), tool }),
    [image.uid, frame, display, view, tool],
  );
  useEffect(() => stage?.show(scene), [stage, scene]);

  const command = (wanted: ViewerCommand) => {
    if (wanted === 'reset') actor.send({ type: 'image.reset' });
    else if (wanted === 'undo') actor.send({ type: 'change.undone' });
    else if (ready) {
      // What is settled counts, not what is drawn: the next key may come before the next frame.
      const settled = selectSettingsOf(image.uid)(actor.getSnapshot());
      const look = lookAfter(wanted, { display: settled.display, view: settled.view }, ready);
      actor.send({ type: 'display.settled', imageUid: image.uid, ...look });
    }
  };
  useKeys((wish) => {
    if (wish.type === 'tool') actor.send({ type: 'tool.chosen', tool: wish.tool });
    else if (wish.type === 'command') command(wish.command);
    else if (wish.type === 'overlays') setOverlays((shown) => !shown);
    else if (wish.type === 'step') onStep(wish.by);
    else onBack?.();
  });

  const voi = drawn?.display.voi;
  return (
    <div className={classes.pane}>
      <ViewerToolbar
        tool={tool}
        ready={ready !== null}
        inverted={drawn?.display.inverted ?? false}
        horizontalFlip={drawn?.display.horizontalFlip ?? false}
        fitted={view === 'fit'}
        actual={drawn?.camera.scale === 1}
        overlays={overlays}
        canReset={canReset}
        canUndo={canUndo}
        onTool={(wanted) => actor.send({ type: 'tool.chosen', tool: wanted })}
        onCommand={command}
        onOverlays={() => setOverlays((shown) => !shown)}
        onStep={onStep}
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
            onRetry={() => actor.send({ type: 'load.retried' })}
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
