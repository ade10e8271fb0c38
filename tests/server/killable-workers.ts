import type { Worker } from 'node:worker_threads';

/** Preloaded before the server (`node --import`): terminates one of its worker threads per message that names its kind ('decoder', 'writer'). */
const living = new Map<string, Set<Worker>>();
const resolvers = new Map<string, number>();

const end = (worker: Worker): void => {
  void worker.terminate().then(() => process.send?.('ended'));
};

process.on('worker', (worker: Worker) => {
  const kind = worker.threadName ?? '';
  const workers = living.get(kind) ?? new Set();
  living.set(kind, workers.add(worker));
  worker.once('exit', () => workers.delete(worker));
  const waiting = resolvers.get(kind) ?? 0;
  if (waiting === 0) return;
  resolvers.set(kind, waiting - 1);
  worker.once('online', () => end(worker));
});

process.on('message', (kind: string) => {
  const [worker] = living.get(kind) ?? [];
  if (worker) end(worker);
  else resolvers.set(kind, (resolvers.get(kind) ?? 0) + 1);
});
process.channel?.unref();
