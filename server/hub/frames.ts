import { z } from 'zod';
import type { HubEvent } from '../../contract/hub.ts';

/**
 * The JSON protocol of SignalR: text messages, each ended by the record separator.
 * https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md
 */
const separator = '\x1e';
const messageType = { invocation: 1, completion: 3, ping: 6, close: 7 } as const;

const handshake = z.object({ protocol: z.string(), version: z.number() });
const message = z.object({ type: z.number(), invocationId: z.string().optional() });

export type Incoming = { kind: 'call'; invocationId: string | null } | { kind: 'close' } | { kind: 'nothing' };

const frame = (value: object): string => JSON.stringify(value) + separator;

export const eventFrame = ({ name, body }: HubEvent): string =>
  frame({ type: messageType.invocation, target: name, arguments: [body] });
export const pingFrame = frame({ type: messageType.ping });
export const closeFrame = frame({ type: messageType.close, allowReconnect: true });
export const handshakeAccepted = frame({});
export const handshakeRejected = (protocol: string): string =>
  frame({ error: `The protocol '${protocol}' is not supported.` });
/** The hub only sends events; every method call is answered with an error. */
export const noSuchMethod = (invocationId: string): string =>
  frame({ type: messageType.completion, invocationId, error: 'The hub has no methods.' });

/** Splits a message into frames. @throws Error when the final separator is missing */
export const splitFrames = (text: string): string[] => {
  if (!text.endsWith(separator)) throw new Error('incomplete frame');
  return text.split(separator).slice(0, -1);
};

/** Returns the protocol of the handshake request. @throws on anything else */
export const readHandshake = (text: string): string => handshake.parse(JSON.parse(text)).protocol;

/** Parses a hub message. @throws on invalid JSON or an unknown shape */
export const readMessage = (text: string): Incoming => {
  const { type, invocationId } = message.parse(JSON.parse(text));
  if (type === messageType.close) return { kind: 'close' };
  return type === messageType.invocation ? { kind: 'call', invocationId: invocationId ?? null } : { kind: 'nothing' };
};
