import { bankIdMachine } from '../../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected, StartedOrder } from '../../../src/machines/bank-id/bank-id.setup.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';

export const uid = 'interaction-1';
const started: StartedOrder = { autoStartToken: 'start/1', qr: 'bankid.1.0' };
export const next = { outcome: 'finished', redirectTo: '/connect/authorize/1' } as const;
/** BankID has no result yet. */
export const pending = (hint: 'outstandingTransaction' | 'userSign'): Collected => ({
  status: 'pending',
  hint,
  qr: 'bankid.1.1',
});

/** One order, on either device. */
export const order: Model = {
  name: 'order',
  machine: bankIdMachine,
  input: { uid },
  events: [
    { type: 'order.retried' },
    { type: 'order.cancelled' },
    { type: 'device.chosen', device: 'thisDevice' },
    { type: 'device.chosen', device: 'otherDevice' },
    done('startOrder', started),
    failed('startOrder', offline),
    failed('startOrder', refused('sign-in-expired')),
    done('collectOrder', pending('outstandingTransaction')),
    done('collectOrder', pending('userSign')),
    done('collectOrder', { status: 'failed', hint: 'startFailed' }),
    done('collectOrder', { status: 'failed', hint: 'userCancel' }),
    done('collectOrder', { status: 'complete', next }),
    failed('collectOrder', offline),
    failed('collectOrder', refused('method-away')),
    failed('collectOrder', refused('sign-in-expired')),
  ],
  facts: ({ context: { unused, misses, hint, failure, outcome, qr } }) => ({
    unused,
    missed: misses > 0,
    hint,
    failed: failure?.kind ?? null,
    done: outcome !== null,
    shown: qr !== null,
  }),
};
