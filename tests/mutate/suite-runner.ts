import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Order, Outcome } from './worker.ts';

const isOutcome = (message: unknown): message is Outcome =>
  typeof message === 'object' && message !== null && 'caughtBy' in message;

/** Runs suites with a fault in a process that can be ended: a fault may well make a machine run in circles. */
export const suiteRunner = () => {
  let worker: ChildProcess | null = null;
  const end = () => {
    worker?.kill('SIGKILL');
    worker = null;
  };
  const begun = async (): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, 'worker.ts'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.stderr?.pipe(process.stderr, { end: false });
    await once(child, 'message');
    return child;
  };
  const attempt = async (order: Order, patienceMs: number): Promise<Outcome> => {
    worker ??= await begun();
    const child = worker;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const caught = (caughtBy: string) => resolve({ caughtBy, message: '', millisecondsOf: {} });
    const hear = (message: unknown) => {
      if (isOutcome(message)) resolve(message);
      else reject(new Error(String(message)));
    };
    const lose = () => {
      worker = null;
      if (order.fault) caught('memory: the process that runs the suites did not survive it');
      else reject(new Error('The process that runs the suites ended by itself'));
    };
    child.on('message', hear).on('exit', lose);
    const timer = setTimeout(() => {
      child.off('exit', lose);
      end();
      caught('time: the suites no longer come to an end');
    }, patienceMs);
    child.send(order);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', lose);
    });
  };
  /** What fails without a word about the machine is tried again: a machine under load starves the test runner. */
  const run = async (order: Order, patienceMs: number, tries = 3): Promise<Outcome> => {
    try {
      return await attempt(order, patienceMs);
    } catch (error) {
      end();
      if (tries <= 1) throw error;
      return run(order, patienceMs, tries - 1);
    }
  };
  return { run, end };
};
