import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { nothingSelected, operationOf } from './viewset.rules.ts';
import { changeOf, chart, conflict, replyOf, shownOf } from './viewset.setup.ts';

/**
 * The open viewset. Changes of placement are shown at once and rolled back if the archive rejects them. One call at a time, with the
 * version of the last reply. Pending operations are sent before another viewset opens.
 */
export const viewsetMachine = chart.createMachine({
  id: 'viewset',
  context: {
    requestedId: null,
    confirmed: null,
    pending: [],
    selection: nothingSelected,
    outdated: false,
    isDelayed: false,
    failure: null,
  },
  initial: 'closed',
  on: {
    'viewset.opened': {
      guard: { type: 'otherViewset', params: ({ event }) => event.viewsetId },
      target: '.opening',
      actions: { type: 'requestViewset', params: ({ event }) => event.viewsetId },
    },
    'viewset.closed': { target: '.closed', actions: { type: 'requestViewset', params: null } },
  },
  states: {
    closed: { entry: 'clearViewset' },
    opening: {
      entry: ['clearViewset', { type: 'setFailure', params: null }],
      invoke: {
        id: 'openViewset',
        src: 'openViewset',
        input: ({ context }) => ({ viewsetId: context.requestedId ?? '' }),
        onDone: { target: 'ready', actions: { type: 'confirmViewset', params: ({ event }) => event.output } },
        onError: {
          target: 'failed',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    failed: { entry: 'clearViewset', on: { 'opening.retried': 'opening', 'connection.restored': 'opening' } },
    ready: {
      initial: 'settled',
      invoke: {
        id: 'watchViewset',
        src: 'watchViewset',
        input: ({ context }) => ({ viewsetId: context.confirmed?.viewSetUuid ?? '' }),
      },
      on: {
        'viewset.opened': {
          guard: { type: 'otherViewsetMustWait', params: ({ event }) => event.viewsetId },
          actions: { type: 'requestViewset', params: ({ event }) => event.viewsetId },
        },
        'viewset.closed': { guard: 'anyPending', actions: { type: 'requestViewset', params: null } },
        'slot.selected': { actions: { type: 'select', params: ({ event }) => ({ slot: event.itemIndex }) } },
        'tray.selected': { actions: { type: 'select', params: ({ event }) => ({ trayImage: event.imageUid }) } },
        'image.*': {
          guard: { type: 'possible', params: ({ context, event }) => operationOf(shownOf(context), event) },
          actions: { type: 'queue', params: ({ context, event }) => operationOf(shownOf(context), event) },
        },
        'operations.restored': {
          guard: { type: 'allPossible', params: ({ event }) => event.operations },
          actions: { type: 'queueAll', params: ({ event }) => event.operations },
        },
        'viewset.outdated': { actions: 'setOutdated' },
        'connection.restored': { actions: 'setOutdated' },
      },
      states: {
        settled: {
          always: [
            { guard: 'mountNext', target: 'saving.mounting' },
            { guard: 'unmountNext', target: 'saving.unmounting' },
            { guard: 'moveNext', target: 'saving.moving' },
            { guard: 'noneRequested', target: '#viewset.closed' },
            { guard: 'otherRequested', target: '#viewset.opening' },
            { guard: 'outdated', target: 'refreshing' },
          ],
        },
        saving: {
          initial: 'mounting',
          states: {
            mounting: {
              invoke: {
                id: 'mountImage',
                src: 'mountImage',
                input: ({ context }) => changeOf(context),
                onDone: {
                  target: '#viewset.ready.settled',
                  actions: { type: 'applyReply', params: ({ event }) => event.output },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['rollBack', { type: 'emitRejected', params: ({ event }) => failureOf(event.error) }],
                  },
                ],
              },
            },
            unmounting: {
              invoke: {
                id: 'unmountImage',
                src: 'unmountImage',
                input: ({ context }) => changeOf(context),
                onDone: {
                  target: '#viewset.ready.settled',
                  actions: { type: 'applyReply', params: ({ event }) => event.output },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['rollBack', { type: 'emitRejected', params: ({ event }) => failureOf(event.error) }],
                  },
                ],
              },
              initial: 'brief',
              states: { brief: { after: { loadingDelay: 'long' } }, long: {} },
            },
            moving: {
              invoke: {
                id: 'moveImage',
                src: 'moveImage',
                input: ({ context }) => changeOf(context),
                onDone: {
                  target: '#viewset.ready.settled',
                  actions: { type: 'applyReply', params: ({ context, event }) => replyOf(context, event.output) },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['rollBack', { type: 'emitRejected', params: ({ event }) => failureOf(event.error) }],
                  },
                ],
              },
              initial: 'brief',
              states: { brief: { after: { loadingDelay: 'long' } }, long: {} },
            },
          },
        },
        refreshing: {
          entry: 'resetOutdated',
          invoke: {
            id: 'openViewset',
            src: 'openViewset',
            input: ({ context }) => ({ viewsetId: context.confirmed?.viewSetUuid ?? '' }),
            onDone: [
              {
                guard: { type: 'firstDone', params: ({ event }) => event.output },
                target: 'settled',
                actions: [{ type: 'confirmViewset', params: ({ event }) => event.output }, 'dropFirst'],
              },
              {
                guard: { type: 'pendingImpossible', params: ({ event }) => event.output },
                target: 'settled',
                actions: [
                  { type: 'confirmViewset', params: ({ event }) => event.output },
                  'dropPending',
                  { type: 'emitRejected', params: conflict },
                ],
              },
              { target: 'settled', actions: { type: 'confirmViewset', params: ({ event }) => event.output } },
            ],
            onError: [
              { guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) }, target: 'delayed' },
              {
                guard: 'anyPending',
                target: 'settled',
                actions: ['rollBack', { type: 'emitRejected', params: ({ event }) => failureOf(event.error) }],
              },
              {
                guard: { type: 'gone', params: ({ event }) => failureOf(event.error) },
                target: '#viewset.failed',
                actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              },
              { target: 'stale', actions: 'setOutdated' },
            ],
          },
        },
        /** The archive does not answer. The viewset is fetched to see what was done, then pending operations are sent again. */
        delayed: {
          entry: 'setDelayed',
          after: { retryDelay: 'refreshing' },
          on: { 'connection.restored': 'refreshing', 'opening.retried': 'refreshing' },
        },
        /** The viewset could not be refreshed and may be outdated. The version in each call prevents conflicts. */
        stale: {
          always: { guard: 'anyPending', target: 'settled' },
          after: { retryDelay: 'refreshing' },
          on: {
            'connection.restored': 'refreshing',
            'viewset.outdated': 'refreshing',
            'opening.retried': 'refreshing',
          },
        },
      },
    },
  },
});

export type ViewsetActor = ActorRefFrom<typeof viewsetMachine>;
type ViewsetSnapshot = SnapshotFrom<typeof viewsetMachine>;

/** Returns the viewset with pending operations applied; the same object until it changes. */
export const selectShownViewset = ({ context }: ViewsetSnapshot): Viewset | null => shownOf(context);
export const selectIsOpening = (snapshot: ViewsetSnapshot): boolean =>
  snapshot.matches('opening') ||
  (snapshot.context.requestedId !== null && shownOf(snapshot.context) === null && !snapshot.matches('failed'));
export const selectOpeningFailure = (snapshot: ViewsetSnapshot): Failure | null =>
  snapshot.matches('failed') ? snapshot.context.failure : null;
/** Returns the `itemIndex` of the selected slot. */
export const selectSelectedSlot = ({ context }: ViewsetSnapshot): number | null => context.selection.slot;
/** Returns the uid of the selected image of the tray. */
export const selectSelectedTrayImage = ({ context }: ViewsetSnapshot): string | null =>
  shownOf(context)?.detachedImages.find(({ uid }) => uid === context.selection.trayImage)?.uid ?? null;
export const selectIsSaving = (snapshot: ViewsetSnapshot): boolean => snapshot.context.pending.length > 0;
/** Returns whether changes wait because the archive does not answer. */
export const selectIsSaveDelayed = ({ context }: ViewsetSnapshot): boolean =>
  context.isDelayed && context.pending.length > 0;
/** Returns whether a reorder takes long enough for a loading indicator. */
export const selectShowsLoading = (snapshot: ViewsetSnapshot): boolean =>
  snapshot.matches({ ready: { saving: { moving: 'long' } } }) ||
  snapshot.matches({ ready: { saving: { unmounting: 'long' } } });
/** Returns whether the refresh failed, so that the viewset may be outdated. */
export const selectIsStale = (snapshot: ViewsetSnapshot): boolean => snapshot.matches({ ready: 'stale' });
