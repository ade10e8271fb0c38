import { assign } from 'xstate';
import { failureOf, waitReasonOf } from '../../services/failure.ts';
import { chart, waitingFilesOf } from './import-study.setup.ts';

/** Uploads the files. A lost connection is waited for; only a rejection of the whole import ends the upload. */
export const uploading = chart.createStateConfig({
  entry: { type: 'enterStep', params: 'uploading' },
  initial: 'routing',
  on: {
    'upload.paused': { target: '.paused', actions: 'pause' },
    'files.added': {
      guard: { type: 'wereLost', params: ({ event }) => event.files },
      target: '.routing',
      actions: { type: 'addFiles', params: ({ event }) => event.files },
    },
  },
  states: {
    routing: {
      always: [
        { guard: 'paused', target: 'paused' },
        { guard: 'notCreated', target: 'beginning' },
        { guard: 'anyWaiting', target: 'sending' },
        { guard: 'anyLost', target: 'missingFiles' },
        { guard: 'anyArrived', target: 'complete' },
        { target: '#import-study.failed' },
      ],
    },
    beginning: {
      invoke: {
        id: 'beginImport',
        src: 'beginImport',
        input: ({ context: { id, isIdUsed, patientId, customerId, kind, name, upload } }) => ({
          id: isIdUsed ? null : id,
          patientId,
          customerId,
          kind,
          name,
          totalFilesCount: upload.files.length,
        }),
        onDone: { target: 'routing', actions: assign({ taskId: ({ event }) => event.output.id }) },
        onError: [
          {
            guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) },
            target: 'unreachable',
            actions: {
              type: 'setWaitReason',
              params: ({ event }) => waitReasonOf(failureOf(event.error)) ?? 'connection',
            },
          },
          {
            target: '#import-study.failed',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
    },
    unreachable: { after: { retryDelay: 'routing' }, on: { 'connection.restored': 'routing' } },
    sending: {
      exit: assign({ bytesPerSecond: null }),
      invoke: {
        id: 'uploadFiles',
        src: 'uploadFiles',
        input: ({ context }) => ({
          id: context.id,
          taskId: context.taskId ?? '',
          kind: context.kind,
          files: waitingFilesOf(context),
        }),
      },
      on: {
        'upload.waited': {
          target: '.waiting',
          actions: { type: 'setWaitReason', params: ({ event }) => event.reason },
        },
        'upload.progressed': { actions: { type: 'changeFiles', params: ({ event }) => event } },
        'upload.finished': { target: 'routing', actions: assign({ aws: ({ event }) => event.aws }) },
        'upload.broken': [
          {
            guard: { type: 'offline', params: ({ event }) => event.failure },
            target: 'unreachable',
            actions: { type: 'setWaitReason', params: 'connection' },
          },
          {
            target: '#import-study.failed',
            actions: { type: 'setFailure', params: ({ event }) => event.failure },
          },
        ],
      },
      initial: 'running',
      states: {
        running: {},
        waiting: { on: { 'upload.continued': 'running' } },
      },
    },
    paused: {
      on: { 'upload.paused': {}, 'upload.resumed': { target: 'routing', actions: 'resume' } },
    },
    /** Files are lost: the user chooses them again or continues without them. */
    missingFiles: {
      on: { 'upload.paused': {}, 'import.resumed': { guard: 'anyArrived', target: 'complete' } },
    },
    complete: {
      always: [{ guard: 'folder', target: '#import-study.parsing.requesting' }, { target: '#import-study.preparing' }],
    },
  },
});
