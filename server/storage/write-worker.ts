import { createHash, type Hash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { WriteReply, WriteRequest } from './write-messages.ts';

const { memory, blockBytes } = workerData as { readonly memory: SharedArrayBuffer; readonly blockBytes: number };
const hashes = new Map<number, Hash>();

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';

/** The system may write less than requested, especially on a nearly full disk. */
const writeAll = (file: number, bytes: Uint8Array, position: number): void => {
  let written = 0;
  while (written < bytes.byteLength)
    written += writeSync(file, bytes, written, bytes.byteLength - written, position + written);
};

const take = ({ file, block, length, position }: Extract<WriteRequest, { kind: 'write' }>): WriteReply => {
  const hash = hashes.get(file) ?? createHash('sha256');
  hashes.set(file, hash);
  try {
    const bytes = new Uint8Array(memory, block * blockBytes, length);
    writeAll(file, bytes, position);
    hash.update(bytes);
    return { kind: 'written', file, block, errorCode: null };
  } catch (error) {
    return { kind: 'written', file, block, errorCode: codeOf(error) };
  }
};

parentPort?.on('message', (request: WriteRequest) => {
  if (request.kind === 'write') {
    parentPort?.postMessage(take(request));
    return;
  }
  const hash = hashes.get(request.file) ?? createHash('sha256');
  hashes.delete(request.file);
  parentPort?.postMessage({
    kind: 'ended',
    file: request.file,
    sha256: hash.digest('hex'),
  } satisfies WriteReply);
});
