import { parentPort } from 'node:worker_threads';

/** A worker that hangs, crashes or stops when the path says so, and else answers with what it was asked. */
parentPort?.on('message', ({ id, request }: { id: number; request: { ask: { path: string } } }) => {
  const { path } = request.ask;
  if (path === 'hang') for (;;);
  if (path === 'crash') {
    setImmediate(() => {
      throw new Error('crash');
    });
    return;
  }
  if (path === 'stop') process.exit(3);
  if (path === 'heap') {
    const hoard: number[][] = [];
    for (;;) hoard.push(Array.from({ length: 100_000 }, () => Math.random()));
  }
  if (path === 'fail') parentPort?.postMessage({ id, failure: 'failed' });
  else parentPort?.postMessage({ id, answer: { summary: null, image: null, problems: [], path } });
});
