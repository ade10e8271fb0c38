import type { AnyMachineSnapshot } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import type { Operation } from '../../src/machines/viewset/viewset.rules.ts';
import { shownOf, type ViewsetContext } from '../../src/machines/viewset/viewset.setup.ts';
import { done } from '../paths.ts';
import { type Placement, placementOf, viewsetOf } from './viewset-fixtures.ts';

const inWords = (operation: Operation): string =>
  operation.kind === 'mount'
    ? `mount ${operation.imageUid} from ${operation.from} in ${operation.to}`
    : `${operation.kind} ${operation.imageUid} from ${operation.from}${'to' in operation ? ` to ${operation.to}` : ''}`;

const placementText = (viewset: Viewset | null): string => {
  if (!viewset) return 'nothing';
  const { slots, tray } = placementOf(viewset);
  const filled = Object.entries(slots).map(([place, uid]) => `${place}: ${uid ?? '-'}`);
  return `${filled.join(', ')}; tray: ${tray.join(' ') || '-'}`;
};

const facts = (snapshot: AnyMachineSnapshot) => {
  const context = snapshot.context as ViewsetContext;
  const { requestedId, confirmed, pending, selection, outdated, isDelayed, failure } = context;
  return {
    requestedId,
    outdated,
    isDelayed,
    failure,
    slot: selection.slot,
    trayImage: selection.trayImage,
    shown: placementText(shownOf(context)),
    confirmed: confirmed
      ? `${confirmed.viewSetUuid} version ${confirmed.version}: ${placementText(confirmed)}`
      : 'none',
    pending: pending.map(inWords),
  };
};

export const viewset = { machine: viewsetMachine, facts };

/** Slots 0 to 2; an image is mounted in the first, another is in the tray. */
export const first: Placement = { slots: { 0: 'a', 1: null, 2: null }, tray: ['b'] };
export const mounted: Placement = { slots: { 0: 'a', 1: 'b', 2: null }, tray: [] };
export const emptied: Placement = { slots: { 0: null, 1: null, 2: null }, tray: ['b', 'a'] };
export const moved: Placement = { slots: { 0: null, 1: null, 2: 'a' }, tray: ['b'] };
/** Image c came from another viewset. */
export const movedIn: Placement = { slots: { 0: 'a', 1: null, 2: 'c' }, tray: ['b'] };
/** As another user left it. */
export const removedElsewhere: Placement = { slots: { 0: null, 1: null, 2: null }, tray: [] };

export const opened = (viewsetId = 'v') => ({ type: 'viewset.opened', viewsetId });
export const closed = { type: 'viewset.closed' };
export const retried = { type: 'opening.retried' };
export const slotSelected = (itemIndex: number | null) => ({ type: 'slot.selected', itemIndex });
export const traySelected = (imageUid: string | null) => ({ type: 'tray.selected', imageUid });
export const mount = (imageUid: string, itemIndex: number) => ({ type: 'image.mounted', imageUid, itemIndex });
export const unmount = (itemIndex: number) => ({ type: 'image.unmounted', itemIndex });
export const reorder = (from: number, to: number | null) => ({ type: 'image.reordered', from, to });
export const moveIn = { type: 'image.moved-in', imageUid: 'c', viewsetId: 'w', from: 4, itemIndex: 2 };
export const restored = (...operations: readonly Operation[]) => ({ type: 'operations.restored', operations });
export const outdated = { type: 'viewset.outdated' };
export const back = { type: 'connection.restored' };

export const confirmed = (version: number, placement: Placement, id = 'v') =>
  done('openViewset', viewsetOf(id, version, placement));
export const reply = (port: 'mountImage' | 'unmountImage', version: number, placement: Placement) =>
  done(port, viewsetOf('v', version, placement));
export const replies = (...viewsets: readonly Viewset[]) => done('moveImage', viewsets);

export const unmountA: Operation = { kind: 'unmount', imageUid: 'a', from: 0 };
export const mountB: Operation = { kind: 'mount', imageUid: 'b', from: 'tray', to: 1, displaced: null };
export const moveA: Operation = { kind: 'move', imageUid: 'a', from: 0, to: 2, displaced: null };
export const moveCIn: Operation = {
  kind: 'move-in',
  imageUid: 'c',
  viewsetId: 'w',
  from: 4,
  to: 2,
  displaced: null,
};

export const open = (viewsetId = 'v') => ['openViewset', { viewsetId }] as const;
export const watch = (viewsetId = 'v') => ['watchViewset', { viewsetId }] as const;
export const call = (port: string, operation: Operation, version = 1) =>
  [port, { viewsetId: 'v', version, operation }] as const;
export const rejectedWith = (failure: object) => ({ type: 'operation.rejected', failure });

export const ready = [opened(), confirmed(1, first)];
export const mounting = [...ready, mount('b', 1)];
export const unmounting = [...ready, unmount(0)];
export const moving = [...ready, reorder(0, 2)];
export const refreshing = [...ready, outdated];
