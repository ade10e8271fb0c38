import { ProblemError } from '../domain/problem-error.ts';

/** Hashing shares libuv's four threads with file I/O, which keeps the other two. */
const parallel = 2;
/** About four seconds of work. Further requests are rejected instead of waiting longer than their client does. */
const maxQueueLength = 200;

let running = 0;
const waiting: { readonly start: () => void; readonly since: number }[] = [];

/** Runs the work when a slot is free, in FIFO order. @throws ProblemError 'too-many-requests' */
export const inHashingQueue = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running < parallel) running += 1;
  else {
    if (waiting.length >= maxQueueLength) throw new ProblemError('too-many-requests');
    // A finishing task passes its slot to the next one, so `running` stays the same.
    await new Promise<void>((start) => waiting.push({ start, since: performance.now() }));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next.start();
    else running -= 1;
  }
};

/** Returns the number of requests that wait for a slot, and how long the first has waited. */
export const hashingQueueState = (): { readonly length: number; readonly oldestSeconds: number } => {
  const [first] = waiting;
  return { length: waiting.length, oldestSeconds: first ? (performance.now() - first.since) / 1_000 : 0 };
};
