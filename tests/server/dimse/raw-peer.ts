import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { associateRequestPdu } from '../../../server/dimse/pdu/write-associate.ts';
import { archiveTitle, usualContexts } from './peers.ts';

/** A connection whose bytes the test writes itself. */
export interface RawPeer {
  readonly socket: Socket;
  /** Everything that arrived. */
  received(): Buffer;
  /** Resolves with everything that arrived when the archive has closed the connection. */
  closed(): Promise<Buffer>;
}

/** Connects to an archive of a test. */
export const connectRaw = async (port: number): Promise<RawPeer> => {
  const socket = connect({ port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // Aborted connections may be reset.
  socket.on('error', () => {});
  const end = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  const received = () => Buffer.concat(chunks);
  return { socket, received, closed: () => end.then(received) };
};

/** The request of a usual unit. */
export const requestPdu = (contexts = usualContexts): Buffer =>
  associateRequestPdu({
    protocolVersion: 1,
    calledAeTitle: archiveTitle,
    callingAeTitle: 'RAW',
    applicationContext: '1.2.840.10008.3.1.1.1',
    contexts,
    maxPduBytes: 16_384,
    implementationClassUid: '1.2.3.4',
    implementationVersionName: null,
    roles: [],
  });

/** A PDU of any type with any body. */
export const pduOf = (type: number, body: Uint8Array, claimed = body.length): Buffer => {
  const header = Buffer.alloc(6);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(claimed, 2);
  return Buffer.concat([header, body]);
};

/** A fragment with its header. */
export const fragmentOf = (contextId: number, control: number, body: Uint8Array, claimed = body.length + 2): Buffer => {
  const header = Buffer.alloc(6);
  header.writeUInt32BE(claimed, 0);
  header.writeUInt8(contextId, 4);
  header.writeUInt8(control, 5);
  return Buffer.concat([header, body]);
};

/** Returns the reason of the A-ABORT at the end of what arrived; null when there is none. */
export const abortReasonOf = (bytes: Buffer): { readonly source: number; readonly reason: number } | null => {
  const last = bytes.subarray(-10);
  if (last.length < 10 || last.readUInt8(0) !== 7) return null;
  return { source: last.readUInt8(8), reason: last.readUInt8(9) };
};
