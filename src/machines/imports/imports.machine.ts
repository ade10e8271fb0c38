import { type ActorRefFrom, assign, emit, enqueueActions, raise, type SnapshotFrom, setup, stopChild } from 'xstate';
import type { HubEvent } from '../../../contract/hub.ts';
import { type ImportInput, importStudyMachine } from '../import-study/import-study.machine.ts';
import { type Report, reportOf } from '../import-study/import-study.rules.ts';
import { port } from '../port.ts';
import {
  type ChosenGroup,
  type FoundImport,
  freshGroups,
  isKnown,
  isSettled,
  isUnderWay,
  type StoredImport,
  type TrayImport,
  without,
} from './imports.rules.ts';

export type ImportsEvent =
  | {
      type: 'imports.chosen';
      patientId: string | null;
      customerId: string;
      groups: readonly ChosenGroup[];
    }
  /** An import found in the archive, started elsewhere or earlier. */
  | ({ type: 'import.found' } & FoundImport)
  /** Raised by the machine: imports of an earlier session of the same user in this browser. */
  | { type: 'tray.restored'; imports: readonly StoredImport[] }
  | { type: 'import.removed'; id: string }
  | { type: 'settled.cleared' }
  | { type: 'hub-event.received'; hubEvent: HubEvent }
  | { type: 'connection.restored' };

/** Emitted when chosen files have become imports. */
export interface ImportsEmitted {
  type: 'imports.started';
  patientId: string | null;
  customerId: string;
  groups: readonly ChosenGroup[];
}

interface ImportsContext {
  imports: readonly TrayImport[];
  /** Found before the browser's stored imports were read. */
  found: readonly FoundImport[];
}

/** The tray of imports that run in parallel. */
export const importsMachine = setup({
  types: { context: {} as ImportsContext, events: {} as ImportsEvent, emitted: {} as ImportsEmitted },
  actors: { importStudy: importStudyMachine, restoreTray: port<readonly StoredImport[], void>('restoreTray') },
  guards: {
    anyFresh: ({ context }, groups: readonly ChosenGroup[]) => freshGroups(context.imports, groups).length > 0,
    unknown: ({ context }, taskId: string) =>
      !isKnown(context.imports, taskId) && !context.found.some((one) => one.taskId === taskId),
    inTray: ({ context }, id: string) => context.imports.some((one) => one.id === id),
    anySettled: ({ context }) => context.imports.some(isSettled),
    aboutImport: (_, hubEvent: HubEvent) => reportOf(hubEvent) !== null,
  },
  actions: {
    /** Skips imports that are already in the tray. */
    startImports: assign(({ context, spawn }, inputs: readonly ImportInput[]) => {
      let { imports } = context;
      for (const input of inputs) {
        const { id, patientId, customerId, kind, name, taskId } = input;
        if (imports.some((one) => one.id === id) || (taskId !== null && isKnown(imports, taskId))) continue;
        const actor = spawn('importStudy', { id, input });
        imports = [{ id, patientId, customerId, kind, name, taskId, actor }, ...imports];
      }
      return { imports };
    }),
    emitStarted: emit(
      (_, started: Omit<ImportsEmitted, 'type'>): ImportsEmitted => ({ type: 'imports.started', ...started }),
    ),
    addFound: assign({ found: ({ context }, one: FoundImport) => [...context.found, one] }),
    clearFound: assign({ found: [] }),
    stopImport: stopChild((_, id: string) => id),
    removeImport: assign({ imports: ({ context }, id: string) => without(context.imports, id) }),
    clearSettled: enqueueActions(({ context, enqueue }) => {
      for (const { id } of context.imports.filter(isSettled)) enqueue.stopChild(id);
      enqueue.assign({ imports: context.imports.filter((one) => !isSettled(one)) });
    }),
    report: enqueueActions(({ context, enqueue }, report: Report | { type: 'connection.restored' } | null) => {
      if (report) for (const { actor } of context.imports.filter(isUnderWay)) enqueue.sendTo(actor, report);
    }),
  },
  delays: { restoreTimeout: 5_000 },
}).createMachine({
  id: 'imports',
  context: { imports: [], found: [] },
  initial: 'restoring',
  on: {
    'imports.chosen': {
      guard: { type: 'anyFresh', params: ({ event }) => event.groups },
      actions: [
        {
          type: 'emitStarted',
          params: ({ context, event: { patientId, customerId, groups } }) => ({
            patientId,
            customerId,
            groups: freshGroups(context.imports, groups),
          }),
        },
        {
          type: 'startImports',
          params: ({ context, event: { patientId, customerId, groups } }) =>
            freshGroups(context.imports, groups).map((group) => ({ ...group, patientId, customerId, taskId: null })),
        },
      ],
    },
    'import.removed': {
      guard: { type: 'inTray', params: ({ event }) => event.id },
      actions: [
        { type: 'stopImport', params: ({ event }) => event.id },
        { type: 'removeImport', params: ({ event }) => event.id },
      ],
    },
    'settled.cleared': { guard: 'anySettled', actions: 'clearSettled' },
    'hub-event.received': {
      guard: { type: 'aboutImport', params: ({ event }) => event.hubEvent },
      actions: { type: 'report', params: ({ event }) => reportOf(event.hubEvent) },
    },
    'connection.restored': { actions: { type: 'report', params: { type: 'connection.restored' } } },
  },
  states: {
    restoring: {
      invoke: {
        id: 'restoreTray',
        src: 'restoreTray',
        onDone: { actions: raise(({ event }) => ({ type: 'tray.restored', imports: event.output })) },
        onError: 'open',
      },
      // IndexedDB may not answer at all.
      after: { restoreTimeout: 'open' },
      on: {
        'tray.restored': {
          target: 'open',
          actions: { type: 'startImports', params: ({ event }) => event.imports.toReversed() },
        },
        // Its files may be stored in this browser: wait until they are restored.
        'import.found': {
          guard: { type: 'unknown', params: ({ event }) => event.taskId },
          actions: { type: 'addFound', params: ({ event }) => event },
        },
      },
    },
    open: {
      entry: [
        {
          type: 'startImports',
          params: ({ context }) => context.found.map((one) => ({ ...one, id: one.taskId, files: [] })),
        },
        'clearFound',
      ],
      on: {
        'import.found': {
          guard: { type: 'unknown', params: ({ event }) => event.taskId },
          actions: { type: 'startImports', params: ({ event }) => [{ ...event, id: event.taskId, files: [] }] },
        },
      },
    },
  },
});

export type ImportsActor = ActorRefFrom<typeof importsMachine>;
type ImportsSnapshot = SnapshotFrom<typeof importsMachine>;

/** Returns the imports, newest first, each with its actor. */
export const selectImports = (snapshot: ImportsSnapshot): readonly TrayImport[] => snapshot.context.imports;
export const selectImportCount = (snapshot: ImportsSnapshot): number => snapshot.context.imports.length;
