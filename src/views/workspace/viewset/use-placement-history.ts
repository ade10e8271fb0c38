import { useSelector } from '@xstate/react';
import { useState } from 'react';
import type { Viewset } from '../../../../contract/viewsets.ts';
import { selectLastChange, selectUndoableChange } from '../../../machines/viewer/viewer.machine.ts';
import type { ViewsetActor } from '../../../machines/viewset/viewset.machine.ts';
import {
  inverseOf,
  isDone,
  isPossible,
  type Operation,
  operationOf,
  type PlacementRequest,
} from '../../../machines/viewset/viewset.rules.ts';
import { useWorkspace } from '../workspace-context.ts';
import type { MountRights } from './mount-actions.ts';

interface Placed {
  readonly request: PlacementRequest;
  readonly inverse: PlacementRequest;
  readonly operation: Operation;
}

interface Entry {
  /** In the order in which they were sent. */
  readonly placements: readonly Placed[];
  /** Number of the viewer's last change at that time: undo reverses the later of both. */
  readonly change: number;
}

interface History {
  readonly viewsetId: string | null;
  /** The latest last. */
  readonly past: readonly Entry[];
  /** The next last. */
  readonly future: readonly Entry[];
}

/** Undo and redo of the placements that the user made in the open viewset. */
export interface PlacementHistory {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Sends requests as one undoable step. None may depend on another. */
  readonly perform: (requests: readonly PlacementRequest[]) => void;
  /** Reverses the last placement, unless a later change of the active image comes first. Returns whether it was the turn of a placement. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
}

interface PlacementHistoryOptions {
  readonly actor: ViewsetActor;
  readonly viewset: Viewset | null;
  readonly rights: MountRights;
  /** Announces the result: reversed, repeated, or impossible because of a change of somebody else. */
  readonly onUndone: () => void;
  readonly onRedone: () => void;
  readonly onImpossible: () => void;
}

/** Maximum number of undo steps; the oldest are dropped. */
const maxHistory = 50;
const empty: History = { viewsetId: null, past: [], future: [] };

export const usePlacementHistory = (options: PlacementHistoryOptions): PlacementHistory => {
  const { actor, viewset, rights, onUndone, onRedone, onImpossible } = options;
  const { viewer } = useWorkspace();
  const [stored, setHistory] = useState<History>(empty);
  const viewsetId = viewset?.viewSetUuid ?? null;
  const history = stored.viewsetId === viewsetId ? stored : empty;
  const { past, future } = history;
  const lastChange = () => selectLastChange(viewer.getSnapshot());
  const shownChange = useSelector(viewer, selectLastChange);
  const next = future.at(-1);

  const perform = (requests: readonly PlacementRequest[]) => {
    const placements = requests.flatMap((request): readonly Placed[] => {
      const operation = operationOf(viewset, request);
      actor.send(request);
      const inverse = operation && inverseOf(operation);
      // The inverse of mounting takes an image out of its slot.
      if (!inverse || (operation.kind === 'mount' && !rights.unmount)) return [];
      return [{ request, inverse, operation }];
    });
    if (placements.length === 0) return;
    const entry = { placements, change: lastChange() };
    setHistory({ viewsetId, past: [...past, entry].slice(-maxHistory), future: [] });
  };
  const undo = (): boolean => {
    const entry = past.at(-1);
    if (!viewset || !entry) return false;
    if ((selectUndoableChange(viewer.getSnapshot()) ?? 0) > entry.change) return false;
    const isStill = entry.placements.every(({ operation }) => isDone(viewset, operation));
    if (isStill) for (const { inverse } of entry.placements.toReversed()) actor.send(inverse);
    const undone = { ...entry, change: lastChange() };
    setHistory({ viewsetId, past: past.slice(0, -1), future: isStill ? [...future, undone] : [] });
    (isStill ? onUndone : onImpossible)();
    return true;
  };
  const redo = (): boolean => {
    const entry = future.at(-1);
    // A change of an image after the undo is newer than what would be repeated.
    if (!viewset || !entry || lastChange() > entry.change) return false;
    const isStill = entry.placements.every(({ operation }) => isPossible(viewset, operation));
    if (isStill) for (const { request } of entry.placements) actor.send(request);
    setHistory({ viewsetId, past: isStill ? [...past, entry] : past, future: isStill ? future.slice(0, -1) : [] });
    (isStill ? onRedone : onImpossible)();
    return true;
  };
  return {
    canUndo: past.length > 0,
    canRedo: next !== undefined && shownChange <= next.change,
    perform,
    undo,
    redo,
  };
};
