import { associationMachine } from '../../../server/dimse/association/association.machine.ts';
import type { Model } from '../../paths.ts';

const malformed = 6;

const pdus = [
  { type: 'associate-request.received' },
  { type: 'associate-accept.received' },
  { type: 'associate-reject.received' },
  { type: 'data.received' },
  { type: 'release-request.received' },
  { type: 'release-reply.received' },
  { type: 'abort.received' },
  { type: 'invalid-pdu.received', reason: malformed },
];

/** An association that a peer opens, or the archive. */
export const association: Model = {
  name: 'association',
  machine: associationMachine,
  input: { artimMs: 30_000 },
  events: [
    { type: 'connection.accepted' },
    { type: 'association.requested' },
    { type: 'connection.opened' },
    ...pdus,
    { type: 'request.accepted' },
    { type: 'request.rejected' },
    { type: 'release.requested' },
    { type: 'release.answered' },
    { type: 'abort.requested' },
    { type: 'peer.timed-out' },
    { type: 'connection.closed' },
  ],
  facts: ({ context: { isRequestor, end, abort } }) => ({ isRequestor, end, abort }),
};
