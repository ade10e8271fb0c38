import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { BankIdHint } from '../../../contract/bank-id-orders.ts';
import type { InteractionOutcome } from '../../../contract/interactions.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { chart } from './bank-id.setup.ts';

export type { BankIdDevice, BankIdEvent } from './bank-id.setup.ts';

/** Identifies a user by BankID: keeps an order open and polls it until it completes, fails or is abandoned. */
export const bankIdMachine = chart.createMachine({
  id: 'bank-id',
  context: ({ input: { uid } }) => ({
    uid,
    qr: null,
    hint: null,
    autoStartToken: null,
    unused: 0,
    misses: 0,
    failure: null,
    outcome: null,
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
              entry: 'clearOrder',
              invoke: {
                id: 'startOrder',
                src: 'startOrder',
                input: ({ context: { uid } }) => ({ uid }),
                onDone: { target: 'waiting', actions: { type: 'setOrder', params: ({ event }) => event.output } },
                onError: {
                  target: '#bank-id.order.failed',
                  actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
                },
              },
            },
            waiting: {
              initial: 'idle',
              states: {
                idle: { after: { collectInterval: 'collecting' } },
                collecting: {
                  invoke: {
                    id: 'collectOrder',
                    src: 'collectOrder',
                    input: ({ context: { uid } }) => ({ uid }),
                    onDone: [
                      {
                        guard: { type: 'isPending', params: ({ event }) => event.output },
                        target: 'idle',
                        actions: { type: 'setPending', params: ({ event }) => event.output },
                      },
                      {
                        guard: { type: 'isComplete', params: ({ event }) => event.output },
                        target: '#bank-id.order.completed',
                        actions: { type: 'setOutcome', params: ({ event }) => event.output },
                      },
                      {
                        guard: { type: 'ranOutUnused', params: ({ event }) => event.output },
                        target: '#bank-id.order.open.starting',
                        actions: 'countUnused',
                      },
                      {
                        target: '#bank-id.order.failed',
                        actions: { type: 'setFailed', params: ({ event }) => event.output },
                      },
                    ],
                    onError: [
                      {
                        guard: { type: 'worthRetrying', params: ({ event }) => failureOf(event.error) },
                        target: 'idle',
                        actions: { type: 'countMiss', params: ({ event }) => failureOf(event.error) },
                      },
                      {
                        target: '#bank-id.order.failed',
                        actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
        failed: { on: { 'order.retried': { target: 'open', actions: 'resetUnusedCount' } } },
        cancelled: { entry: 'clearOrder', on: { 'order.retried': { target: 'open', actions: 'resetUnusedCount' } } },
        completed: {},
      },
    },
  },
});

export type BankIdActor = ActorRefFrom<typeof bankIdMachine>;
type BankIdSnapshot = SnapshotFrom<typeof bankIdMachine>;

/** Returns the content of the QR code; null when there is none or none is needed. */
export const selectQr = (snapshot: BankIdSnapshot): string | null => snapshot.context.qr;
/** Returns BankID's last hint; after `failed` without a failure, the reason. Null before the first reply. */
export const selectHint = (snapshot: BankIdSnapshot): BankIdHint | null => snapshot.context.hint;
/** Returns the address that opens the BankID app on this device; null without an order. */
export const selectAutoStartUrl = (snapshot: BankIdSnapshot): string | null => {
  const { autoStartToken } = snapshot.context;
  return autoStartToken && `bankid:///?autostarttoken=${encodeURIComponent(autoStartToken)}&redirect=null`;
};
export const selectUsesThisDevice = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ device: 'thisDevice' });
export const selectHasFailed = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ order: 'failed' });
/** Returns why the order ended, unless BankID ended it (then the hint says why). */
export const selectBankIdFailure = (snapshot: BankIdSnapshot): Failure | null => snapshot.context.failure;
export const selectIsCancelled = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ order: 'cancelled' });
/** Returns whether BankID has identified a person. */
export const selectIsIdentified = (snapshot: BankIdSnapshot): boolean => snapshot.matches({ order: 'completed' });
/** Returns the next step of a sign-in; null until BankID has identified the user. */
export const selectOutcome = (snapshot: BankIdSnapshot): InteractionOutcome | null => snapshot.context.outcome;
