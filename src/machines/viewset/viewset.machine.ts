import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { nothingSelected, operationOf } from './viewset.rules.ts';
import { changeOf, chart, conflict, replyOf, shownOf, toldVersion } from './viewset.setup.ts';

/**
 * The open viewset: what hangs where, shown at once and taken back when the archive refuses. One call at a time, each with the version of
 * the last reply. What is pending is sent before the viewset is left.
 */
export const viewsetMachine = chart.createMachine({
  id: 'viewset',
  context: {
    wanted: null,
    truth: null,
    pending: [],
    selection: nothingSelected,
    outdated: false,
    heardVersion: 0,
    late: false,
    failure: null,
  },
  initial: 'closed',
  on: {
    'viewset.opened': {
      guard: { type: 'otherViewset', params: ({ event }) => event.viewsetId },
      target: '.opening',
      actions: { type: 'want', params: ({ event }) => event.viewsetId },
    },
    'viewset.closed': { target: '.closed', actions: { type: 'want', params: null } },
  },
  states: {
    closed: { entry: 'forgetViewset' },
    opening: {
      entry: ['forgetViewset', { type: 'rememberFailure', params: null }],
      invoke: {
        id: 'openViewset',
        src: 'openViewset',
        input: ({ context }) => ({ viewsetId: context.wanted ?? '' }),
        onDone: { target: 'ready', actions: { type: 'takeTruth', params: ({ event }) => event.output } },
        onError: {
          target: 'failed',
          actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    failed: { entry: 'forgetViewset', on: { 'opening.retried': 'opening', 'connection.restored': 'opening' } },
    ready: {
      initial: 'settled',
      invoke: {
        id: 'watchViewset',
        src: 'watchViewset',
        input: ({ context }) => ({ viewsetId: context.truth?.viewSetUuid ?? '' }),
      },
      on: {
        'viewset.opened': {
          guard: { type: 'otherViewsetMustWait', params: ({ event }) => event.viewsetId },
          actions: { type: 'want', params: ({ event }) => event.viewsetId },
        },
        'viewset.closed': { guard: 'anyPending', actions: { type: 'want', params: null } },
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
        'news.heard': {
          actions: { type: 'hearVersion', params: ({ context, event }) => toldVersion(context, event.news) },
        },
        'viewset.outdated': { actions: 'rememberOutdated' },
        'connection.restored': { actions: 'rememberOutdated' },
      },
      states: {
        settled: {
          always: [
            { guard: 'mountNext', target: 'saving.mounting' },
            { guard: 'unmountNext', target: 'saving.unmounting' },
            { guard: 'moveNext', target: 'saving.moving' },
            { guard: 'noneWanted', target: '#viewset.closed' },
            { guard: 'anotherWanted', target: '#viewset.opening' },
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
                  actions: { type: 'takeReply', params: ({ event }) => event.output },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['takeBack', { type: 'tellRefused', params: ({ event }) => failureOf(event.error) }],
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
                  actions: { type: 'takeReply', params: ({ event }) => event.output },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['takeBack', { type: 'tellRefused', params: ({ event }) => failureOf(event.error) }],
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
                  actions: { type: 'takeReply', params: ({ context, event }) => replyOf(context, event.output) },
                },
                onError: [
                  {
                    guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) },
                    target: '#viewset.ready.delayed',
                  },
                  {
                    target: '#viewset.ready.settled',
                    actions: ['takeBack', { type: 'tellRefused', params: ({ event }) => failureOf(event.error) }],
                  },
                ],
              },
              initial: 'brief',
              states: { brief: { after: { loadingDelay: 'long' } }, long: {} },
            },
          },
        },
        refreshing: {
          entry: 'listenAnew',
          invoke: {
            id: 'openViewset',
            src: 'openViewset',
            input: ({ context }) => ({ viewsetId: context.truth?.viewSetUuid ?? '' }),
            onDone: [
              {
                guard: { type: 'firstDone', params: ({ event }) => event.output },
                target: 'settled',
                actions: [{ type: 'takeTruth', params: ({ event }) => event.output }, 'dropFirst'],
              },
              {
                guard: { type: 'pendingImpossible', params: ({ event }) => event.output },
                target: 'settled',
                actions: [
                  { type: 'takeTruth', params: ({ event }) => event.output },
                  'dropPending',
                  { type: 'tellRefused', params: conflict },
                ],
              },
              { target: 'settled', actions: { type: 'takeTruth', params: ({ event }) => event.output } },
            ],
            onError: [
              { guard: { type: 'mustWait', params: ({ event }) => failureOf(event.error) }, target: 'delayed' },
              {
                guard: 'anyPending',
                target: 'settled',
                actions: ['takeBack', { type: 'tellRefused', params: ({ event }) => failureOf(event.error) }],
              },
              {
                guard: { type: 'gone', params: ({ event }) => failureOf(event.error) },
                target: '#viewset.failed',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
              { target: 'stale', actions: 'rememberOutdated' },
            ],
          },
        },
        /** The archive does not answer. Nothing is taken back: it is asked what it has done, then all that is pending is sent again. */
        delayed: {
          entry: 'rememberLate',
          after: { retryDelay: 'refreshing' },
          on: { 'connection.restored': 'refreshing', 'opening.retried': 'refreshing' },
        },
        /** The truth could not be fetched again; what is shown may be old. The version of a call keeps it harmless. */
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

/** What hangs where as the person left it: the archive's last word with all that is pending. The same object until it changes. */
export const selectShownViewset = ({ context }: ViewsetSnapshot): Viewset | null => shownOf(context);
export const selectIsOpening = (snapshot: ViewsetSnapshot): boolean =>
  snapshot.matches('opening') ||
  (snapshot.context.wanted !== null && shownOf(snapshot.context) === null && !snapshot.matches('failed'));
export const selectOpeningFailure = (snapshot: ViewsetSnapshot): Failure | null =>
  snapshot.matches('failed') ? snapshot.context.failure : null;
/** By `itemIndex`. */
export const selectSelectedSlot = ({ context }: ViewsetSnapshot): number | null => context.selection.slot;
/** The uid of an image that lies in the tray. */
export const selectSelectedTrayImage = ({ context }: ViewsetSnapshot): string | null =>
  shownOf(context)?.detachedImages.find(({ uid }) => uid === context.selection.trayImage)?.uid ?? null;
export const selectIsSaving = (snapshot: ViewsetSnapshot): boolean => snapshot.context.pending.length > 0;
/** The archive does not answer: changes wait here until it does. */
export const selectIsSaveDelayed = ({ context }: ViewsetSnapshot): boolean =>
  context.late && context.pending.length > 0;
/** A reorder takes longer than a person should be left without a word. */
export const selectShowsLoading = (snapshot: ViewsetSnapshot): boolean =>
  snapshot.matches({ ready: { saving: { moving: 'long' } } }) ||
  snapshot.matches({ ready: { saving: { unmounting: 'long' } } });
/** The archive's last word could not be fetched: what is shown may be old. */
export const selectIsStale = (snapshot: ViewsetSnapshot): boolean => snapshot.matches({ ready: 'stale' });
