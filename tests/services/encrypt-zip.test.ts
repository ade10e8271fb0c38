import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { zipFiles } from '../../server/storage/zip-files.ts';
import { encryptZip } from '../../src/services/encrypt-zip.ts';
import { decryptedZip } from '../decrypted-zip.ts';

const files: readonly (readonly [string, Buffer])[] = [
  ['2026-03-12_IO_001.dcm', randomBytes(3_000_001)],
  ['2026-03-12_IO_002.dcm', Buffer.from('secret of Åsa Lindström')],
  ['2026-03-12_IO_003.jpg', Buffer.of(255)],
];
const aZip = async (): Promise<Blob> => {
  const { stream } = zipFiles(
    files.map(([name, bytes]) => ({
      name,
      sizeBytes: bytes.length,
      modifiedAt: new Date('2026-03-12T10:00:00Z'),
      open: async () => Readable.from([bytes]),
    })),
  );
  return new Blob([Uint8Array.from(await buffer(stream))]);
};
const never = new AbortController().signal;

it('encrypts every file of a zip with AES-256, byte for byte and under its name', async () => {
  const progress: number[] = [];
  const encrypted = await encryptZip(await aZip(), 'a password', (bytes) => progress.push(bytes), never);
  const zip = Buffer.from(await encrypted.arrayBuffer());
  expect(zip.includes('Lindström')).toBe(false);
  expect(await decryptedZip(zip, 'a password')).toEqual(files);
  await expect(decryptedZip(zip, 'another')).rejects.toThrow('password is wrong');
  expect(progress.at(-1)).toBe(files.reduce((sum, [, bytes]) => sum + bytes.length, 0));
});

it('stops when it is aborted', async () => {
  const stop = new AbortController();
  const reason = new Error('given up');
  await expect(encryptZip(await aZip(), 'a password', () => stop.abort(reason), stop.signal)).rejects.toBe(reason);
});
