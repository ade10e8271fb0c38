import { type EventObject, fromCallback } from 'xstate';
import { bankIdMachine } from '../machines/bank-id/bank-id.machine.ts';
import { createBankId } from '../services/bank-id.ts';
import { filled } from './filled.ts';
import type { Services } from './services.ts';

export const wiredBankId = ({ call }: Pick<Services, 'call'>) => {
  const bankId = createBankId(call);
  return bankIdMachine.provide({
    actors: {
      startOrder: filled(({ uid }: { uid: string }, signal) => bankId.start(uid, signal)),
      collectOrder: filled(({ uid }: { uid: string }, signal) => bankId.collect(uid, signal)),
      holdOrder: fromCallback<EventObject, { uid: string }>(
        ({ input: { uid } }) =>
          () =>
            bankId.leave(uid),
      ),
    },
  });
};
