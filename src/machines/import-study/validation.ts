import { checking, listening } from './following.ts';
import { chart } from './import-study.setup.ts';

/** Waits for decisions about the studies found. They are sent together; decisions about one study in sequence. */
export const validation = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'validation' },
  initial: 'waiting',
  always: [
    { guard: 'nothingImportable', target: '#import-study.failed' },
    { guard: 'noDecisionNeeded', target: '#import-study.importing' },
  ],
  on: {
    'study.decided': {
      guard: { type: 'knownStudy', params: ({ event }) => event.key },
      actions: { type: 'decide', params: ({ event: { key, decision } }) => ({ key, decision }) },
    },
    'import.confirmed': { guard: 'canConfirm', target: '#import-study.importing', actions: 'confirm' },
    'import.retried': { guard: 'anyTemporary', target: '#import-study.retrying' },
  },
  states: {
    waiting: {
      always: { guard: 'anyDecided', target: 'deciding' },
      on: {
        'connection.restored': 'checking',
        // Another user works on the same import.
        'progress.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: 'checking' },
        'outcome.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: 'checking' },
      },
    },
    deciding: {
      entry: 'sendDecisions',
      exit: 'clearDeciding',
      invoke: {
        id: 'decideStudies',
        src: 'decideStudies',
        input: ({ context }) => ({ taskId: context.taskId ?? '', decisions: context.deciding }),
        onDone: [
          {
            guard: { type: 'anyRejected', params: ({ event }) => event.output },
            target: 'checking',
            actions: { type: 'setOutcomes', params: ({ event }) => event.output },
          },
          { target: 'waiting', actions: { type: 'setOutcomes', params: ({ event }) => event.output } },
        ],
        onError: 'checking',
      },
    },
    listening: { ...listening, always: { guard: 'anyDecided', target: 'deciding' } },
    checking,
  },
});
