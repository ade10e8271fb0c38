import type { Socket } from 'node:net';
import { createActor, toPromise } from 'xstate';
import { createByteReader, PeerClosed, PeerSilent } from '../pdu/byte-reader.ts';
import { createFragmentReader, type Fragment } from '../pdu/fragment-reader.ts';
import {
  abortPdu,
  type PduHeader,
  PduProblem,
  type PduType,
  pduTypes,
  releaseReplyPdu,
  releaseRequestPdu,
} from '../pdu/pdu.ts';
import { writeFragments } from '../pdu/write-fragments.ts';
import {
  type AssociationEnd,
  type AssociationEvent,
  associationMachine,
  type ControlPdu,
  selectAbort,
  selectEnd,
  selectIsOver,
  selectMaySend,
  selectMustAnswerRelease,
} from './association.machine.ts';
import { AssociationError } from './association-error.ts';

export interface LinkLimits {
  /** Limit of the timer that PS3.8 9.1.5 calls ARTIM. */
  readonly artimMs: number;
  /** How long a peer may be silent, or read nothing, while it has to act. */
  readonly peerTimeoutMs: number;
  /** Largest P-DATA-TF that is accepted, without its header. */
  readonly maxPduBytes: number;
}

export const usualLimits: LinkLimits = { artimMs: 30_000, peerTimeoutMs: 60_000, maxPduBytes: 128 << 10 };

const received = {
  [pduTypes.associateRequest]: 'associate-request.received',
  [pduTypes.associateAccept]: 'associate-accept.received',
  [pduTypes.associateReject]: 'associate-reject.received',
  [pduTypes.data]: 'data.received',
  [pduTypes.releaseRequest]: 'release-request.received',
  [pduTypes.releaseReply]: 'release-reply.received',
  [pduTypes.abort]: 'abort.received',
} as const satisfies Readonly<Record<PduType, AssociationEvent['type']>>;

export type Link = ReturnType<typeof createLink>;

/** Joins a connection with the chart of its association: what arrives becomes events, what the chart emits is sent. */
export const createLink = (socket: Socket, limits: LinkLimits) => {
  const actor = createActor(associationMachine, { input: { artimMs: limits.artimMs } });
  const reader = createByteReader(socket, limits.peerTimeoutMs);
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
  const prepared = new Map<ControlPdu, Buffer>();

  const send = (event: AssociationEvent) => {
    if (actor.getSnapshot().status === 'active') actor.send(event);
  };
  const bytesOf = (pdu: ControlPdu): Buffer => {
    if (pdu === 'release-request') return releaseRequestPdu();
    if (pdu === 'release-reply') return releaseReplyPdu();
    if (pdu === 'abort') return abortPdu(selectAbort(actor.getSnapshot()) ?? { source: 2, reason: 0 });
    return prepared.get(pdu) ?? Buffer.alloc(0);
  };
  actor.on('pdu.requested', ({ pdu }) => {
    if (socket.writable) socket.write(bytesOf(pdu));
  });
  actor.on('close.requested', () => socket.destroy());
  actor.subscribe((snapshot) => {
    if (!snapshot.matches('awaitingClose')) return;
    // Unread bytes would reset the connection, and the peer would lose the last PDU.
    reader.discard();
    socket.end();
  });
  socket.setNoDelay(true);
  // The close event that follows is what counts.
  socket.on('error', () => {});
  socket.on('close', () => send({ type: 'connection.closed' }));
  actor.start();

  const failure = (message: string) =>
    new AssociationError(selectEnd(actor.getSnapshot()) ?? 'aborted', `The association is over: ${message}`);
  const ensureOpen = () => {
    if (selectIsOver(actor.getSnapshot())) throw failure(selectEnd(actor.getSnapshot()) ?? 'closed');
  };

  /** Turns what is wrong with the peer into events; everything else is the caller's own. @throws AssociationError */
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PduProblem) send({ type: 'invalid-pdu.received', reason: error.reason });
      else if (error instanceof PeerSilent) send({ type: 'peer.timed-out' });
      else if (error instanceof PeerClosed) {
        send({ type: 'connection.closed' });
        socket.destroy();
      } else throw error;
      throw failure(error.message);
    }
  };

  const onDataPdu = () => {
    send({ type: 'data.received' });
    ensureOpen();
  };
  const fragments = createFragmentReader(reader, limits.maxPduBytes, onDataPdu);

  /** Reads the body of a PDU without payload, reports it to the chart, and returns it while the association goes on. */
  const control = async (header: PduHeader, check: (body: Buffer) => void = () => {}): Promise<Buffer> => {
    const body = await reader.take(header.length);
    check(body);
    send({ type: received[header.type] });
    return body;
  };

  /** Returns the next fragment; null when the peer requests the release. @throws AssociationError */
  const nextFragment = (): Promise<Fragment | null> =>
    guarded(async () => {
      for (;;) {
        ensureOpen();
        const next = await fragments.next();
        if ('contextId' in next) return next;
        await control(next);
        if (selectMustAnswerRelease(actor.getSnapshot())) return null;
      }
    });

  /** Reads one PDU that must hold no payload: those that open an association. @throws AssociationError */
  const controlPdu = <Result>(read: (header: PduHeader, body: Buffer) => Result): Promise<Result> =>
    guarded(async () => {
      const next = await fragments.next();
      if ('contextId' in next) throw failure('data');
      const found: Result[] = [];
      await control(next, (body) => found.push(read(next, body)));
      const [result] = found;
      if (result === undefined) throw failure('nothing');
      return result;
    });

  const drained = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (isDrained: boolean) => {
        clearTimeout(timer);
        socket.off('drain', onDrain).off('close', onClose);
        if (isDrained) resolve();
        else reject(new PeerClosed('The connection was closed'));
      };
      const onDrain = () => settle(true);
      const onClose = () => settle(false);
      const timer = setTimeout(() => {
        socket.off('drain', onDrain).off('close', onClose);
        reject(new PeerSilent('The peer read nothing in time'));
      }, limits.peerTimeoutMs);
      socket.on('drain', onDrain).on('close', onClose);
    });

  const ready = () =>
    guarded(async () => {
      if (socket.writableNeedDrain && !socket.destroyed) await drained();
      if (!selectMaySend(actor.getSnapshot()) || !socket.writable) throw failure('nothing can be sent');
    });

  return {
    limits,
    /** Address of the peer, also after the connection is closed; one of IPv4 without its prefix for IPv6. */
    address,
    send,
    /** Sets the bytes of a PDU that the chart will have sent. */
    prepare: (pdu: ControlPdu, bytes: Buffer) => prepared.set(pdu, bytes),
    snapshot: () => actor.getSnapshot(),
    ensureOpen,
    hasInput: reader.hasInput,
    nextFragment,
    payload: () => guarded(fragments.payload),
    controlPdu,
    writeFragments: (
      maxPduBytes: number,
      value: Omit<Fragment, 'isLast'>,
      source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    ) => writeFragments({ socket, maxPduBytes, ready }, value, source),
    /** Resolves when the connection is closed, with how the association ended. */
    ended: toPromise(actor).then((): AssociationEnd => selectEnd(actor.getSnapshot()) ?? 'connection-lost'),
  };
};
