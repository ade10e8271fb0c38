import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DrawReply, DrawRequest } from './draw-worker.ts';
import type { ImageIdentity, Recipe } from './recipe.ts';

export interface DrawPool {
  /** Draws an image in the next free worker and returns the bytes of its DICOM file. */
  drawImage(recipe: Recipe, identity: ImageIdentity): Promise<Uint8Array>;
  readonly size: number;
  /** Terminates the workers; pending drawings are rejected. */
  close(): Promise<void>;
}

interface Job {
  readonly request: DrawRequest;
  resolve(bytes: Uint8Array): void;
  reject(reason: Error): void;
}

/** Creates a pool of drawing worker threads. They start with the first image and keep the process alive until closed. */
export const createDrawPool = (size = Math.max(1, Math.min(4, availableParallelism()))): DrawPool => {
  const waiting: Job[] = [];
  const busy = new Map<Worker, Job>();
  const idle: Worker[] = [];
  let closed = false;
  let nextId = 0;

  const feed = (worker: Worker): void => {
    const job = waiting.shift();
    if (job === undefined) idle.push(worker);
    else {
      busy.set(worker, job);
      worker.postMessage(job.request);
    }
  };

  const start = (): Worker => {
    const worker = new Worker(new URL('./draw-worker.ts', import.meta.url));
    worker.on('message', (reply: DrawReply) => {
      const job = busy.get(worker);
      busy.delete(worker);
      if ('bytes' in reply) job?.resolve(reply.bytes);
      else job?.reject(new Error(`An image of the demo clinic could not be drawn: ${reply.failure}`));
      feed(worker);
    });
    const lose = (reason: Error): void => {
      busy.get(worker)?.reject(reason);
      busy.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    };
    worker.on('error', (error) => lose(error instanceof Error ? error : new Error('A drawing worker failed')));
    worker.on('exit', () => {
      lose(new Error('A drawing worker ended early'));
      // Waiting jobs must not wait for a terminated worker.
      if (!closed && waiting.length > 0 && busy.size < size) feed(start());
    });
    return worker;
  };

  return {
    size,
    drawImage: (recipe, identity) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error('The drawing workers are closed'));
          return;
        }
        waiting.push({ request: { id: nextId++, recipe, identity }, resolve, reject });
        const worker = idle.pop() ?? (busy.size < size ? start() : undefined);
        if (worker !== undefined) feed(worker);
      }),
    close: async () => {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Error('The drawing workers are closed'));
      await Promise.all([...busy.keys(), ...idle].map((worker) => worker.terminate()));
    },
  };
};
