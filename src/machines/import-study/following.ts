import { raise } from 'xstate';
import { failureOf } from '../../services/failure.ts';
import { chart, parseInputOf } from './import-study.setup.ts';

/** Hub events can be lost: the import is fetched after a silence and after a reconnect. */
export const listening = chart.createStateConfig({
  after: { quietDelay: 'checking' },
  on: { 'connection.restored': 'checking' },
});

export const checking = chart.createStateConfig({
  invoke: {
    id: 'fetchImport',
    src: 'fetchImport',
    input: ({ context }) => ({ taskId: context.taskId ?? '' }),
    onDone: { actions: raise(({ event }) => ({ type: 'task.fetched', task: event.output })) },
    onError: [
      { guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) }, target: 'listening' },
      {
        target: '#import-study.failed',
        actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
      },
    ],
  },
});

/** Requests parsing. When no answer comes, the request may have arrived: the import is fetched to find out. */
export const requestingParse = chart.createStateConfig({
  invoke: {
    id: 'parseImport',
    src: 'parseImport',
    input: ({ context }) => parseInputOf(context),
    onDone: 'listening',
    onError: [
      { guard: { type: 'alreadyPast', params: ({ event }) => failureOf(event.error) }, target: 'checking' },
      { guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) }, target: 'listening' },
      {
        target: '#import-study.failed',
        actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
      },
    ],
  },
});

export const preparing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'preparing' },
  exit: 'clearPercent',
  initial: 'requesting',
  on: {
    'preparing.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: '.listening' },
    'progress.reported': [
      {
        guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'preparing' }) },
        target: '.listening',
        actions: { type: 'setPercent', params: ({ event }) => event.percent },
      },
      {
        guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
        target: '#import-study.parsing',
        actions: { type: 'setPercent', params: ({ event }) => event.percent },
      },
    ],
    'outcome.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: '.checking' },
  },
  states: { requesting: requestingParse, listening, checking },
});

export const parsing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'parsing' },
  exit: 'clearPercent',
  initial: 'listening',
  on: {
    'progress.reported': {
      guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
      target: '.listening',
      actions: { type: 'setPercent', params: ({ event }) => event.percent },
    },
    'outcome.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: '.checking' },
  },
  states: { requesting: requestingParse, listening, checking },
});

export const importing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'importing' },
  exit: 'clearPercent',
  initial: 'requesting',
  on: {
    // A confirmed import can no longer be cancelled.
    'import.cancelled': {},
    'progress.reported': {
      guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'importing' }) },
      target: '.listening',
      actions: { type: 'setPercent', params: ({ event }) => event.percent },
    },
    'outcome.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: '.checking' },
  },
  states: {
    requesting: {
      invoke: {
        id: 'confirmImport',
        src: 'confirmImport',
        input: ({ context: { taskId, kind } }) => ({ taskId: taskId ?? '', kind }),
        onDone: 'listening',
        onError: [
          { guard: { type: 'alreadyPast', params: ({ event }) => failureOf(event.error) }, target: 'checking' },
          { guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) }, target: 'listening' },
          {
            target: '#import-study.failed',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
    },
    listening,
    checking,
  },
});
