import type { AnyMachineSnapshot, StateValue } from 'xstate';
import { associationMachine } from '../../server/dimse/association/association.machine.ts';
import { type Effects, type Rule, rulesOf, type Step } from './rules-of.ts';

const artimMs = 30_000;
const malformed = 6;
const pdu = (name: string) => ({ type: `${name}.received` });
const invalid = { type: 'invalid-pdu.received', reason: malformed };
const closedByPeer = { type: 'connection.closed' };
const aborted = { type: 'abort.requested' };
const silent = { type: 'peer.timed-out' };
const requested = { type: 'release.requested' };
const answered = { type: 'release.answered' };

const sends = (name: string) => ({ type: 'pdu.requested', pdu: name });
const closes = { type: 'close.requested' };
const provider = (reason: number) => ({ source: 2, reason });

const allPdus = [
  'associate-request',
  'associate-accept',
  'associate-reject',
  'data',
  'release-request',
  'release-reply',
] as const;

const awaiting: readonly Step[] = [{ type: 'connection.accepted' }];
const answering = [...awaiting, pdu('associate-request')];
const accepted = [...answering, { type: 'request.accepted' }];
const connecting: readonly Step[] = [{ type: 'association.requested' }];
const asking = [...connecting, { type: 'connection.opened' }];
const opened = [...asking, pdu('associate-accept')];

/** Where the association is active, how it gets there, and the PDUs that are in turn there (PS3.8 table 9-10). */
const active: readonly (readonly [state: string, steps: readonly Step[], inTurn: readonly string[]])[] = [
  ['answering', answering, []],
  ['awaitingAnswer', asking, ['associate-accept', 'associate-reject']],
  ['established', accepted, ['data', 'release-request']],
  ['releasing', [...opened, requested], ['data', 'release-request', 'release-reply']],
  ['releaseRequested', [...accepted, pdu('release-request')], []],
  ['collidedAsRequestor', [...opened, requested, pdu('release-request')], []],
  ['answeredCollision', [...opened, requested, pdu('release-request'), answered], ['release-reply']],
  ['collidedAsAcceptor', [...accepted, requested, pdu('release-request')], ['release-reply']],
  ['answeringCollision', [...accepted, requested, pdu('release-request'), pdu('release-reply')], []],
];

const everywhere = (rule: (steps: readonly Step[], inTurn: readonly string[]) => readonly Rule[]): readonly Rule[] =>
  active.flatMap(([, steps, inTurn]) => rule(steps, inTurn));

const abortsWith = (reason: number): readonly [StateValue, Effects] => [
  'awaitingClose',
  { emitted: [sends('abort')], learns: { abort: provider(reason), end: 'aborted' } },
];

const facts = ({ context: { isRequestor, abort, end } }: AnyMachineSnapshot) => ({ isRequestor, abort, end });

rulesOf(
  { machine: associationMachine, input: { artimMs }, facts },
  {
    'a peer opens and releases': [
      [awaiting, 'awaitingRequest'],
      [answering, { active: 'answering' }],
      [accepted, { active: 'established' }, { emitted: [sends('associate-accept')] }],
      [[...accepted, pdu('data')], { active: 'established' }],
      [[...accepted, pdu('release-request')], { active: 'releaseRequested' }],
      [
        [...accepted, pdu('release-request'), answered],
        'awaitingClose',
        { emitted: [sends('release-reply')], learns: { end: 'released' } },
      ],
      [[...accepted, pdu('release-request'), answered, closedByPeer], 'closed', { ended: true }],
    ],
    'a peer is rejected': [
      [
        [...answering, { type: 'request.rejected' }],
        'awaitingClose',
        { emitted: [sends('associate-reject')], learns: { end: 'rejected' } },
      ],
    ],
    'the archive opens and releases': [
      [connecting, 'connecting', { learns: { isRequestor: true } }],
      [asking, { active: 'awaitingAnswer' }, { emitted: [sends('associate-request')] }],
      [opened, { active: 'established' }],
      [[...opened, requested], { active: 'releasing' }, { emitted: [sends('release-request')] }],
      [[...opened, requested, pdu('data')], { active: 'releasing' }],
      [
        [...opened, requested, pdu('release-reply')],
        'closed',
        { emitted: [closes], learns: { end: 'released' }, ended: true },
      ],
      [[...asking, pdu('associate-reject')], 'closed', { emitted: [closes], learns: { end: 'rejected' } }],
    ],
    'the connection cannot be opened': [
      [[...connecting, closedByPeer], 'closed', { learns: { end: 'connection-lost' } }],
      [[...connecting, silent], 'closed', { emitted: [closes], learns: { end: 'timed-out' } }],
      [[...connecting, aborted], 'closed', { emitted: [closes], learns: { end: 'aborted' } }],
    ],
    'both sides release at once': [
      [[...opened, requested, pdu('release-request')], { active: 'collidedAsRequestor' }],
      [
        [...opened, requested, pdu('release-request'), answered],
        { active: 'answeredCollision' },
        { emitted: [sends('release-reply')] },
      ],
      [
        [...opened, requested, pdu('release-request'), answered, pdu('release-reply')],
        'closed',
        { emitted: [closes], learns: { end: 'released' } },
      ],
      [[...accepted, requested, pdu('release-request')], { active: 'collidedAsAcceptor' }],
      [[...accepted, requested, pdu('release-request'), pdu('release-reply')], { active: 'answeringCollision' }],
      [
        [...accepted, requested, pdu('release-request'), pdu('release-reply'), answered],
        'awaitingClose',
        { emitted: [sends('release-reply')], learns: { end: 'released' } },
      ],
    ],
    'a PDU out of turn aborts, in every state': [
      ...everywhere((steps, inTurn) =>
        allPdus.filter((name) => !inTurn.includes(name)).map((name): Rule => [[...steps, pdu(name)], ...abortsWith(2)]),
      ),
      ...allPdus
        .filter((name) => name !== 'associate-request')
        .map((name): Rule => [[...awaiting, pdu(name)], ...abortsWith(2)]),
    ],
    'an invalid PDU aborts with its reason, in every state': [
      [[...awaiting, invalid], ...abortsWith(malformed)],
      ...everywhere((steps) => [[[...steps, invalid], ...abortsWith(malformed)]]),
    ],
    'the peer aborts, in every state': [
      [[...awaiting, pdu('abort')], 'closed', { emitted: [closes], learns: { end: 'aborted-by-peer' } }],
      ...everywhere((steps): readonly Rule[] => [
        [[...steps, pdu('abort')], 'closed', { emitted: [closes], learns: { end: 'aborted-by-peer' } }],
      ]),
    ],
    'the connection is lost, in every state': [
      [[...awaiting, closedByPeer], 'closed', { learns: { end: 'connection-lost' } }],
      ...everywhere((steps): readonly Rule[] => [
        [[...steps, closedByPeer], 'closed', { learns: { end: 'connection-lost' } }],
      ]),
    ],
    'the archive aborts, in every state': [
      [[...awaiting, aborted], 'closed', { emitted: [closes], learns: { end: 'aborted' } }],
      ...everywhere((steps): readonly Rule[] => [
        [
          [...steps, aborted],
          'awaitingClose',
          { emitted: [sends('abort')], learns: { abort: { source: 0, reason: 0 }, end: 'aborted' } },
        ],
      ]),
    ],
    'a silent peer is aborted, in every state': everywhere((steps): readonly Rule[] => [
      [
        [...steps, silent],
        'awaitingClose',
        { emitted: [sends('abort')], learns: { abort: provider(0), end: 'timed-out' } },
      ],
    ]),
    'ARTIM closes what the peer neither uses nor closes': [
      [[...awaiting, artimMs - 1], 'awaitingRequest'],
      [[...awaiting, artimMs], 'closed', { emitted: [closes], learns: { end: 'timed-out' } }],
      [[...answering, artimMs], { active: 'answering' }],
      [[...accepted, aborted, artimMs - 1], 'awaitingClose'],
      [[...accepted, aborted, artimMs], 'closed', { emitted: [closes], ended: true }],
    ],
    'nothing counts any more after the end': [
      [[...accepted, aborted, pdu('associate-request')], 'awaitingClose', { ignored: true }],
      [[...accepted, aborted, invalid], 'awaitingClose', { ignored: true }],
      [[...accepted, aborted, aborted], 'awaitingClose', { ignored: true }],
    ],
  },
);
