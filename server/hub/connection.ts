import { randomUUID } from 'node:crypto';
import {
  closeFrame,
  handshakeAccepted,
  handshakeRejected,
  noSuchMethod,
  readHandshake,
  readMessage,
  splitFrames,
} from './frames.ts';
import type { HubGroup } from './hub.ts';

/** The authenticated user of a connection. */
export interface Subscriber {
  readonly accountId: string;
  readonly customerId: string | null;
  /** Session that the browser connected with. */
  readonly grantId: string;
}

/** Current transport of a connection: an open WebSocket, an event stream, or a pending poll. */
export interface Transport {
  write(text: string): void;
  end(): void;
}

export interface Connection {
  readonly id: string;
  /** Secret that identifies the connection in later requests. */
  readonly token: string;
  readonly subscriber: Subscriber;
  readonly groups: readonly HubGroup[];
  /** True after the protocol handshake; events may be sent. */
  isLive(): boolean;
  isClosed(): boolean;
  /** Milliseconds since the last message of the client. */
  idleMs(): number;
  touch(): void;
  /** Sends, or queues until the next poll. */
  send(text: string): void;
  receive(text: string): void;
  attach(wire: Transport): void;
  detach(wire: Transport): void;
  /** Sends a close message that allows reconnecting, and removes the connection. */
  close(): void;
}

/** A client with more queued messages is not reading and is disconnected. */
const maxQueueLength = 1_000;

const groupsOf = ({ accountId, customerId }: Subscriber): HubGroup[] => [
  `user:${accountId}`,
  ...(customerId === null ? [] : [`clinic:${customerId}` as const]),
];

/** Opens a hub connection, independent of its transport. */
export const openConnection = (
  subscriber: Subscriber,
  token: string,
  onClosed: (connection: Connection) => void,
): Connection => {
  const queue: string[] = [];
  let state: 'greeting' | 'live' | 'closed' = 'greeting';
  let wire: Transport | null = null;
  let lastSeen = Date.now();

  const send = (text: string): void => {
    if (state === 'closed') return;
    if (wire) wire.write(text);
    else if (queue.length < maxQueueLength) queue.push(text);
    else close();
  };
  const close = (): void => {
    if (state === 'closed') return;
    if (state === 'live') send(closeFrame);
    state = 'closed';
    wire?.end();
    wire = null;
    onClosed(connection);
  };
  const handleHandshake = (text: string): void => {
    const protocol = readHandshake(text);
    const isSpoken = protocol === 'json';
    if (isSpoken) state = 'live';
    send(isSpoken ? handshakeAccepted : handshakeRejected(protocol));
    if (!isSpoken) close();
  };
  const handleMessage = (text: string): void => {
    const incoming = readMessage(text);
    if (incoming.kind === 'close') close();
    if (incoming.kind === 'call' && incoming.invocationId !== null) send(noSuchMethod(incoming.invocationId));
  };
  const connection: Connection = {
    id: randomUUID(),
    token,
    subscriber: subscriber,
    groups: groupsOf(subscriber),
    isLive: () => state === 'live',
    isClosed: () => state === 'closed',
    idleMs: () => Date.now() - lastSeen,
    touch: () => {
      lastSeen = Date.now();
    },
    send,
    receive: (text) => {
      lastSeen = Date.now();
      try {
        for (const part of splitFrames(text)) state === 'greeting' ? handleHandshake(part) : handleMessage(part);
      } catch {
        close();
      }
    },
    attach: (next) => {
      if (wire && wire !== next) wire.end();
      wire = next;
      if (queue.length > 0) next.write(queue.splice(0).join(''));
    },
    detach: (old) => {
      if (wire === old) wire = null;
    },
    close,
  };
  return connection;
};
