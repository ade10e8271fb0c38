import { parentPort, threadId } from 'node:worker_threads';
import { removeMark, writeMark } from '../../server/dicom/crash-marks.ts';
import type { JobMessage } from '../../server/dicom/jobs.ts';

/** A worker that hangs, crashes, stops or ends the process depending on the file name, and otherwise echoes the request. */
parentPort?.on('message', ({ id, request, mark }: JobMessage) => {
  const { path } = request.input;
  writeMark(mark);
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
  removeMark(mark);
  if (path === 'fail') parentPort?.postMessage({ id, failure: 'failed' });
  else parentPort?.postMessage({ id, output: { summary: null, image: null, problems: [], path, thread: threadId } });
});
