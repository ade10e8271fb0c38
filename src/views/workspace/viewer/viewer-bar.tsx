import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import {
  selectAreMarksHidden,
  selectCanRedo,
  selectCanReset,
  selectCanUndo,
  selectTool,
} from '../../../machines/viewer/viewer.machine.ts';
import type { PlacementHistory } from '../viewset/use-placement-history.ts';
import { useWorkspace } from '../workspace-context.ts';
import type { StageStore } from './stage-store.ts';
import type { ToolState } from './tool-state.ts';
import { useDrawnPart, useLoadedImage } from './use-stage.ts';
import type { ViewOptions } from './use-view-options.ts';
import type { ViewerCommand } from './viewer-commands.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';

interface ViewerBarProps
  extends Pick<
    ToolState,
    | 'canStep'
    | 'canGoBack'
    | 'comparing'
    | 'canShowPrior'
    | 'comparingMounts'
    | 'isHistoryOpen'
    | 'hasPictures'
    | 'isDocument'
    | 'canBlink'
    | 'isPresented'
  > {
  readonly store: StageStore | null;
  readonly activeUid: string | null;
  readonly fitted: boolean;
  readonly options: Pick<
    ViewOptions,
    'linked' | 'overlays' | 'planesHidden' | 'focusMode' | 'fullscreen' | 'marksMenu' | 'setMarksMenu'
  >;
  /** Undo and redo of placements; null without a mount. */
  readonly placements: Pick<PlacementHistory, 'canUndo' | 'canRedo'> | null;
  readonly bar: ReactNode;
  readonly onCommand: (command: ViewerCommand) => void;
}

/** The toolbar, reflecting how the active image is drawn. */
export const ViewerBar = (props: ViewerBarProps) => {
  const { store, activeUid, options, placements, bar, onCommand, ...layoutProps } = props;
  const { viewer: actor } = useWorkspace();
  const tool = useSelector(actor, selectTool);
  const marksHidden = useSelector(actor, selectAreMarksHidden);
  const canUndo = useSelector(actor, selectCanUndo);
  const canRedo = useSelector(actor, selectCanRedo);
  const canReset = useSelector(actor, selectCanReset);
  const ready = useLoadedImage(store, activeUid) !== null;
  const drawn = {
    inverted: useDrawnPart(store, activeUid, ({ display }) => display.inverted),
    horizontalFlip: useDrawnPart(store, activeUid, ({ display }) => display.horizontalFlip),
    noise: useDrawnPart(store, activeUid, ({ display }) => display.noise.kind !== 'none' && display.noise.strength > 0),
    sharpened: useDrawnPart(store, activeUid, ({ display }) => display.sharpness !== 0),
    actual: useDrawnPart(store, activeUid, ({ camera }) => camera.scale === 1),
  };
  const held = activeUid !== null;
  return (
    <ViewerToolbar
      bar={bar}
      onCommand={onCommand}
      marksMenu={options.marksMenu}
      onMarksMenu={options.setMarksMenu}
      state={{
        ...layoutProps,
        linked: options.linked,
        overlays: options.overlays,
        planesHidden: options.planesHidden,
        focusMode: options.focusMode,
        fullscreen: options.fullscreen,
        tool,
        marksHidden,
        held,
        ready,
        inverted: drawn.inverted ?? false,
        horizontalFlip: drawn.horizontalFlip ?? false,
        noise: drawn.noise ?? false,
        sharpened: drawn.sharpened ?? false,
        actual: drawn.actual ?? false,
        canUndo: (held && canUndo) || (placements?.canUndo ?? false),
        canRedo: (held && canRedo) || (placements?.canRedo ?? false),
        canReset: held && canReset,
      }}
    />
  );
};
