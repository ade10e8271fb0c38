import type { BankIdEvent } from '../../../src/machines/bank-id/bank-id.machine.ts';
import type { Collected } from '../../../src/machines/bank-id/bank-id.setup.ts';
import {
  blocked,
  byHand,
  type EventInstructions,
  label,
  type MachineInstructions,
  rejected,
  withTestServers,
} from './instruction.ts';

const start = '*/interaction/*/bankid';
const collect = '*/interaction/*/bankid/collect';

const collected = (reply: Collected) => {
  if (reply.status === 'complete')
    return withTestServers('On the page of the BankID app, choose a person, paste the QR code and confirm.');
  if (reply.status === 'failed')
    return withTestServers(
      reply.hint === 'userCancel'
        ? 'On the page of the BankID app, paste the QR code and reject.'
        : 'Do not open the order in the BankID app. It expires after 30 seconds.',
    );
  return withTestServers(
    reply.hint === 'userSign'
      ? 'On the page of the BankID app, choose a person and paste the QR code, but do not confirm yet.'
      : 'Do nothing: the order waits for the BankID app.',
  );
};

export const bankId = {
  events: {
    'order.retried': byHand(`Press ${label('bank-id:retry')}.`),
    'order.cancelled': byHand(`Press ${label('bank-id:cancel')}.`),
    'device.chosen': ({ device }) =>
      byHand(`Press ${label(device === 'thisDevice' ? 'bank-id:thisDevice' : 'bank-id:otherDevice')}.`),
  } satisfies EventInstructions<BankIdEvent>,
  replies: {
    'startOrder done': withTestServers('Do nothing: the order starts.'),
    'startOrder offline': blocked(start),
    'startOrder sign-in-expired': byHand(
      'Before the previous step: leave the page open for more than 15 minutes, until the sign-in has expired.',
    ),
    'collectOrder done': collected,
    'collectOrder offline': blocked(collect),
    'collectOrder method-away': withTestServers(
      'Before the previous step: send POST /away {"away": true} to the BankID test server. Afterwards: {"away": false}.',
    ),
    'collectOrder sign-in-expired': rejected(collect, 'sign-in-expired'),
  },
} satisfies MachineInstructions;
