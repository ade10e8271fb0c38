import type { Socket } from 'node:net';
import type { Fragment } from './fragment-reader.ts';
import { pduHeaderBytes, pduTypes } from './pdu.ts';

/** Length and control header of a fragment. */
const fragmentHeaderBytes = 6;

const dataPduHeader = ({ contextId, isCommand, isLast }: Fragment, length: number): Buffer => {
  const header = Buffer.alloc(pduHeaderBytes + fragmentHeaderBytes);
  header.writeUInt8(pduTypes.data, 0);
  header.writeUInt32BE(length + fragmentHeaderBytes, 2);
  header.writeUInt32BE(length + 2, 6);
  header.writeUInt8(contextId, 10);
  header.writeUInt8((isCommand ? 1 : 0) | (isLast ? 2 : 0), 11);
  return header;
};

/** Payload of one fragment: an even number of bytes (PS3.8 annex E.1), so that the PDU stays within the limit of the peer. */
export const payloadLimit = (maxPduBytes: number): number => (maxPduBytes - fragmentHeaderBytes) & ~1;

export interface FragmentTarget {
  readonly socket: Socket;
  readonly maxPduBytes: number;
  /** Resolves when the peer has read enough for more to be sent. @throws AssociationError */
  ready(): Promise<void>;
}

/** Sends the bytes of a command or data set, one fragment in a PDU. PDUs are written whole, so that others may be sent in between. */
export const writeFragments = async (
  { socket, maxPduBytes, ready }: FragmentTarget,
  value: Omit<Fragment, 'isLast'>,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> => {
  const limit = payloadLimit(maxPduBytes);
  let parts: Uint8Array[] = [];
  let length = 0;
  const flush = async (isLast: boolean) => {
    await ready();
    socket.cork();
    socket.write(dataPduHeader({ ...value, isLast }, length));
    for (const part of parts) socket.write(part);
    socket.uncork();
    parts = [];
    length = 0;
  };
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      if (length === limit) await flush(false);
      const part = chunk.subarray(at, at + limit - length);
      parts.push(part);
      length += part.length;
      at += part.length;
    }
  }
  await flush(true);
};
