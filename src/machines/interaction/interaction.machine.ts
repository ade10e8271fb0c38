import { type ActorRefFrom, assertEvent, type SnapshotFrom } from 'xstate';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import type { SecondFactorKind } from '../../../contract/passkey-messages.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { chart } from './interaction.setup.ts';

export type { InteractionEvent } from './interaction.setup.ts';

/** Signs a user in for one authorization request: loads it, identifies the user, and redirects the browser. */
export const interactionMachine = chart.createMachine({
  id: 'interaction',
  context: ({ input: { uid } }) => ({ uid, clientName: null, method: null, outcome: null, sms: null, failure: null }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadDetails',
        src: 'loadDetails',
        input: ({ context: { uid } }) => ({ uid }),
        onDone: { target: 'ready', actions: { type: 'setDetails', params: ({ event }) => event.output } },
        onError: {
          target: 'unreachable',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    unreachable: {
      always: { guard: 'expired', target: 'expired' },
      after: { retryDelay: 'loading' },
      on: { 'details.retried': 'loading' },
    },
    ready: {
      always: [
        { guard: 'expired', target: 'expired' },
        { guard: 'finished', target: 'finished' },
      ],
      // Leaving a step discards a reply that is on its way.
      on: {
        'code.dismissed': { guard: 'awaitsSmsCode', target: '.idle', actions: 'clearIdentification' },
        'method.changed': [
          {
            guard: 'choosesMethod',
            target: '.idle',
            actions: [
              'clearIdentification',
              { type: 'requestNavigation', params: ({ context }) => `/authorization?interaction=${context.uid}` },
            ],
          },
          { target: 'aborting' },
        ],
        'path.entered': { target: '.idle', actions: 'clearIdentification' },
      },
      initial: 'idle',
      states: {
        idle: {
          on: {
            'identification.requested': {
              guard: { type: 'isExpected', params: ({ event }) => event.identification },
              target: 'identifying',
            },
            'sms.requested': { guard: 'isUnidentified', target: 'requestingSms' },
            'user.identified': {
              guard: 'isUnidentified',
              actions: { type: 'setOutcome', params: ({ event }) => event.outcome },
            },
            'identification.failed': {
              guard: 'isUnidentified',
              actions: { type: 'setFailure', params: ({ event }) => event.failure },
            },
          },
        },
        identifying: {
          entry: 'clearFailure',
          invoke: {
            id: 'identify',
            src: 'identify',
            input: ({ context: { uid }, event }) => {
              assertEvent(event, 'identification.requested');
              return { uid, identification: event.identification };
            },
            onDone: { target: 'idle', actions: { type: 'setOutcome', params: ({ event }) => event.output } },
            onError: {
              target: 'idle',
              actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
            },
          },
        },
        requestingSms: {
          entry: 'clearFailure',
          invoke: {
            id: 'requestSms',
            src: 'requestSms',
            input: ({ context: { uid }, event }) => {
              assertEvent(event, 'sms.requested');
              return { uid, email: event.email, language: event.language };
            },
            onDone: { target: 'idle', actions: { type: 'setSms', params: ({ event }) => event.output } },
            onError: {
              target: 'idle',
              actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
            },
          },
        },
      },
    },
    /** The client requested this method: another one means to return to the client. The page stays until it unloads. */
    aborting: {
      invoke: {
        id: 'abort',
        src: 'abort',
        input: ({ context: { uid } }) => ({ uid }),
        onDone: {
          target: 'ready',
          actions: { type: 'requestRedirect', params: ({ event }) => event.output.redirectTo },
        },
        onError: { target: 'ready', actions: { type: 'requestNavigation', params: '/authorization' } },
      },
    },
    finished: {
      type: 'final',
      entry: {
        type: 'requestRedirect',
        params: ({ context: { outcome } }) => (outcome?.outcome === 'finished' ? outcome.redirectTo : ''),
      },
    },
    expired: { type: 'final' },
  },
});

export type AccountChoice = Extract<InteractionOutcome, { outcome: 'choose-account' }>['accounts'][number];
const noAccounts: readonly AccountChoice[] = [];
const noFactors: readonly SecondFactorKind[] = [];

export type InteractionActor = ActorRefFrom<typeof interactionMachine>;
type InteractionSnapshot = SnapshotFrom<typeof interactionMachine>;

/** Returns what the page shows. `method`: the user is not identified yet. */
export const selectInteractionStep = (snapshot: InteractionSnapshot) => {
  const { outcome, failure } = snapshot.context;
  if (snapshot.matches('expired')) return 'expired';
  if (snapshot.matches('loading') || snapshot.matches('unreachable')) return failure ? 'unreachable' : 'loading';
  return outcome?.outcome ?? 'method';
};
export const selectClientName = (snapshot: InteractionSnapshot): string | null => snapshot.context.clientName;
/** Returns the accounts of which the user chooses one. */
export const selectAccounts = ({ context: { outcome } }: InteractionSnapshot) =>
  outcome?.outcome === 'choose-account' ? outcome.accounts : noAccounts;
/** Returns the second factors of which one is missing. */
export const selectFactors = ({ context: { outcome } }: InteractionSnapshot) =>
  outcome?.outcome === 'code-needed' ? outcome.factors : noFactors;
/** Returns the last code by text message; null before the first one. */
export const selectSentSms = (snapshot: InteractionSnapshot) => snapshot.context.sms;
export const selectIsIdentifying = (snapshot: InteractionSnapshot): boolean =>
  snapshot.matches({ ready: 'identifying' }) || snapshot.matches({ ready: 'requestingSms' });
/** Returns why the last attempt failed. */
export const selectInteractionFailure = (snapshot: InteractionSnapshot): Failure | null => snapshot.context.failure;
