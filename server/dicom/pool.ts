import { Worker } from 'node:worker_threads';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
import { StorageError } from '../storage/file-store.ts';
import { maxCrashes, openCrashMarks } from './crash-marks.ts';
import type { JobMessage, JobName, JobReply, JobRequest, Jobs, Urgency } from './jobs.ts';

export interface PoolOptions {
  readonly workers: number;
  /** A job that takes longer fails, and its worker is replaced. */
  readonly timeLimitMs: number;
  readonly maxFileBytes: number;
  /** Heap limit of one worker. */
  readonly maxHeapMb: number;
  /** Jobs run in parallel only while their files together stay below this; a single job may exceed it. */
  readonly maxBytesAtOnce: number;
  /** A worker without a job is terminated after this time, which frees its memory. */
  readonly idleMs: number;
  /** Folder for crash marks, so that a file that crashes the process is not retried forever; null: none. */
  readonly crashMarksFolder: string | null;
  /** Worker script; for tests. */
  readonly script?: URL;
}

interface PoolJob {
  readonly request: JobRequest;
  readonly weightBytes: number;
  readonly urgency: Urgency;
  readonly settle: (outcome: Outcome) => void;
  /** True after its worker died: it is not retried again. */
  readonly isRetry: boolean;
}

type Outcome = { readonly output: Jobs[JobName]['output'] } | { readonly error: Error };

interface WorkerSlot {
  worker: Worker | null;
  job: PoolJob | null;
  mark: string | null;
  timer: NodeJS.Timeout | null;
}

export interface Pool {
  readonly run: <Name extends JobName>(
    name: Name,
    input: Jobs[Name]['input'],
    weightBytes: number,
    urgency?: Urgency,
  ) => Promise<Jobs[Name]['output']>;
  readonly close: () => Promise<void>;
}

const order: Readonly<Record<Urgency, number>> = { 'waited-for': 0, usual: 1, idle: 2 };

const outcomeOf = (reply: JobReply): Outcome => {
  if ('output' in reply) return { output: reply.output };
  if ('problem' in reply) return { error: new DicomProblem(reply.problem.code, reply.problem.detail) };
  if ('damaged' in reply) return { error: new StorageError('damaged', reply.damaged) };
  return { error: new Error(reply.failure) };
};

/**
 * Creates a pool of worker threads with one priority queue. A crash or timeout fails only its job; a job whose worker died is retried once, as
 * it may not have been the cause. A file that was being decoded when an earlier process crashed runs alone, so that no other file is
 * suspected, and after `maxCrashes` not at all.
 */
export const createPool = (options: PoolOptions): Pool => {
  const queue: PoolJob[] = [];
  const slots: WorkerSlot[] = Array.from({ length: options.workers }, () => ({
    worker: null,
    job: null,
    mark: null,
    timer: null,
  }));
  const crashMarks = openCrashMarks(options.crashMarksFolder);
  /** Background jobs leave one worker free for more urgent jobs. */
  const maxBackgroundJobs = Math.max(1, options.workers - 1);
  let bytesRunning = 0;
  let nextId = 1;
  let closed = false;

  const stopWorker = (slot: WorkerSlot) => {
    const { worker } = slot;
    slot.worker = null;
    void worker?.terminate();
  };

  /** Removes the job from its slot and starts the timer that stops the worker. */
  const release = (slot: WorkerSlot): PoolJob | null => {
    const { job } = slot;
    if (!job) return null;
    if (slot.timer) clearTimeout(slot.timer);
    crashMarks.release(job.request.input.path, slot.mark);
    slot.job = null;
    slot.mark = null;
    slot.timer = setTimeout(stopWorker, options.idleMs, slot).unref();
    slot.worker?.unref();
    bytesRunning -= job.weightBytes;
    return job;
  };

  const finish = (slot: WorkerSlot, outcome: Outcome) => {
    const job = release(slot);
    if (!job) return;
    job.settle(outcome);
    assign();
  };

  const repeat = (slot: WorkerSlot) => {
    const job = release(slot);
    if (job) queue.unshift({ ...job, isRetry: true });
    assign();
  };

  /** Replaces a worker that died or must be stopped: its job fails or is retried, and the next job gets a new worker. */
  const replaceWorker = (
    slot: WorkerSlot,
    worker: Worker,
    detail: string,
    code: DicomProblemCode = 'decode-failed',
  ) => {
    if (slot.worker !== worker) return;
    slot.worker = null;
    const canRetry = code === 'decode-failed' && slot.job?.isRetry === false && !closed;
    // Wait for the termination: until then the worker can still write its crash mark.
    void worker
      .terminate()
      .then(() => (canRetry ? repeat(slot) : finish(slot, { error: new DicomProblem(code, detail) })));
  };

  const start = (slot: WorkerSlot): Worker => {
    const worker = new Worker(options.script ?? new URL('./worker.ts', import.meta.url), {
      name: 'decoder',
      workerData: { maxFileBytes: options.maxFileBytes },
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
      stdout: true,
      stderr: true,
    });
    worker.on('message', (reply: JobReply) => {
      if (slot.worker === worker) finish(slot, outcomeOf(reply));
    });
    worker.on('error', () => replaceWorker(slot, worker, 'the decoder crashed on this file'));
    worker.on('exit', () => replaceWorker(slot, worker, 'the decoder stopped on this file'));
    slot.worker = worker;
    return worker;
  };

  /** Inserts behind all jobs that are at least as urgent. */
  const enqueue = (job: PoolJob) => {
    const before = queue.findIndex(({ urgency }) => order[urgency] > order[job.urgency]);
    queue.splice(before < 0 ? queue.length : before, 0, job);
  };

  const isSuspect = (job: PoolJob) => crashMarks.crashesOf(job.request.input.path) > 0;

  const canStart = (job: PoolJob): boolean => {
    const running = slots.flatMap((slot) => slot.job ?? []);
    if (running.length === 0) return true;
    if (isSuspect(job) || running.some(isSuspect)) return false;
    if (bytesRunning + job.weightBytes > options.maxBytesAtOnce) return false;
    return job.urgency !== 'idle' || running.filter(({ urgency }) => urgency === 'idle').length < maxBackgroundJobs;
  };

  const assign = () => {
    while (!closed) {
      const [job] = queue;
      const slot = slots.find((candidate) => candidate.job === null);
      if (!job || !slot || !canStart(job)) return;
      queue.shift();
      const { path } = job.request.input;
      if (crashMarks.crashesOf(path) >= maxCrashes) {
        const detail = `the server ended ${maxCrashes} times while it decoded this file`;
        job.settle({ error: new DicomProblem('decode-failed', detail) });
        continue;
      }
      if (slot.timer) clearTimeout(slot.timer);
      bytesRunning += job.weightBytes;
      const worker = slot.worker ?? start(slot);
      worker.ref();
      const id = nextId++;
      slot.job = job;
      slot.mark = crashMarks.markOf(path, id);
      slot.timer = setTimeout(
        () => replaceWorker(slot, worker, `decoding took longer than ${options.timeLimitMs} ms`, 'took-too-long'),
        options.timeLimitMs,
      );
      worker.postMessage({ id, request: job.request, mark: slot.mark } satisfies JobMessage);
    }
  };

  return {
    run: (name, input, weightBytes, urgency = 'usual') =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error('the imaging pool is closed'));
          return;
        }
        const settle = (outcome: Outcome) => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.output as Jobs[typeof name]['output']);
        };
        enqueue({ request: { name, input } as JobRequest, weightBytes, urgency, settle, isRetry: false });
        assign();
      }),
    close: async () => {
      closed = true;
      const error = new Error('the imaging pool is closed');
      for (const job of queue.splice(0)) job.settle({ error });
      const workers = slots.flatMap((slot) => slot.worker ?? []);
      for (const slot of slots) slot.worker = null;
      await Promise.all(workers.map((worker) => worker.terminate()));
      for (const slot of slots) {
        finish(slot, { error });
        if (slot.timer) clearTimeout(slot.timer);
      }
      crashMarks.close();
    },
  };
};
