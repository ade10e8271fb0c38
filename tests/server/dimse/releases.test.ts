import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readAssociateRequest } from '../../../server/dimse/pdu/read-associate.ts';
import { associateAcceptPdu } from '../../../server/dimse/pdu/write-associate.ts';
import { openTo, quickLimits } from './peers.ts';
import { pduOf } from './raw-peer.ts';

const [releaseRequest, releaseReply] = [5, 6];
const released = (type: number) => pduOf(type, Buffer.alloc(4));

/** An archive that accepts every association and answers each later PDU with what the test gives for its type. */
const startScripted = async (answers: Readonly<Record<number, readonly Buffer[]>>) => {
  const types: number[] = [];
  const onPdu = (socket: Socket, pdu: Buffer) => {
    const type = pdu.readUInt8(0);
    types.push(type);
    if (type !== 1) {
      for (const answer of answers[type] ?? []) socket.write(answer);
      return;
    }
    const request = readAssociateRequest(pdu.subarray(6));
    const contexts = request.contexts.map(({ id, transferSyntaxes: [transferSyntax = ''] }) => ({
      id,
      result: 0,
      transferSyntax,
    }));
    socket.write(associateAcceptPdu({ ...request, contexts }));
  };
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 6 && bytes.length >= 6 + bytes.readUInt32BE(2)) {
        const end = 6 + bytes.readUInt32BE(2);
        onPdu(socket, bytes.subarray(0, end));
        bytes = bytes.subarray(end);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as { port: number }).port, types };
};

it('both sides may request the release at once', async () => {
  const archive = await startScripted({
    [releaseRequest]: [released(releaseRequest)],
    [releaseReply]: [released(releaseReply)],
  });
  const association = await openTo(archive);
  await association.release();
  expect(await association.ended).toBe('released');
  expect(archive.types).toEqual([1, releaseRequest, releaseReply]);
});

it('data that arrives while the release is awaited is skipped', async () => {
  const data = pduOf(4, Buffer.from(`0000000a0103${'00'.repeat(8)}`, 'hex'));
  const archive = await startScripted({ [releaseRequest]: [data, data, released(releaseReply)] });
  const association = await openTo(archive);
  await association.release();
  expect(await association.ended).toBe('released');
});

it('a peer that answers the release with an abort, or not at all, is reported', async () => {
  const aborting = await startScripted({ [releaseRequest]: [pduOf(7, Buffer.alloc(4))] });
  const association = await openTo(aborting);
  await expect(association.release()).rejects.toMatchObject({ end: 'aborted-by-peer' });
  const mute = await openTo(await startScripted({}), undefined, quickLimits);
  await expect(mute.release()).rejects.toMatchObject({ end: 'timed-out' });
});

it('a peer may request the release of an association that the archive opened', async () => {
  const archive = await startScripted({ 4: [released(releaseRequest)] });
  const association = await openTo(archive);
  await association.send(1, { commandField: 0x30, messageId: 1 });
  expect(await association.receive()).toBeNull();
  association.answerRelease();
  expect(await association.ended).toBe('released');
});
