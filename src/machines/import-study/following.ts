import { raise } from 'xstate';
import { failureOf } from '../../services/failure.ts';
import { chart, parseInputOf } from './import-study.setup.ts';

/** News can be lost: after a silence, and when the connection is back, the archive is asked how the import stands. */
export const listening = chart.createStateConfig({
  after: { quietDelay: 'checking' },
  on: { 'connection.restored': 'checking' },
});

export const checking = chart.createStateConfig({
  invoke: {
    id: 'fetchImport',
    src: 'fetchImport',
    input: ({ context }) => ({ taskId: context.taskId ?? '' }),
    onDone: { actions: raise(({ event }) => ({ type: 'truth.learned', task: event.output })) },
    onError: [
      { guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) }, target: 'listening' },
      {
        target: '#import-study.failed',
        actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
      },
    ],
  },
});

/** The archive is asked to read what it has. When no answer comes it may have heard all the same: it is asked how things stand. */
export const askingToParse = chart.createStateConfig({
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
        actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
      },
    ],
  },
});

export const preparing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'preparing' },
  exit: 'forgetPercent',
  initial: 'asking',
  on: {
    'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.listening' },
    'progress.reported': [
      {
        guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'preparing' }) },
        target: '.listening',
        actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
      },
      {
        guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
        target: '#import-study.parsing',
        actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
      },
    ],
    'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
  },
  states: { asking: askingToParse, listening, checking },
});

export const parsing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'parsing' },
  exit: 'forgetPercent',
  initial: 'listening',
  on: {
    'progress.reported': {
      guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
      target: '.listening',
      actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
    },
    'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
  },
  states: { asking: askingToParse, listening, checking },
});

export const importing = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'importing' },
  exit: 'forgetPercent',
  initial: 'asking',
  on: {
    // Too late: what was confirmed is imported.
    'import.cancelled': {},
    'progress.reported': {
      guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'importing' }) },
      target: '.listening',
      actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
    },
    'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
  },
  states: {
    asking: {
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
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
    },
    listening,
    checking,
  },
});
