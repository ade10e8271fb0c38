import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { createBlocks } from './blocks.ts';
import type { WriteReply, WriteRequest } from './write-messages.ts';

/** One block of shared memory; a file travels to its thread in these. */
export const blockBytes = 1 << 19;
/** All of the memory in which bytes wait for the disk: whoever sends faster than it takes them waits. */
const blockCount = 64;

/** A file that a thread writes and hashes. */
export interface ThreadFile {
  /** Copies `chunks`, together at most `blockBytes`, and hands them on. Waits while too many are on their way. */
  readonly write: (chunks: readonly Uint8Array[], position: number) => Promise<void>;
  /** Waits until everything is written. Resolves with the SHA-256 in hex. Rejects with the first error of the file system. */
  readonly end: () => Promise<string>;
}

interface OpenFile {
  fault: Error | null;
  ended: ((sha256: string) => void) | null;
  failed: ((error: Error) => void) | null;
}

interface Seat {
  readonly worker: Worker;
  readonly files: Map<number, OpenFile>;
  /** Blocks that lie with the thread. */
  readonly held: Set<number>;
}

const systemError = (code: string): Error =>
  Object.assign(new Error(`a write failed (${code})`), { code, syscall: 'write' });

/**
 * Threads that write and hash, so that the main thread only carries bytes. A file stays with one thread, which keeps its order.
 * Threads start with the first file and keep no program running.
 */
const createWriteThreads = (threads: number) => {
  const blocks = createBlocks(blockCount, blockBytes);
  const seats: Seat[] = [];

  const settle = (seat: Seat, reply: WriteReply) => {
    const file = seat.files.get(reply.file);
    if (reply.kind === 'written') {
      seat.held.delete(reply.block);
      blocks.giveBack(reply.block);
      if (file && reply.fault) file.fault ??= systemError(reply.fault);
      return;
    }
    leave(seat, reply.file);
    if (file?.fault) file.failed?.(file.fault);
    else file?.ended?.(reply.sha256);
  };

  const leave = (seat: Seat, file: number) => {
    seat.files.delete(file);
    if (seat.files.size === 0) seat.worker.unref();
  };

  /** A thread that died takes its files with it, and nothing else. */
  const bury = (seat: Seat, cause: unknown) => {
    const at = seats.indexOf(seat);
    if (at < 0) return;
    seats.splice(at, 1);
    const error = new Error('a thread that writes files died', { cause });
    for (const block of seat.held) blocks.giveBack(block);
    for (const file of seat.files.values()) {
      file.fault = error;
      file.failed?.(error);
    }
    seat.files.clear();
  };

  const start = (): Seat => {
    const worker = new Worker(new URL('./write-worker.ts', import.meta.url), {
      workerData: { memory: blocks.memory, blockBytes },
    });
    const seat: Seat = { worker, files: new Map(), held: new Set() };
    worker.on('message', (reply: WriteReply) => settle(seat, reply));
    worker.on('error', (error) => bury(seat, error));
    worker.on('exit', (code) => bury(seat, code));
    seats.push(seat);
    return seat;
  };

  const seatWithLeast = (): Seat => {
    const [first, ...rest] = seats;
    if (!first) return start();
    const best = rest.reduce((one, other) => (other.files.size < one.files.size ? other : one), first);
    return best.files.size > 0 && seats.length < threads ? start() : best;
  };

  /** @param descriptor an open file, which the caller closes after `end` has settled */
  return (descriptor: number): ThreadFile => {
    const seat = seatWithLeast();
    const file: OpenFile = { fault: null, ended: null, failed: null };
    seat.files.set(descriptor, file);
    seat.worker.ref();
    const post = (request: WriteRequest) => seat.worker.postMessage(request);
    return {
      write: async (chunks, position) => {
        const block = await blocks.take();
        if (file.fault) {
          blocks.giveBack(block);
          throw file.fault;
        }
        seat.held.add(block);
        post({ kind: 'write', file: descriptor, block, length: blocks.fill(block, chunks), position });
      },
      end: () =>
        new Promise((resolve, reject) => {
          if (!seat.files.has(descriptor)) {
            reject(file.fault);
            return;
          }
          file.ended = resolve;
          file.failed = reject;
          post({ kind: 'end', file: descriptor });
        }),
    };
  };
};

/** One set of threads for all stores of the process. */
export const writeInThread = createWriteThreads(Math.max(1, Math.min(4, os.availableParallelism())));
