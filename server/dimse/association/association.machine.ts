import { type ActorRefFrom, assign, emit, type SnapshotFrom, setup } from 'xstate';

/** PDUs that the chart has sent. P-DATA-TF is not among them: payload stays outside of it. */
export type ControlPdu =
  | 'associate-request'
  | 'associate-accept'
  | 'associate-reject'
  | 'release-request'
  | 'release-reply'
  | 'abort';

/** Source and reason of an A-ABORT PDU (PS3.8 9.3.8). */
export interface Abort {
  /** 0: the service user, 2: the service provider. */
  readonly source: 0 | 2;
  readonly reason: number;
}

export type AssociationEnd = 'released' | 'rejected' | 'aborted' | 'aborted-by-peer' | 'connection-lost' | 'timed-out';

export type AssociationEvent =
  | { type: 'association.requested' }
  | { type: 'connection.accepted' }
  | { type: 'connection.opened' }
  | { type: 'connection.closed' }
  | { type: 'request.accepted' }
  | { type: 'request.rejected' }
  | { type: 'release.requested' }
  | { type: 'release.answered' }
  | { type: 'abort.requested' }
  /** The peer was silent for too long while it had to send or to read. */
  | { type: 'peer.timed-out' }
  | { type: 'associate-request.received' }
  | { type: 'associate-accept.received' }
  | { type: 'associate-reject.received' }
  | { type: 'data.received' }
  | { type: 'release-request.received' }
  | { type: 'release-reply.received' }
  | { type: 'abort.received' }
  /** A PDU that is unknown, malformed or too large. */
  | { type: 'invalid-pdu.received'; reason: number };

type AssociationEmitted = { type: 'pdu.requested'; pdu: ControlPdu } | { type: 'close.requested' };

interface AssociationContext {
  readonly artimMs: number;
  isRequestor: boolean;
  abort: Abort | null;
  end: AssociationEnd | null;
}

const unexpectedPdu = 2;

/** Guards, actions and the delay of an association. */
const chart = setup({
  types: {
    context: {} as AssociationContext,
    events: {} as AssociationEvent,
    emitted: {} as AssociationEmitted,
    input: {} as { readonly artimMs: number },
  },
  guards: { isRequestor: ({ context }) => context.isRequestor },
  actions: {
    setRequestor: assign({ isRequestor: true }),
    setEnd: assign((_, end: AssociationEnd) => ({ end })),
    setAbort: assign((_, abort: Abort) => ({ abort, end: 'aborted' as const })),
    emitPdu: emit((_, pdu: ControlPdu): AssociationEmitted => ({ type: 'pdu.requested', pdu })),
    emitClose: emit({ type: 'close.requested' }),
  },
  delays: { artim: ({ context }) => context.artimMs },
});

const send = (pdu: ControlPdu) => ({ type: 'emitPdu', params: pdu }) as const;
const endAs = (end: AssociationEnd) => ({ type: 'setEnd', params: end }) as const;

const aborting = (abort: Abort) =>
  ({ target: '#association.awaitingClose', actions: [{ type: 'setAbort', params: abort }, send('abort')] }) as const;

const unexpected = aborting({ source: 2, reason: unexpectedPdu });
const lost = { target: '#association.closed', actions: endAs('connection-lost') } as const;
const abortedByPeer = { target: '#association.closed', actions: [endAs('aborted-by-peer'), 'emitClose'] } as const;
const timedOut = {
  target: '#association.awaitingClose',
  actions: [{ type: 'setAbort', params: { source: 2, reason: 0 } }, endAs('timed-out'), send('abort')],
} as const;

/**
 * The association after the state table of PS3.8 9.2, as requestor and as acceptor. In `awaitingClose` (Sta13) nothing more is parsed: after
 * an invalid PDU the start of the next one is unknown.
 */
export const associationMachine = chart.createMachine({
  id: 'association',
  context: ({ input }) => ({ artimMs: input.artimMs, isRequestor: false, abort: null, end: null }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'association.requested': { target: 'connecting', actions: 'setRequestor' },
        'connection.accepted': 'awaitingRequest',
      },
    },
    connecting: {
      on: {
        'connection.opened': { target: 'active.awaitingAnswer', actions: send('associate-request') },
        'connection.closed': lost,
        'peer.timed-out': { target: 'closed', actions: [endAs('timed-out'), 'emitClose'] },
        'abort.requested': { target: 'closed', actions: [endAs('aborted'), 'emitClose'] },
      },
    },
    awaitingRequest: {
      after: { artim: { target: 'closed', actions: [endAs('timed-out'), 'emitClose'] } },
      on: {
        'associate-request.received': 'active.answering',
        'associate-accept.received': unexpected,
        'associate-reject.received': unexpected,
        'data.received': unexpected,
        'release-request.received': unexpected,
        'release-reply.received': unexpected,
        'invalid-pdu.received': {
          target: 'awaitingClose',
          actions: [{ type: 'setAbort', params: ({ event }) => ({ source: 2, reason: event.reason }) }, send('abort')],
        },
        'abort.received': abortedByPeer,
        'abort.requested': { target: 'closed', actions: [endAs('aborted'), 'emitClose'] },
        'connection.closed': lost,
      },
    },
    active: {
      on: {
        'associate-request.received': unexpected,
        'associate-accept.received': unexpected,
        'associate-reject.received': unexpected,
        'data.received': unexpected,
        'release-request.received': unexpected,
        'release-reply.received': unexpected,
        'invalid-pdu.received': {
          target: 'awaitingClose',
          actions: [{ type: 'setAbort', params: ({ event }) => ({ source: 2, reason: event.reason }) }, send('abort')],
        },
        'abort.received': abortedByPeer,
        'abort.requested': aborting({ source: 0, reason: 0 }),
        'peer.timed-out': timedOut,
        'connection.closed': lost,
      },
      initial: 'answering',
      states: {
        answering: {
          on: {
            'request.accepted': { target: 'established', actions: send('associate-accept') },
            'request.rejected': {
              target: '#association.awaitingClose',
              actions: [endAs('rejected'), send('associate-reject')],
            },
          },
        },
        awaitingAnswer: {
          on: {
            'associate-accept.received': 'established',
            'associate-reject.received': {
              target: '#association.closed',
              actions: [endAs('rejected'), 'emitClose'],
            },
          },
        },
        established: {
          on: {
            'data.received': {},
            'release.requested': { target: 'releasing', actions: send('release-request') },
            'release-request.received': 'releaseRequested',
          },
        },
        releasing: {
          on: {
            'data.received': {},
            'release-request.received': [
              { guard: 'isRequestor', target: 'collidedAsRequestor' },
              { target: 'collidedAsAcceptor' },
            ],
            'release-reply.received': {
              target: '#association.closed',
              actions: [endAs('released'), 'emitClose'],
            },
          },
        },
        releaseRequested: {
          on: {
            'release.answered': {
              target: '#association.awaitingClose',
              actions: [endAs('released'), send('release-reply')],
            },
          },
        },
        collidedAsRequestor: {
          on: { 'release.answered': { target: 'answeredCollision', actions: send('release-reply') } },
        },
        answeredCollision: {
          on: {
            'release-reply.received': {
              target: '#association.closed',
              actions: [endAs('released'), 'emitClose'],
            },
          },
        },
        collidedAsAcceptor: { on: { 'release-reply.received': 'answeringCollision' } },
        answeringCollision: {
          on: {
            'release.answered': {
              target: '#association.awaitingClose',
              actions: [endAs('released'), send('release-reply')],
            },
          },
        },
      },
    },
    awaitingClose: {
      after: { artim: { target: 'closed', actions: 'emitClose' } },
      on: { 'connection.closed': 'closed' },
    },
    closed: { type: 'final' },
  },
});

export type AssociationActor = ActorRefFrom<typeof associationMachine>;
type AssociationSnapshot = SnapshotFrom<typeof associationMachine>;

/** Returns whether data may be sent (Sta6 and Sta8). */
export const selectMaySend = (snapshot: AssociationSnapshot): boolean =>
  snapshot.matches({ active: 'established' }) || snapshot.matches({ active: 'releaseRequested' });
/** Returns whether the association is over, although the connection may still be open. */
export const selectIsOver = (snapshot: AssociationSnapshot): boolean =>
  snapshot.matches('awaitingClose') || snapshot.matches('closed');
/** Returns whether the local side must answer a request to release now. */
export const selectMustAnswerRelease = (snapshot: AssociationSnapshot): boolean =>
  snapshot.matches({ active: 'releaseRequested' }) ||
  snapshot.matches({ active: 'collidedAsRequestor' }) ||
  snapshot.matches({ active: 'answeringCollision' });
export const selectEnd = ({ context }: AssociationSnapshot): AssociationEnd | null => context.end;
export const selectAbort = ({ context }: AssociationSnapshot): Abort | null => context.abort;
