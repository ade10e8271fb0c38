import { Worker } from 'node:worker_threads';
import { DicomProblem, type DicomProblemCode } from '../../dicom/problem.ts';
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

/** Worker threads that take jobs from one queue. A crash or a hang costs the job in hand and nothing else. */
export const createPool = (options: PoolOptions): Pool => {
  const queue: WaitingJob[] = [];
  const seats: Seat[] = Array.from({ length: options.workers }, () => ({ worker: null, job: null, timer: null }));
  let bytesRunning = 0;
  let nextId = 1;
  let closed = false;

  const finish = (seat: Seat, outcome: Outcome) => {
    const { job } = seat;
    if (!job) return;
    if (seat.timer) clearTimeout(seat.timer);
    seat.job = null;
    seat.timer = null;
    seat.worker?.unref();
    bytesRunning -= job.weightBytes;
    job.settle(outcome);
    assign();
  };

  /** The worker is gone or must go: its job fails, the next job gets a new worker. */
  const abandon = (seat: Seat, worker: Worker, detail: string, code: DicomProblemCode = 'decode-failed') => {
    if (seat.worker !== worker) return;
    seat.worker = null;
    void worker.terminate();
    finish(seat, { error: new DicomProblem(code, detail) });
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

  const assign = () => {
    while (!closed) {
      const [job] = queue;
      const seat = seats.find((candidate) => candidate.job === null);
      if (!job || !seat) return;
      if (bytesRunning > 0 && bytesRunning + job.weightBytes > options.maxBytesAtOnce) return;
      queue.shift();
      bytesRunning += job.weightBytes;
      const worker = seat.worker ?? start(seat);
      worker.ref();
      seat.job = job;
      seat.timer = setTimeout(
        () => abandon(seat, worker, `decoding took longer than ${options.timeLimitMs} ms`, 'took-too-long'),
        options.timeLimitMs,
      );
      worker.postMessage({ id: nextId++, request: job.request } satisfies JobMessage);
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
      for (const seat of seats) {
        seat.worker = null;
        finish(seat, { error });
      }
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
};
