import { randomUUID } from 'node:crypto';
import {
  closeFrame,
  handshakeAccepted,
  handshakeRefused,
  noSuchMethod,
  readHandshake,
  readMessage,
  splitFrames,
} from './frames.ts';
import type { HubGroup } from './hub.ts';

/** Who listens. */
export interface Listener {
  readonly accountId: string;
  readonly customerId: string | null;
  /** The session under which the browser connected. */
  readonly grantId: string;
}

/** How a browser is reached at this moment: an open WebSocket, an event stream, or a poll that waits for its answer. */
export interface Wire {
  write(text: string): void;
  end(): void;
}

export interface Connection {
  readonly id: string;
  /** Names the connection in every further request; known to its browser alone. */
  readonly token: string;
  readonly listener: Listener;
  readonly groups: readonly HubGroup[];
  /** The browser has said which protocol it speaks: news may be sent. */
  isLive(): boolean;
  isClosed(): boolean;
  /** Milliseconds since the browser was last heard. */
  silence(): number;
  heard(): void;
  /** Sends, or keeps it until the next poll comes. */
  send(text: string): void;
  receive(text: string): void;
  attach(wire: Wire): void;
  detach(wire: Wire): void;
  /** Tells the browser to come again, and forgets it. */
  close(): void;
}

/** A browser that lets this much news wait is not reading. */
const longestQueue = 1_000;

const groupsOf = ({ accountId, customerId }: Listener): HubGroup[] => [
  `user:${accountId}`,
  ...(customerId === null ? [] : [`clinic:${customerId}` as const]),
];

/** One browser at the hub, whatever transport it came by. */
export const openConnection = (listener: Listener, onClosed: (connection: Connection) => void): Connection => {
  const queue: string[] = [];
  let state: 'greeting' | 'live' | 'closed' = 'greeting';
  let wire: Wire | null = null;
  let lastHeard = Date.now();

  const send = (text: string): void => {
    if (state === 'closed') return;
    if (wire) wire.write(text);
    else if (queue.length < longestQueue) queue.push(text);
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
  const greet = (text: string): void => {
    const protocol = readHandshake(text);
    const isSpoken = protocol === 'json';
    if (isSpoken) state = 'live';
    send(isSpoken ? handshakeAccepted : handshakeRefused(protocol));
    if (!isSpoken) close();
  };
  const obey = (text: string): void => {
    const incoming = readMessage(text);
    if (incoming.kind === 'close') close();
    if (incoming.kind === 'call' && incoming.invocationId !== null) send(noSuchMethod(incoming.invocationId));
  };
  const connection: Connection = {
    id: randomUUID(),
    token: randomUUID(),
    listener,
    groups: groupsOf(listener),
    isLive: () => state === 'live',
    isClosed: () => state === 'closed',
    silence: () => Date.now() - lastHeard,
    heard: () => {
      lastHeard = Date.now();
    },
    send,
    receive: (text) => {
      lastHeard = Date.now();
      try {
        for (const part of splitFrames(text)) state === 'greeting' ? greet(part) : obey(part);
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
