import type { EventFromLogic } from 'xstate';
import type { associationMachine } from '../../../server/dimse/association/association.machine.ts';
import {
  type EventInstructions,
  follows,
  type Instruction,
  type MachineInstructions,
  onlyAutomated,
} from './instruction.ts';

const withDcmtk = (how: string): Instruction => ({ how, tool: 'DCMTK (echoscu, storescu, storescp)' });
const rawPdu = (name: string) => onlyAutomated(`No DICOM program sends ${name} out of turn.`);

export const association = {
  events: {
    'association.requested': onlyAutomated('The archive opens an association as a user of a service.'),
    'connection.accepted': withDcmtk('Run echoscu or storescu with the address and port of the gateway.'),
    'connection.opened': follows('the peer accepts the connection.'),
    'connection.closed': withDcmtk('Stop the other program with Ctrl+C.'),
    'request.accepted': follows('the gateway accepts the request of a peer that is allowed.'),
    'request.rejected': withDcmtk('Before: use an AE title with -aet that the gateway does not know.'),
    'release.requested': follows('the archive releases an association that it has opened.'),
    'release.answered': follows('the gateway answers the request to release.'),
    'abort.requested': onlyAutomated('The archive stops while the association is open.'),
    'peer.timed-out': withDcmtk('Stop the other program with Ctrl+Z while it sends, and wait a minute.'),
    'associate-request.received': withDcmtk('Run echoscu or storescu.'),
    'associate-accept.received': rawPdu('A-ASSOCIATE-AC'),
    'associate-reject.received': rawPdu('A-ASSOCIATE-RJ'),
    'data.received': withDcmtk('Run storescu with a file.'),
    'release-request.received': withDcmtk('Wait until echoscu or storescu ends.'),
    'release-reply.received': rawPdu('A-RELEASE-RP'),
    'abort.received': withDcmtk('Run echoscu with --abort.'),
    'invalid-pdu.received': withDcmtk('Send a line of text to the port with a telnet program.'),
  } satisfies EventInstructions<EventFromLogic<typeof associationMachine>>,
  replies: {},
} satisfies MachineInstructions;
