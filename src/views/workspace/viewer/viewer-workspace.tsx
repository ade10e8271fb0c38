import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { selectAreMarksHidden, selectFollowedUnsaved, selectTool } from '../../../machines/viewer/viewer.machine.ts';
import { useElementSize } from '../../ui/element-size.ts';
import { useResumedNote } from '../notes/use-resumed-note.ts';
import { useSecondWindow } from '../second-window/use-second-window.ts';
import { useChosenStates } from '../states/use-chosen-states.ts';
import { useWorkspace } from '../workspace-context.ts';
import { comparisonsOf } from './comparisons.ts';
import { FrameBar } from './frame-bar.tsx';
import { MountOverlays } from './mount-overlays.tsx';
import { MountBar, PriorBar } from './prior-bar.tsx';
import { unknownMarks } from './saved-marks.ts';
import { mountIdOf, plainOf, shownOf } from './scene-of-content.ts';
import { StageCells } from './stage-cells.tsx';
import { FollowedNotice, GraphicsLostState, HiddenNotices, LeaveFocusMode, NoStageState } from './stage-notices.tsx';
import { useCine } from './use-cine.ts';
import { useScene } from './use-scene.ts';
import { sameEach, useSettings, useShownSettings } from './use-settings.ts';
import { useGraphicsLost, useStage, useStageStore } from './use-stage.ts';
import { useStageEvents } from './use-stage-events.ts';
import { useViewOptions } from './use-view-options.ts';
import { ViewerBar } from './viewer-bar.tsx';
import { runViewerCommand, type ViewerCommand } from './viewer-commands.ts';
import { ViewerDialog } from './viewer-dialogs.tsx';
import { useViewerKeys } from './viewer-keys.ts';
import { ViewerPanel } from './viewer-panel.tsx';
import { useStageLabels } from './viewer-texts.ts';
import classes from './viewer-workspace.module.css';
import type { ViewerWorkspaceProps } from './viewer-workspace-props.ts';

/** A mount, image or comparison on one stage, with all viewing tools. */
export const ViewerWorkspace = (props: ViewerWorkspaceProps) => {
  const { patient, content, activeUid, navigation, onChoose, pendingMarks, mount } = props;
  const { bar, notes, grading, states, aside } = props;
  const { t, i18n } = useTranslation('viewer');
  const { viewer, openImages } = useWorkspace();
  const [host, setHost] = useState<HTMLElement | null>(null);
  const [attempt, setAttempt] = useState(0);
  const mountId = mountIdOf(content);
  const options = useViewOptions(mountId);
  const { mountView, linked, planesHidden } = options;
  const size = useElementSize();
  const words = useStageLabels();
  const tool = useSelector(viewer, selectTool);
  const marksHidden = useSelector(viewer, selectAreMarksHidden);
  const ownSettingsOf = useSettings(viewer, content, activeUid, pendingMarks);

  const { open, failure } = useStage(host, openImages, { label: t('image'), words, locale: i18n.language }, attempt);
  const store = open?.store ?? null;
  const stage = open?.stage ?? null;
  const activePhase = useStageStore(store, (store) =>
    activeUid === null ? null : (store.loading(activeUid)?.phase ?? null),
  );
  const stageFailure = useStageStore(store, (store) => store.failure());
  const lost = useGraphicsLost(host);

  const { width, height } = size;
  const shown = shownOf(content, activeUid);
  const isImage = shown?.image.kind === 'image';
  const own = isImage ? { display: ownSettingsOf(shown).display, plain: plainOf(shown) } : null;
  const chosen = useChosenStates(viewer, states, own);
  const settingsOf = useShownSettings(ownSettingsOf, chosen.displayOf);
  const settings = isImage ? settingsOf(shown) : null;
  const look = { tool, mountView, linked, marksHidden, planesHidden, stage: size };
  const scene = useScene({ content, settingsOf, stateOf: chosen.of, activeUid, ...look });
  useEffect(() => {
    open?.store.retain(new Set(scene.images.map(({ id }) => id)));
    open?.stage.show(scene);
  }, [open, scene]);

  const followedUnsaved = useSelector(viewer, selectFollowedUnsaved, sameEach);
  const frames = mountId === null ? (shown?.image.frames ?? 1) : 1;
  const frame = settings?.frame ?? 1;
  const chooseFrame = (next: number) => viewer.send({ type: 'frame.chosen', frame: next });
  const cine = useCine({
    images: open?.images ?? null,
    source: settings ? activeUid : null,
    frame,
    frames,
    onFrame: chooseFrame,
  });
  const retry = () => {
    viewer.send({ type: 'load.retried' });
    setAttempt((before) => before + 1);
  };
  const { toggleImages, toggleMounts, priorImage, priorMount, searchedUid } = comparisonsOf(content, navigation, {
    activeUid,
    activePicture: isImage ? activeUid : null,
  });
  const firstNote = notes[0];
  useResumedNote(notes, options.requestFocus);
  const noStage = stageFailure ?? failure;
  const hasPictures = failure === null && scene.images.length > 0;
  const canBlink = hasPictures && content.kind === 'compare' && scene.images.length === 2;
  const isLoading = settings !== null && activePhase !== 'ready' && activePhase !== 'failed';
  const second = useSecondWindow(scene, size, words);
  const act = (command: ViewerCommand) =>
    runViewerCommand(command, {
      actor: viewer,
      stage,
      options,
      cine,
      isMultiFrame: frames > 1,
      activeUid,
      openable: content.kind === 'image' ? null : activeUid,
      navigation,
      placements: mount?.history ?? null,
      compare: toggleImages,
      prior: searchedUid === null ? null : () => navigation.prior.older(searchedUid),
      note: firstNote ? () => options.requestFocus(firstNote.subject) : null,
      grade: grading && { accept: grading.accept, reject: () => options.requestFocus('grade') },
      priorMounts: toggleMounts,
      toggleSecondWindow: second.toggle,
      hasPictures,
      canBlink,
      isPriorShown: priorImage !== null || priorMount !== null,
      resetToPresentationState: chosen.reset,
    });
  useViewerKeys(act);
  useStageEvents({
    stage,
    isMount: mountId !== null,
    onChoose,
    onOpen: navigation.open,
    onSlice: navigation.step,
    onReset: () => act({ type: 'reset' }),
    setMountView: options.setMountView,
    setDialog: options.setDialog,
  });

  return (
    <div className={classes.workspace}>
      <ViewerBar
        store={store}
        activeUid={activeUid}
        options={options}
        bar={bar}
        fitted={mountId === null ? settings?.view === 'fit' : mountView === 'fit'}
        canStep={content.kind === 'image' || priorImage !== null}
        canGoBack={navigation.back !== null}
        placements={mount?.history ?? null}
        canShowPrior={searchedUid !== null}
        comparingMounts={toggleMounts && priorMount !== null}
        comparing={toggleImages && content.kind === 'compare'}
        isHistoryOpen={navigation.isHistoryOpen}
        hasPictures={hasPictures}
        isDocument={content.kind === 'image' && !isImage}
        canBlink={canBlink}
        isPresented={second.isShown}
        onCommand={act}
      />
      <div className={classes.body}>
        <div className={classes.main}>
          <section
            ref={size.ref}
            className={classes.stage}
            aria-label={t('image')}
            aria-busy={(open === null && noStage === null) || isLoading}
            data-content={content.kind}
          >
            <div ref={setHost} className={classes.host} />
            {open && (
              <MountOverlays
                content={content}
                open={open}
                mount={mount}
                size={size}
                activeUid={activeUid}
                onChoose={onChoose}
                onOpen={navigation.open}
              />
            )}
            <StageCells
              content={content}
              store={store}
              placeOf={(imageUid) => scene.images.find(({ id }) => id === imageUid)?.placement ?? null}
              settingsOf={settingsOf}
              active={shown}
              overlays={options.overlays}
              planesHidden={planesHidden}
              marksHidden={marksHidden}
              stateOf={chosen.of}
              patient={patient}
              onRetry={retry}
              unsaved={followedUnsaved}
            />
            <HiddenNotices
              scene={scene}
              store={store}
              marksHidden={marksHidden}
              planesHidden={planesHidden}
              isNamed={(imageUid) => options.overlays && (mountId === null || imageUid === activeUid)}
              onCommand={act}
            />
            <FollowedNotice count={followedUnsaved.length} />
            {noStage && <NoStageState graphics={stageFailure !== null} onRetry={retry} />}
            {lost && <GraphicsLostState />}
            {options.focusMode && (
              <LeaveFocusMode
                linked={content.kind === 'compare' ? linked : null}
                onLink={options.toggleLinked}
                onLeave={() => options.setFocusMode(false)}
              />
            )}
          </section>
          {priorImage && <PriorBar prior={priorImage} onCommand={act} />}
          {priorMount && <MountBar prior={priorMount} onCommand={act} />}
          {settings && frames > 1 && <FrameBar frame={frame} frames={frames} cine={cine} onFrame={chooseFrame} />}
        </div>
        <ViewerPanel
          open={open}
          scene={scene}
          activeUid={settings ? activeUid : null}
          settings={settings}
          notes={notes}
          grade={grading?.body ?? null}
          options={options}
          states={states}
          chosen={chosen}
          unknownMarks={settings && shown ? unknownMarks(shown.image) : 0}
          aside={aside}
        />
      </div>
      {options.dialog !== null && (
        <ViewerDialog
          dialog={options.dialog}
          stage={stage}
          shown={
            open && {
              content,
              scene,
              activeUid,
              stageAspect: width / Math.max(height, 1),
              images: open.images,
              patient,
              words,
            }
          }
          onClose={() => options.setDialog(null)}
        />
      )}
    </div>
  );
};
