import { type ActorRefFrom, assign, enqueueActions, type SnapshotFrom, setup, stopChild } from 'xstate';
import type { HubEvent } from '../../../contract/hub.ts';
import { importStudyMachine } from '../import-study/import-study.machine.ts';
import { type ChosenFile, type Report, reportOf } from '../import-study/import-study.rules.ts';
import { idOfImport, isKnown, isSettled, isUnderWay, type TrayImport, without } from './imports.rules.ts';

export type ImportsEvent =
  | { type: 'files.chosen'; patientId: string; files: readonly ChosenFile[] }
  /** An import that an earlier session left in the archive. */
  | { type: 'import.found'; patientId: string; taskId: string }
  | { type: 'import.removed'; id: string }
  | { type: 'settled.cleared' }
  | { type: 'news.heard'; news: HubEvent }
  | { type: 'connection.restored' };

interface ImportsContext {
  imports: readonly TrayImport[];
  /** Imports ever put into the tray; the next one's number. */
  count: number;
}

/** The tray of imports that run side by side. */
export const importsMachine = setup({
  types: { context: {} as ImportsContext, events: {} as ImportsEvent },
  actors: { importStudy: importStudyMachine },
  guards: {
    anyFiles: (_, files: readonly ChosenFile[]) => files.length > 0,
    unknown: ({ context }, taskId: string) => !isKnown(context.imports, taskId),
    inTray: ({ context }, id: string) => context.imports.some((one) => one.id === id),
    anySettled: ({ context }) => context.imports.some(isSettled),
    aboutImport: (_, news: HubEvent) => reportOf(news) !== null,
  },
  actions: {
    startImport: assign(
      (
        { context, spawn },
        { patientId, files, taskId }: { patientId: string; files: readonly ChosenFile[]; taskId: string | null },
      ) => {
        const id = idOfImport(context.count + 1);
        const actor = spawn('importStudy', { id, input: { patientId, files, taskId } });
        return { imports: [{ id, patientId, taskId, actor }, ...context.imports], count: context.count + 1 };
      },
    ),
    stopImport: stopChild((_, id: string) => id),
    forgetImport: assign({ imports: ({ context }, id: string) => without(context.imports, id) }),
    clearSettled: enqueueActions(({ context, enqueue }) => {
      for (const one of context.imports.filter(isSettled)) enqueue.stopChild(one.actor);
      enqueue.assign({ imports: context.imports.filter((one) => !isSettled(one)) });
    }),
    report: enqueueActions(({ context, enqueue }, report: Report | { type: 'connection.restored' } | null) => {
      if (report) for (const { actor } of context.imports.filter(isUnderWay)) enqueue.sendTo(actor, report);
    }),
  },
}).createMachine({
  id: 'imports',
  context: { imports: [], count: 0 },
  on: {
    'files.chosen': {
      guard: { type: 'anyFiles', params: ({ event }) => event.files },
      actions: {
        type: 'startImport',
        params: ({ event }) => ({ patientId: event.patientId, files: event.files, taskId: null }),
      },
    },
    'import.found': {
      guard: { type: 'unknown', params: ({ event }) => event.taskId },
      actions: {
        type: 'startImport',
        params: ({ event }) => ({ patientId: event.patientId, files: [], taskId: event.taskId }),
      },
    },
    'import.removed': {
      guard: { type: 'inTray', params: ({ event }) => event.id },
      actions: [
        { type: 'stopImport', params: ({ event }) => event.id },
        { type: 'forgetImport', params: ({ event }) => event.id },
      ],
    },
    'settled.cleared': { guard: 'anySettled', actions: 'clearSettled' },
    'news.heard': {
      guard: { type: 'aboutImport', params: ({ event }) => event.news },
      actions: { type: 'report', params: ({ event }) => reportOf(event.news) },
    },
    'connection.restored': { actions: { type: 'report', params: { type: 'connection.restored' } } },
  },
});

export type ImportsActor = ActorRefFrom<typeof importsMachine>;
type ImportsSnapshot = SnapshotFrom<typeof importsMachine>;

/** Newest first; each with its own actor. */
export const selectImports = (snapshot: ImportsSnapshot): readonly TrayImport[] => snapshot.context.imports;
export const selectImportCount = (snapshot: ImportsSnapshot): number => snapshot.context.imports.length;
