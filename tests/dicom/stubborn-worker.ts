import { parentPort, threadId } from 'node:worker_threads';
import { layDown, takeInHand } from '../../server/dicom/in-hand.ts';

interface Asked {
  readonly id: number;
  readonly request: { readonly ask: { readonly path: string } };
  readonly mark: string | null;
}

/** A worker that hangs, crashes, stops or ends the whole process when the name of the file says so, and else answers with what it was asked. */
parentPort?.on('message', ({ id, request, mark }: Asked) => {
  const { path } = request.ask;
  takeInHand(mark);
  if (path === 'end') process.kill(process.pid, 'SIGKILL');
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
  layDown(mark);
  if (path === 'fail') parentPort?.postMessage({ id, failure: 'failed' });
  else parentPort?.postMessage({ id, answer: { summary: null, image: null, problems: [], path, thread: threadId } });
});
