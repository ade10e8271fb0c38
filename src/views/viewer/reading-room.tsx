import { useSelector } from '@xstate/react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { selectTool, type ViewerActor } from '../../machines/viewer/viewer.machine.ts';
import type { BoardView, Images, IntentOf, Stage } from '../../viewer/index.ts';
import { useElementSize } from '../parts/element-size.ts';
import type { ShownContent, ShownImage } from '../shown-content.ts';
import { CalibrateDialog } from './calibrate-dialog.tsx';
import { FrameBar } from './frame-bar.tsx';
import { LeaveFocusMode } from './leave-focus-mode.tsx';
import classes from './reading-room.module.css';
import { RoomBar } from './room-bar.tsx';
import type { RoomCommand } from './room-commands.ts';
import { shownOf } from './room-content.ts';
import { RoomPanel } from './room-panel.tsx';
import { sceneOfContent } from './scene-of-content.ts';
import type { ShortcutGroup } from './shortcuts.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StageCells } from './stage-cells.tsx';
import type { BoardPlace } from './stage-memory.ts';
import { LostState, NoStageState } from './stage-state.tsx';
import { useStageWords } from './stage-words.ts';
import { useCine } from './use-cine.ts';
import { useFocusMode, useFullscreen } from './use-focus-mode.ts';
import { useGraphicsLost } from './use-graphics-lost.ts';
import { useMemory } from './use-memory.ts';
import { useRoomKeys } from './use-room-keys.ts';
import { useSettings } from './use-settings.ts';
import { useStage } from './use-stage.ts';
import { useStageNews } from './use-stage-news.ts';

export type { Shortcut, ShortcutGroup } from './shortcuts.ts';

export interface ReadingRoomProps {
  readonly actor: ViewerActor;
  readonly openImages: () => Promise<Images>;
  readonly patient: { readonly name: string; readonly personalNumber: string };
  readonly content: ShownContent;
  /** The image of the selected slot, the one that fills the stage, or the active one of a comparison. */
  readonly inHand: string | null;
  /** An image was touched on the stage. */
  readonly onChoose: (imageUid: string) => void;
  /** The wish to see it alone. */
  readonly onOpen: (imageUid: string) => void;
  /** The next or the previous image. */
  readonly onStep: (by: 1 | -1) => void;
  /** Back to where one came from; null where there is nothing behind. */
  readonly onBack: (() => void) | null;
  /** Puts the image in hand beside others; null or left out where there are none. */
  readonly onCompare?: (() => void) | null;
  /** The left end of the toolbar's row. */
  readonly bar?: ReactNode;
  /** What lies over a mount: where its board is now, in CSS pixels of the stage, and which images are on the screen already. */
  readonly renderBoard?: (board: BoardPlace, stage: Stage, isDrawn: (imageUid: string) => boolean) => ReactNode;
  /** Below the display panel. */
  readonly aside?: ReactNode;
  readonly extraShortcuts?: readonly ShortcutGroup[];
}

const noShortcuts: readonly ShortcutGroup[] = [];

/** Mount, single image or comparison on one stage, with all that can be done to how they are shown. */
export const ReadingRoom = (props: ReadingRoomProps) => {
  const { actor, openImages, patient, content, inHand, onChoose, onOpen, onStep, onBack } = props;
  const { t, i18n } = useTranslation('viewer');
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [overlays, setOverlays] = useState(true);
  const [linked, setLinked] = useState(true);
  const [boardView, setBoardView] = useState<BoardView>('fit');
  const [dialog, setDialog] = useState<'shortcuts' | IntentOf<'calibration.drawn'> | null>(null);
  const [focusMode, setFocusMode] = useFocusMode();
  const [fullscreen, toggleFullscreen] = useFullscreen();
  const size = useElementSize();
  const words = useStageWords();
  const tool = useSelector(actor, selectTool);
  const settingsOf = useSettings(actor, content, inHand);

  const { open, failure } = useStage(host, openImages, { label: t('image'), words, locale: i18n.language }, attempt);
  const memory = open?.memory ?? null;
  const inHandPhase = useMemory(memory, (told) => (inHand === null ? null : (told.loading(inHand)?.phase ?? null)));
  const stageFailure = useMemory(memory, (told) => told.failure());
  // Known or not: what lies over the board follows it by itself, without a frame of React.
  const hasBoard = useMemory(memory, (told) => told.board() !== null);
  const board = hasBoard ? (memory?.board() ?? null) : null;
  const lost = useGraphicsLost(host);

  const mountId = content.kind === 'mount' ? content.viewset.viewSetUuid : null;
  useLayoutEffect(() => {
    // Another mount is looked at as a whole.
    if (mountId !== null) setBoardView('fit');
  }, [mountId]);
  const stageAspect = size.height > 0 ? size.width / size.height : 1;
  const scene = useMemo(
    () => sceneOfContent({ content, settingsOf, inHand, tool, boardView, linked, stageAspect }),
    [content, settingsOf, inHand, tool, boardView, linked, stageAspect],
  );
  useEffect(() => {
    open?.memory.keep(new Set(scene.images.map(({ id }) => id)));
    open?.stage.show(scene);
  }, [open, scene]);
  useStageNews({
    stage: open?.stage ?? null,
    actor,
    isMount: mountId !== null,
    onChoose,
    onOpen,
    onBoardView: setBoardView,
    onCalibrationLine: setDialog,
  });

  const shown = shownOf(content, inHand);
  const settings = shown?.image.kind === 'image' ? settingsOf(shown) : null;
  const frames = content.kind === 'mount' ? 1 : (shown?.image.frames ?? 1);
  const frame = settings?.frame ?? 1;
  const chooseFrame = (wanted: number) => actor.send({ type: 'frame.chosen', frame: wanted });
  const cine = useCine({
    images: open?.images ?? null,
    source: settings ? inHand : null,
    frame,
    frames,
    onFrame: chooseFrame,
  });
  const retry = () => {
    actor.send({ type: 'load.retried' });
    setAttempt((before) => before + 1);
  };
  const compare = content.kind === 'compare' ? onBack : (props.onCompare ?? null);

  /** Says whether there was anything to do. */
  const act = (command: RoomCommand): boolean => {
    switch (command.type) {
      case 'stage':
        if (open?.stage.act(command.command)) return true;
        return command.command.type === 'abandon' && act({ type: 'back' });
      case 'tool':
        actor.send({ type: 'tool.chosen', tool: command.tool });
        return true;
      case 'step':
        onStep(command.by);
        return true;
      case 'reset':
        actor.send({ type: 'image.reset' });
        return true;
      case 'undo':
        actor.send({ type: 'change.undone' });
        return true;
      case 'redo':
        actor.send({ type: 'change.redone' });
        return true;
      case 'cine':
        cine.setPlaying(!cine.playing);
        return frames > 1;
      case 'compare':
        compare?.();
        return compare !== null;
      case 'link':
        setLinked(!linked);
        return true;
      case 'overlays':
        setOverlays(!overlays);
        return true;
      case 'focus-mode':
        setFocusMode(!focusMode);
        return true;
      case 'fullscreen':
        toggleFullscreen();
        return true;
      case 'shortcuts':
        setDialog('shortcuts');
        return true;
      case 'open':
        if (content.kind !== 'image' && inHand !== null) onOpen(inHand);
        return content.kind !== 'image' && inHand !== null;
      case 'back':
        if (focusMode) setFocusMode(false);
        else onBack?.();
        return focusMode || onBack !== null;
    }
  };
  useRoomKeys(act);

  const isDrawn = (imageUid: string) => open?.memory.drawn(imageUid) != null;
  const placeOf = (imageUid: string) => scene.images.find(({ id }) => id === imageUid)?.place ?? null;
  return (
    <div className={classes.room}>
      <RoomBar
        actor={actor}
        memory={memory}
        inHand={inHand}
        bar={props.bar}
        fitted={content.kind === 'mount' ? boardView === 'fit' : settings?.view === 'fit'}
        canStep={content.kind === 'image'}
        canGoBack={onBack !== null}
        comparing={compare === null ? null : content.kind === 'compare'}
        linked={linked}
        overlays={overlays}
        focusMode={focusMode}
        fullscreen={fullscreen}
        onCommand={act}
      />
      <div className={classes.body}>
        <div className={classes.main}>
          <section
            ref={size.ref}
            className={classes.stage}
            aria-label={t('image')}
            aria-busy={settings !== null && inHandPhase !== 'ready' && inHandPhase !== 'failed'}
            data-content={content.kind}
          >
            <div ref={setHost} className={classes.host} />
            {mountId !== null && open && board && props.renderBoard?.(board, open.stage, isDrawn)}
            <StageCells
              content={content}
              memory={memory}
              placeOf={placeOf}
              frameOf={(one: ShownImage) => settingsOf(one).frame}
              inHand={shown}
              overlays={overlays}
              patient={patient}
              onRetry={retry}
            />
            {(stageFailure ?? failure) && <NoStageState graphics={stageFailure !== null} onRetry={retry} />}
            {lost && <LostState />}
            {focusMode && <LeaveFocusMode onLeave={() => setFocusMode(false)} />}
          </section>
          {settings && frames > 1 && <FrameBar frame={frame} frames={frames} cine={cine} onFrame={chooseFrame} />}
        </div>
        <RoomPanel
          actor={actor}
          open={open}
          scene={scene}
          inHand={settings ? inHand : null}
          settings={settings}
          aside={props.aside}
        />
      </div>
      {dialog === 'shortcuts' && (
        <ShortcutsDialog extra={props.extraShortcuts ?? noShortcuts} onClose={() => setDialog(null)} />
      )}
      {dialog !== null && dialog !== 'shortcuts' && (
        <CalibrateDialog
          lengthPixels={dialog.lengthPixels}
          onClose={() => {
            open?.stage.act({ type: 'abandon' });
            setDialog(null);
          }}
          onCalibrate={(calibration) => {
            actor.send({ type: 'image.calibrated', imageUid: dialog.id, calibration });
            // What one calibrates for comes next.
            actor.send({ type: 'tool.chosen', tool: 'length' });
            setDialog(null);
          }}
        />
      )}
    </div>
  );
};
