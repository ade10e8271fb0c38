import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import {
  selectCanRedo,
  selectCanReset,
  selectCanUndo,
  selectTool,
  type ViewerActor,
} from '../../machines/viewer/viewer.machine.ts';
import type { RoomCommand } from './room-commands.ts';
import { RoomToolbar } from './room-toolbar.tsx';
import type { StageMemory } from './stage-memory.ts';
import type { ToolState } from './tool-groups.tsx';
import { useDrawnPart, useLoadedImage } from './use-memory.ts';

interface RoomBarProps
  extends Pick<ToolState, 'canStep' | 'canGoBack' | 'comparing' | 'linked' | 'overlays' | 'focusMode' | 'fullscreen'> {
  readonly actor: ViewerActor;
  readonly memory: StageMemory | null;
  readonly inHand: string | null;
  readonly fitted: boolean;
  readonly bar: ReactNode;
  readonly onCommand: (command: RoomCommand) => void;
}

/** The toolbar as the image in hand is drawn at this moment. */
export const RoomBar = ({ actor, memory, inHand, bar, onCommand, ...known }: RoomBarProps) => {
  const tool = useSelector(actor, selectTool);
  const canUndo = useSelector(actor, selectCanUndo);
  const canRedo = useSelector(actor, selectCanRedo);
  const canReset = useSelector(actor, selectCanReset);
  const ready = useLoadedImage(memory, inHand) !== null;
  const drawn = {
    inverted: useDrawnPart(memory, inHand, ({ display }) => display.inverted),
    horizontalFlip: useDrawnPart(memory, inHand, ({ display }) => display.horizontalFlip),
    noise: useDrawnPart(memory, inHand, ({ display }) => display.noise.kind !== 'none' && display.noise.strength > 0),
    sharpened: useDrawnPart(memory, inHand, ({ display }) => display.sharpness !== 0),
    actual: useDrawnPart(memory, inHand, ({ camera }) => camera.scale === 1),
  };
  const held = inHand !== null;
  return (
    <RoomToolbar
      bar={bar}
      onCommand={onCommand}
      state={{
        ...known,
        tool,
        held,
        ready,
        inverted: drawn.inverted ?? false,
        horizontalFlip: drawn.horizontalFlip ?? false,
        noise: drawn.noise ?? false,
        sharpened: drawn.sharpened ?? false,
        actual: drawn.actual ?? false,
        canUndo: held && canUndo,
        canRedo: held && canRedo,
        canReset: held && canReset,
      }}
    />
  );
};
