import { Worker } from 'node:worker_threads';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
import { mostDeaths, openInHand } from './in-hand.ts';
import type { JobMessage, JobName, JobReply, JobRequest, Jobs, Urgency } from './jobs.ts';

export interface PoolOptions {
  readonly workers: number;
  /** A job that takes longer is failed, and its worker replaced. */
  readonly timeLimitMs: number;
  readonly maxFileBytes: number;
  /** Heap of one worker. */
  readonly maxHeapMb: number;
  /** Jobs run side by side only while their files together stay below this; one job alone may be larger. */
  readonly maxBytesAtOnce: number;
  /** Workers without work for as long are ended, and their memory with them. */
  readonly idleMs: number;
  /** Where it is written down what is in hand, so that a file that ends the whole process is not tried for ever; null: nowhere. */
  readonly inHandFolder: string | null;
  /** The worker script; for tests. */
  readonly script?: URL;
}

interface WaitingJob {
  readonly request: JobRequest;
  readonly weightBytes: number;
  readonly urgency: Urgency;
  readonly settle: (outcome: Outcome) => void;
}

type Outcome = { readonly answer: Jobs[JobName]['answer'] } | { readonly error: Error };

interface Seat {
  worker: Worker | null;
  job: WaitingJob | null;
  mark: string | null;
  timer: NodeJS.Timeout | null;
}

export interface Pool {
  readonly run: <Name extends JobName>(
    name: Name,
    ask: Jobs[Name]['ask'],
    weightBytes: number,
    urgency?: Urgency,
  ) => Promise<Jobs[Name]['answer']>;
  readonly close: () => Promise<void>;
}

const order: Readonly<Record<Urgency, number>> = { 'waited-for': 0, usual: 1, idle: 2 };

const outcomeOf = (reply: JobReply): Outcome => {
  if ('answer' in reply) return { answer: reply.answer };
  if ('problem' in reply) return { error: new DicomProblem(reply.problem.code, reply.problem.detail) };
  return { error: new Error(reply.failure) };
};

/**
 * Worker threads that take jobs from one queue. A crash or a hang costs the job in hand and nothing else. A file that was in hand when an earlier
 * process died is taken alone, so that no other is suspected with it, and after `mostDeaths` not at all.
 */
export const createPool = (options: PoolOptions): Pool => {
  const queue: WaitingJob[] = [];
  const seats: Seat[] = Array.from({ length: options.workers }, () => ({
    worker: null,
    job: null,
    mark: null,
    timer: null,
  }));
  const inHand = openInHand(options.inHandFolder);
  /** One worker stays free for what is more urgent. */
  const mostIdleJobs = Math.max(1, options.workers - 1);
  let bytesRunning = 0;
  let nextId = 1;
  let closed = false;

  const dismiss = (seat: Seat) => {
    const { worker } = seat;
    seat.worker = null;
    void worker?.terminate();
  };

  const finish = (seat: Seat, outcome: Outcome) => {
    const { job } = seat;
    if (!job) return;
    if (seat.timer) clearTimeout(seat.timer);
    inHand.outlived(job.request.ask.path, seat.mark);
    seat.job = null;
    seat.mark = null;
    seat.timer = setTimeout(dismiss, options.idleMs, seat).unref();
    seat.worker?.unref();
    bytesRunning -= job.weightBytes;
    job.settle(outcome);
    assign();
  };

  /** The worker is gone or must go: its job fails, the next job gets a new worker. */
  const abandon = (seat: Seat, worker: Worker, detail: string, code: DicomProblemCode = 'decode-failed') => {
    if (seat.worker !== worker) return;
    seat.worker = null;
    // Only then can it no longer write its mark.
    void worker.terminate().then(() => finish(seat, { error: new DicomProblem(code, detail) }));
  };

  const start = (seat: Seat): Worker => {
    const worker = new Worker(options.script ?? new URL('./worker.ts', import.meta.url), {
      workerData: { maxFileBytes: options.maxFileBytes },
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb },
      stdout: true,
      stderr: true,
    });
    worker.on('message', (reply: JobReply) => {
      if (seat.worker === worker) finish(seat, outcomeOf(reply));
    });
    worker.on('error', () => abandon(seat, worker, 'the decoder crashed on this file'));
    worker.on('exit', () => abandon(seat, worker, 'the decoder stopped on this file'));
    seat.worker = worker;
    return worker;
  };

  /** Behind all that are at least as urgent. */
  const enqueue = (job: WaitingJob) => {
    const before = queue.findIndex(({ urgency }) => order[urgency] > order[job.urgency]);
    queue.splice(before < 0 ? queue.length : before, 0, job);
  };

  const suspected = (job: WaitingJob) => inHand.deathsOf(job.request.ask.path) > 0;

  const mayStart = (job: WaitingJob): boolean => {
    const running = seats.flatMap((seat) => seat.job ?? []);
    if (running.length === 0) return true;
    if (suspected(job) || running.some(suspected)) return false;
    if (bytesRunning + job.weightBytes > options.maxBytesAtOnce) return false;
    return job.urgency !== 'idle' || running.filter(({ urgency }) => urgency === 'idle').length < mostIdleJobs;
  };

  const assign = () => {
    while (!closed) {
      const [job] = queue;
      const seat = seats.find((candidate) => candidate.job === null);
      if (!job || !seat || !mayStart(job)) return;
      queue.shift();
      const { path } = job.request.ask;
      if (inHand.deathsOf(path) >= mostDeaths) {
        const detail = `the server ended ${mostDeaths} times while it decoded this file`;
        job.settle({ error: new DicomProblem('decode-failed', detail) });
        continue;
      }
      if (seat.timer) clearTimeout(seat.timer);
      bytesRunning += job.weightBytes;
      const worker = seat.worker ?? start(seat);
      worker.ref();
      const id = nextId++;
      seat.job = job;
      seat.mark = inHand.markOf(path, id);
      seat.timer = setTimeout(
        () => abandon(seat, worker, `decoding took longer than ${options.timeLimitMs} ms`, 'took-too-long'),
        options.timeLimitMs,
      );
      worker.postMessage({ id, request: job.request, mark: seat.mark } satisfies JobMessage);
    }
  };

  return {
    run: (name, ask, weightBytes, urgency = 'usual') =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error('the imaging pool is closed'));
          return;
        }
        const settle = (outcome: Outcome) => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.answer as Jobs[typeof name]['answer']);
        };
        enqueue({ request: { name, ask } as JobRequest, weightBytes, urgency, settle });
        assign();
      }),
    close: async () => {
      closed = true;
      const error = new Error('the imaging pool is closed');
      for (const job of queue.splice(0)) job.settle({ error });
      const workers = seats.flatMap((seat) => seat.worker ?? []);
      for (const seat of seats) seat.worker = null;
      await Promise.all(workers.map((worker) => worker.terminate()));
      for (const seat of seats) {
        finish(seat, { error });
        if (seat.timer) clearTimeout(seat.timer);
      }
    },
  };
};
