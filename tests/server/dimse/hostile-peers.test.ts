import { describe, expect, it } from 'vitest';
import { usualLimits } from '../../../server/dimse/association/link.ts';
import { writeCommandSet } from '../../../server/dimse/message/command-set.ts';
import { commandFields, statuses } from '../../../server/dimse/message/message.ts';
import { verificationSopClass } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { drawnObject, intraOralImage, openTo, quickLimits, startArchive, type TestArchive } from './peers.ts';
import { abortReasonOf, connectRaw, fragmentOf, pduOf, requestPdu } from './raw-peer.ts';

const [command, lastCommand, lastData, data] = [1, 3, 2, 0];
const storageContext = 3;

const accepted = async (archive: TestArchive) => {
  const peer = await connectRaw(archive.port);
  peer.socket.write(requestPdu());
  await expect.poll(() => peer.received()[0]).toBe(2);
  return peer;
};

const storeCommand = (sopInstanceUid: string) =>
  writeCommandSet({
    commandField: commandFields.storeRequest,
    messageId: 1,
    affectedSopClassUid: intraOralImage,
    affectedSopInstanceUid: sopInstanceUid,
    priority: 0,
    dataSetType: 1,
  });

/** The archive still works, and nothing of the peer is left. */
const stillServes = async (archive: TestArchive) => {
  const association = await openTo(archive);
  expect((await createRequests(association).echo(verificationSopClass)).status).toBe(statuses.success);
  await association.release();
  expect(archive.open.size).toBe(0);
  expect(archive.errors).toEqual([]);
};

describe('before an association', () => {
  it.each([
    ['an unknown PDU', pduOf(9, Buffer.alloc(4)), 1],
    ['text', Buffer.from('GET / HTTP/1.1\r\nHost: archive\r\n\r\n'), 1],
    ['a request of four gigabytes', pduOf(1, Buffer.alloc(100), 0xfffffff0), 6],
    ['a data PDU of four gigabytes', pduOf(4, Buffer.alloc(100), 0xfffffff0), 6],
    ['a data PDU', pduOf(4, fragmentOf(1, lastCommand, Buffer.alloc(10))), 2],
    ['a request to release', pduOf(5, Buffer.alloc(4)), 2],
    ['an answer to a request', pduOf(2, Buffer.alloc(100)), 2],
    ['a request without content', pduOf(1, Buffer.alloc(4)), 6],
    ['a request of zeros', pduOf(1, Buffer.alloc(500)), 6],
    ['a request whose items are cut', pduOf(1, requestPdu().subarray(6, -30)), 6],
    ['a release of the wrong length', pduOf(5, Buffer.alloc(8)), 6],
  ])('%s is answered with A-ABORT and its reason', async (_, bytes, reason) => {
    const archive = await startArchive();
    const peer = await connectRaw(archive.port);
    peer.socket.write(bytes);
    expect(abortReasonOf(await peer.closed())).toEqual({ source: 2, reason });
    await expect.poll(() => archive.reports).toMatchObject([{ callingAeTitle: null, end: 'aborted' }]);
    await stillServes(archive);
  });

  it('a silent or slow peer is closed after ARTIM', async () => {
    const archive = await startArchive({ limits: quickLimits });
    const [silent, half] = await Promise.all([connectRaw(archive.port), connectRaw(archive.port)]);
    half.socket.write(requestPdu().subarray(0, 50));
    expect((await silent.closed()).length + (await half.closed()).length).toBe(0);
    await expect.poll(() => archive.reports.map(({ end }) => end)).toEqual(['timed-out', 'timed-out']);
    await stillServes(archive);
  });

  it('a peer may abort or leave', async () => {
    const archive = await startArchive();
    const [aborting, leaving] = await Promise.all([connectRaw(archive.port), connectRaw(archive.port)]);
    aborting.socket.write(pduOf(7, Buffer.alloc(4)));
    leaving.socket.end();
    await Promise.all([aborting.closed(), leaving.closed()]);
    await expect
      .poll(() => archive.reports.map(({ end }) => end).toSorted())
      .toEqual(['aborted-by-peer', 'connection-lost']);
  });
});

describe('in an association', () => {
  const { sopInstanceUid, dataSet } = drawnObject(50_000);
  const store = pduOf(4, fragmentOf(storageContext, lastCommand, storeCommand(sopInstanceUid)));
  const part = pduOf(4, fragmentOf(storageContext, data, dataSet.subarray(0, 10_000)));

  it.each([
    ['a PDU longer than announced', [pduOf(4, Buffer.alloc(100), usualLimits.maxPduBytes + 1)], 6],
    ['a second request', [requestPdu()], 2],
    ['an answer to no request', [pduOf(6, Buffer.alloc(4))], 2],
    ['a fragment without header', [pduOf(4, Buffer.alloc(5))], 6],
    ['a fragment longer than its PDU', [pduOf(4, fragmentOf(1, lastCommand, Buffer.alloc(10), 500))], 6],
    ['a fragment of negative length', [pduOf(4, fragmentOf(1, lastCommand, Buffer.alloc(10), 1))], 6],
    ['a context that was not accepted', [pduOf(4, fragmentOf(99, lastCommand, storeCommand('1.2')))], 6],
    ['a data set without a command', [part], 6],
    ['fragments of two contexts', [store, part, pduOf(4, fragmentOf(1, lastData, Buffer.alloc(4)))], 6],
    ['a command inside a data set', [store, part, store], 6],
    ['a release inside a data set', [store, part, pduOf(5, Buffer.alloc(4))], 6],
    ['a request inside a data set', [store, part, requestPdu()], 2],
    ['a release between command and data set', [store, pduOf(5, Buffer.alloc(4))], 6],
    [
      'a command set beyond the limit',
      Array.from({ length: 8 }, () => pduOf(4, fragmentOf(1, command, Buffer.alloc(10_000)))),
      6,
    ],
  ])('%s is answered with A-ABORT and its reason, and nothing is left', async (_, pdus, reason) => {
    const archive = await startArchive();
    const peer = await accepted(archive);
    for (const pdu of pdus) peer.socket.write(pdu);
    expect(abortReasonOf(await peer.closed())).toEqual({ source: 2, reason });
    await expect.poll(() => archive.reports).toMatchObject([{ callingAeTitle: 'RAW', end: 'aborted' }]);
    expect(archive.stored).toEqual([]);
    await stillServes(archive);
  });

  it('a malformed command set is aborted by the user of the service', async () => {
    const archive = await startArchive();
    const peer = await accepted(archive);
    peer.socket.write(pduOf(4, fragmentOf(1, lastCommand, Buffer.alloc(20, 0xff))));
    expect(abortReasonOf(await peer.closed())).toEqual({ source: 0, reason: 0 });
    await stillServes(archive);
  });

  it('an object that is cut, aborted or never goes on leaves nothing', async () => {
    const archive = await startArchive({ limits: quickLimits });
    const peers = await Promise.all([accepted(archive), accepted(archive), accepted(archive), accepted(archive)]);
    const [cut, reset, aborted] = peers;
    for (const { socket } of peers) {
      socket.write(store);
      socket.write(part);
      socket.write(part.subarray(0, 3_000));
    }
    await expect.poll(() => archive.open.size).toBe(4);
    cut?.socket.end();
    reset?.socket.resetAndDestroy();
    aborted?.socket.write(Buffer.concat([part.subarray(3_000), pduOf(7, Buffer.alloc(4))]));
    await Promise.all(peers.map((peer) => peer.closed()));
    await expect.poll(() => archive.reports.length).toBe(4);
    expect(archive.reports.map(({ end }) => end).toSorted()).toEqual([
      'aborted-by-peer',
      'connection-lost',
      'connection-lost',
      'timed-out',
    ]);
    expect(archive.discarded.length).toBe(4);
    expect(archive.stored).toEqual([]);
    await stillServes(archive);
  });

  it('a peer is waited for only while it has to act', async () => {
    const slow = Promise.withResolvers<void>();
    const archive = await startArchive({ limits: quickLimits }, async () => ({
      write: async () => {},
      commit: () => slow.promise,
      discard: async () => {},
    }));
    const peer = await accepted(archive);
    peer.socket.write(store);
    peer.socket.write(pduOf(4, fragmentOf(storageContext, lastData, dataSet)));
    setTimeout(slow.resolve, quickLimits.peerTimeoutMs * 2);
    const answerOnly = peer.received().length;
    await expect.poll(() => peer.received().length).toBeGreaterThan(answerOnly);
    expect(archive.reports).toEqual([]);
    peer.socket.write(pduOf(5, Buffer.alloc(4)));
    await peer.closed();
    await expect.poll(() => archive.reports).toMatchObject([{ end: 'released' }]);
  });

  it('one that sends faster than the archive stores is held back', async () => {
    const held = Promise.withResolvers<void>();
    let taken = 0;
    const archive = await startArchive({}, async () => ({
      write: async (chunk) => {
        taken += chunk.length;
        if (taken > 500_000) await held.promise;
      },
      commit: async () => {},
      discard: async () => {},
    }));
    const peer = await accepted(archive);
    const big = pduOf(4, fragmentOf(storageContext, data, Buffer.alloc(100_000)));
    peer.socket.write(store);
    peer.socket.write(pduOf(4, fragmentOf(storageContext, data, dataSet.subarray(0, 200))));
    const sent = 64 << 20;
    for (let at = 0; at < sent; at += big.length) peer.socket.write(big);
    await expect.poll(() => taken).toBeGreaterThan(500_000);
    // What the operating system buffers is a few megabytes; the rest stays with the sender.
    expect(peer.socket.writableLength).toBeGreaterThan(sent / 2);
    held.resolve();
    await expect.poll(() => peer.socket.writableLength).toBe(0);
    peer.socket.destroy();
    await expect.poll(() => archive.reports.length).toBe(1);
  });
});

it('a user whose archive does not answer gives up', async () => {
  const { createServer } = await import('node:net');
  const { onTestFinished } = await import('vitest');
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => {
    mute.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    mute.close();
  });
  const { port } = mute.address() as { port: number };
  await expect(openTo({ port }, undefined, quickLimits)).rejects.toMatchObject({ end: 'timed-out' });
  mute.close();
});

it('an archive that stops waits for no TLS handshake', async () => {
  const archive = await startArchive({ tls: {} });
  const peer = await connectRaw(archive.port);
  await archive.close();
  expect((await peer.closed()).length).toBe(0);
});

it('an archive that stops aborts its associations', async () => {
  const archive = await startArchive();
  const association = await openTo(archive);
  await archive.close();
  await expect(createRequests(association).echo(verificationSopClass)).rejects.toMatchObject({
    end: expect.stringMatching(/aborted-by-peer|connection-lost/),
  });
  await expect(openTo(archive)).rejects.toMatchObject({ end: 'connection-lost' });
});
