import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { createBlocks } from './blocks.ts';
import type { WriteReply, WriteRequest } from './write-messages.ts';

/** Size of a shared memory block; bytes travel to the threads in these. */
export const blockBytes = 1 << 19;
/** Total memory for bytes waiting for the disk: faster senders have to wait. */
const blockCount = 64;

/** A file that a thread writes and hashes. */
export interface ThreadFile {
  /** Copies `chunks`, together at most `blockBytes`, and sends them. Waits while too many are pending. */
  readonly write: (chunks: readonly Uint8Array[], position: number) => Promise<void>;
  /** Waits until everything is written. Resolves with the SHA-256 in hex. Rejects with the first file system error. */
  readonly end: () => Promise<string>;
}

interface OpenFile {
  error: Error | null;
  ended: ((sha256: string) => void) | null;
  failed: ((error: Error) => void) | null;
}

interface WriterThread {
  readonly worker: Worker;
  readonly files: Map<number, OpenFile>;
  /** Blocks held by the thread. */
  readonly held: Set<number>;
}

const systemError = (code: string): Error =>
  Object.assign(new Error(`a write failed (${code})`), { code, syscall: 'write' });

/**
 * Creates threads that write and hash, so that the main thread only passes bytes. A file stays with one thread, which preserves its order.
 * Threads start with the first file and do not keep the process alive.
 */
const createWriteThreads = (threads: number) => {
  const blocks = createBlocks(blockCount, blockBytes);
  const writers: WriterThread[] = [];

  const settle = (writer: WriterThread, reply: WriteReply) => {
    const file = writer.files.get(reply.file);
    if (reply.kind === 'written') {
      writer.held.delete(reply.block);
      blocks.giveBack(reply.block);
      if (file && reply.errorCode) file.error ??= systemError(reply.errorCode);
      return;
    }
    leave(writer, reply.file);
    if (file?.error) file.failed?.(file.error);
    else file?.ended?.(reply.sha256);
  };

  const leave = (writer: WriterThread, file: number) => {
    writer.files.delete(file);
    if (writer.files.size === 0) writer.worker.unref();
  };

  /** A thread that died fails its own files, and no others. */
  const removeWriter = (writer: WriterThread, cause: unknown) => {
    const at = writers.indexOf(writer);
    if (at < 0) return;
    writers.splice(at, 1);
    const error = new Error('a thread that writes files died', { cause });
    for (const block of writer.held) blocks.giveBack(block);
    for (const file of writer.files.values()) {
      file.error = error;
      file.failed?.(error);
    }
    writer.files.clear();
  };

  const start = (): WriterThread => {
    const worker = new Worker(new URL('./write-worker.ts', import.meta.url), {
      name: 'writer',
      workerData: { memory: blocks.memory, blockBytes },
    });
    const writer: WriterThread = { worker, files: new Map(), held: new Set() };
    worker.on('message', (reply: WriteReply) => settle(writer, reply));
    worker.on('error', (error) => removeWriter(writer, error));
    worker.on('exit', (code) => removeWriter(writer, code));
    writers.push(writer);
    return writer;
  };

  const leastLoadedWriter = (): WriterThread => {
    const [first, ...rest] = writers;
    if (!first) return start();
    const best = rest.reduce((one, other) => (other.files.size < one.files.size ? other : one), first);
    return best.files.size > 0 && writers.length < threads ? start() : best;
  };

  /** @param descriptor an open file, which the caller closes after `end` has settled */
  return (descriptor: number): ThreadFile => {
    const writer = leastLoadedWriter();
    const file: OpenFile = { error: null, ended: null, failed: null };
    writer.files.set(descriptor, file);
    writer.worker.ref();
    const send = (request: WriteRequest) => writer.worker.postMessage(request);
    return {
      write: async (chunks, position) => {
        const block = await blocks.take();
        if (file.error) {
          blocks.giveBack(block);
          throw file.error;
        }
        writer.held.add(block);
        send({ kind: 'write', file: descriptor, block, length: blocks.fill(block, chunks), position });
      },
      end: () =>
        new Promise((resolve, reject) => {
          if (!writer.files.has(descriptor)) {
            reject(file.error);
            return;
          }
          file.ended = resolve;
          file.failed = reject;
          send({ kind: 'end', file: descriptor });
        }),
    };
  };
};

/** One set of threads for all stores of the process. */
export const writeInThread = createWriteThreads(Math.max(1, Math.min(4, os.availableParallelism())));
