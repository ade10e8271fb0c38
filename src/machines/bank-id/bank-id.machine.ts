import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { BankIdHint, InteractionOutcome } from '../../../contract/interactions.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { chart } from './bank-id.setup.ts';

export type { BankIdDevice, BankIdEvent } from './bank-id.setup.ts';

/** One person proves by BankID who they are: an order is held open and asked after until it is used, fails, or is left. */
export const bankIdMachine = chart.createMachine({
  id: 'bank-id',
  context: ({ input: { uid } }) => ({
    ...{ uid, qr: null, hint: null, autoStartToken: null },
    ...{ unused: 0, misses: 0, failure: null, outcome: null },
  }),
  type: 'parallel',
  states: {
    device: {
      initial: 'otherDevice',
      on: {
        'device.chosen': [
          {
            guard: { type: 'hasThisDevice', params: ({ event }) => event.device },
            target: '.thisDevice',
          },
          { target: '.otherDevice' },
        ],
      },
      states: { otherDevice: {}, thisDevice: {} },
    },
    order: {
      initial: 'open',
      states: {
        open: {
          invoke: { id: 'holdOrder', src: 'holdOrder', input: ({ context: { uid } }) => ({ uid }) },
          on: { 'order.cancelled': 'cancelled' },
          initial: 'starting',
          states: {
            starting: {
              entry: 'forgetOrder',
              invoke: {
                id: 'startOrder',
                src: 'startOrder',
                input: ({ context: { uid } }) => ({ uid }),
                onDone: { target: 'waiting', actions: { type: 'rememberOrder', params: ({ event }) => event.output } },
                onError: {
                  target: '#bank-id.order.failed',
                  actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
                },
              },
            },
            waiting: {
              initial: 'resting',
              states: {
                resting: { after: { collectInterval: 'collecting' } },
                collecting: {
                  invoke: {
                    id: 'collectOrder',
                    src: 'collectOrder',
                    input: ({ context: { uid } }) => ({ uid }),
                    onDone: [
                      {
                        guard: { type: 'isPending', params: ({ event }) => event.output },
                        target: 'resting',
                        actions: { type: 'rememberPending', params: ({ event }) => event.output },
                      },
                      {
                        guard: { type: 'isComplete', params: ({ event }) => event.output },
                        target: '#bank-id.order.completed',
                        actions: { type: 'rememberOutcome', params: ({ event }) => event.output },
                      },
                      {
                        guard: { type: 'ranOutUnused', params: ({ event }) => event.output },
                        target: '#bank-id.order.open.starting',
                        actions: 'rememberUnused',
                      },
                      {
                        target: '#bank-id.order.failed',
                        actions: { type: 'rememberFailed', params: ({ event }) => event.output },
                      },
                    ],
                    onError: [
                      {
                        guard: { type: 'worthAskingAgain', params: ({ event }) => failureOf(event.error) },
                        target: 'resting',
                        actions: { type: 'rememberMiss', params: ({ event }) => failureOf(event.error) },
                      },
                      {
                        target: '#bank-id.order.failed',
                        actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
        failed: { on: { 'order.retried': { target: 'open', actions: 'beginAnew' } } },
        cancelled: { entry: 'forgetOrder', on: { 'order.retried': { target: 'open', actions: 'beginAnew' } } },
        completed: {},
      },
    },
  },
});

export type BankIdActor = ActorRefFrom<typeof bankIdMachine>;
type BankIdSnapshot = SnapshotFrom<typeof bankIdMachine>;

/** What the QR code shows at this second; null when there is none, or none is needed. */
export const selectQr = (snapshot: BankIdSnapshot): string | null => snapshot.context.qr;
/** The last word of BankID; after `failed` without a failure, why it failed. Null before the first word. */
export const selectHint = (snapshot: BankIdSnapshot): BankIdHint | null => snapshot.context.hint;
/** Opens the BankID app of this device; null while there is no order. */
export const selectAutoStartUrl = (snapshot: BankIdSnapshot): string | null => {
  const { autoStartToken } = snapshot.context;
  return autoStartToken && `bankid:///?autostarttoken=${encodeURIComponent(autoStartToken)}&redirect=null`;
};
export const selectUsesThisDevice = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ device: 'thisDevice' });
export const selectHasFailed = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ order: 'failed' });
/** Why there is no order any more, when it was not BankID that said so (that is the hint). */
export const selectBankIdFailure = (snapshot: BankIdSnapshot): Failure | null => snapshot.context.failure;
export const selectIsCancelled = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ order: 'cancelled' });
/** What follows; null until BankID has said who it is. */
export const selectOutcome = (snapshot: BankIdSnapshot): InteractionOutcome | null => snapshot.context.outcome;
