import { Refusal } from '../refusal.ts';

/** Hashing runs in the same four threads as reading and writing of files: these are left to it. */
const parallel = 2;
/** About four seconds of work. Whoever comes after is told to try again, instead of waiting for a reply that nobody reads any more. */
const longestQueue = 200;

let running = 0;
const waiting: (() => void)[] = [];

/** Does the work when a thread is free for it, in the order of asking. @throws Refusal 'too-many-requests' */
export const inHashingLane = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running < parallel) running += 1;
  else {
    if (waiting.length >= longestQueue) throw new Refusal('too-many-requests');
    // Whoever ends hands its place on, so `running` stays.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
};
