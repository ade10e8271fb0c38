import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { MutantRun, RunResult } from './worker.ts';

const isResult = (message: unknown): message is RunResult =>
  typeof message === 'object' && message !== null && 'killedBy' in message;

/** Runs suites with a mutant in a process that can be killed, because a mutant may loop without end. */
export const suiteRunner = () => {
  let worker: ChildProcess | null = null;
  const end = () => {
    worker?.kill('SIGKILL');
    worker = null;
  };
  const startWorker = async (): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, 'worker.ts'), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    child.stderr?.pipe(process.stderr, { end: false });
    await once(child, 'message');
    return child;
  };
  const attempt = async (request: MutantRun, timeoutMs: number): Promise<RunResult> => {
    worker ??= await startWorker();
    const child = worker;
    const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
    const killed = (killedBy: string) => resolve({ killedBy, message: '', millisecondsOf: {} });
    const onMessage = (message: unknown) => {
      if (isResult(message)) resolve(message);
      else reject(new Error(String(message)));
    };
    const onExit = () => {
      worker = null;
      if (request.mutant) killed('memory: the process of the suites ended');
      else reject(new Error('The process of the suites ended unexpectedly'));
    };
    child.on('message', onMessage).on('exit', onExit);
    const timer = setTimeout(() => {
      child.off('exit', onExit);
      end();
      killed('time: the suites did not end in time');
    }, timeoutMs);
    child.send(request);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
    });
  };
  /** Retries errors of the test runner itself, which can happen under high load. */
  const run = async (request: MutantRun, timeoutMs: number, tries = 3): Promise<RunResult> => {
    try {
      return await attempt(request, timeoutMs);
    } catch (error) {
      end();
      if (tries <= 1) throw error;
      return run(request, timeoutMs, tries - 1);
    }
  };
  return { run, end };
};
