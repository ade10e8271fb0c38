import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPool, type Pool, type PoolOptions } from '../../server/dicom/pool.ts';

let pool: Pool | null = null;
afterEach(async () => {
  await pool?.close();
  pool = null;
});

const start = (options: Partial<PoolOptions> = {}): Pool => {
  pool = createPool({
    workers: 1,
    timeLimitMs: 20_000,
    maxFileBytes: 1e9,
    maxHeapMb: 64,
    maxBytesAtOnce: 1000,
    idleMs: 20_000,
    crashMarksFolder: null,
    script: new URL('./stubborn-worker.ts', import.meta.url),
    ...options,
  });
  return pool;
};

const inspect = (running: Pool, path: string, weightBytes = 1) => running.run('inspect', { path }, weightBytes);

describe('the pool of decoders', () => {
  it('runs many jobs with few workers', async () => {
    const running = start({ workers: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => inspect(running, `file ${index}`)));
    expect(answers.map((answer) => (answer as unknown as { path: string }).path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `file ${index}`),
    );
  });

  it.each(['crash', 'stop', 'heap'])('loses only the active job when a worker encounters %s', async (path) => {
    const running = start();
    const bad = inspect(running, path);
    const good = inspect(running, 'good');
    await expect(bad).rejects.toMatchObject({ name: 'DicomProblem', code: 'decode-failed' });
    await expect(good).resolves.toMatchObject({ path: 'good' });
  });

  it('retries the job of a crashed worker once', async () => {
    const running = start();
    process.once('worker', (worker) => void worker.terminate());
    await expect(inspect(running, 'good')).resolves.toMatchObject({ path: 'good' });
  });

  it('replaces a worker that does not respond', async () => {
    const running = start({ timeLimitMs: 1500 });
    const bad = inspect(running, 'hang');
    const good = inspect(running, 'good');
    await expect(bad).rejects.toMatchObject({
      code: 'took-too-long',
      detail: 'decoding took longer than 1500 ms',
    });
    await expect(good).resolves.toMatchObject({ path: 'good' });
  });

  it('passes on errors that are not caused by the file', async () => {
    const running = start();
    await expect(inspect(running, 'fail')).rejects.toThrow(/^failed$/);
    await expect(inspect(running, 'good')).resolves.toMatchObject({ path: 'good' });
  });

  it('limits concurrent heavy jobs, and allows a single one above the limit', async () => {
    const running = start({ workers: 2, timeLimitMs: 1500 });
    const order: string[] = [];
    const timedOut = inspect(running, 'hang', 800).catch(() => order.push('timed out'));
    const heavy = inspect(running, 'heavy', 5000).then(() => order.push('heavy'));
    await Promise.all([timedOut, heavy]);
    expect(order).toEqual(['timed out', 'heavy']);
  });

  it('runs interactive jobs before background jobs', async () => {
    const running = start();
    const order: string[] = [];
    const runJob = (path: string, urgency: 'waited-for' | 'usual' | 'idle') =>
      running.run('inspect', { path }, 1, urgency).then(() => order.push(path));
    // The first starts at once, because the queue is empty.
    await Promise.all([
      runJob('first', 'idle'),
      runJob('idle', 'idle'),
      runJob('usual', 'usual'),
      runJob('waited for', 'waited-for'),
      runJob('usual too', 'usual'),
      runJob('waited for too', 'waited-for'),
    ]);
    expect(order).toEqual(['first', 'waited for', 'waited for too', 'usual', 'usual too', 'idle']);
  });

  it('keeps a worker free during background jobs', async () => {
    const running = start({ workers: 2, timeLimitMs: 4000 });
    const order: string[] = [];
    const runJob = (path: string, urgency: 'usual' | 'idle') =>
      running
        .run('inspect', { path }, 1, urgency)
        .catch(() => undefined)
        .then(() => order.push(path));
    const idle = [runJob('hang', 'idle'), runJob('idle too', 'idle')];
    await runJob('usual', 'usual');
    await Promise.all(idle);
    expect(order).toEqual(['usual', 'hang', 'idle too']);
  });

  it('terminates idle workers, and starts new ones on demand', async () => {
    const running = start({ idleMs: 1 });
    const threadOf = async () => (await inspect(running, 'thread')) as unknown as { thread: number };
    const first = await threadOf();
    await vi.waitFor(async () => expect((await threadOf()).thread).not.toBe(first.thread), { timeout: 10_000 });
  });

  it('rejects running, waiting and new jobs when closed', async () => {
    const running = start();
    const outcomes = Promise.allSettled([inspect(running, 'hang'), inspect(running, 'waiting')]);
    await running.close();
    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    await expect(inspect(running, 'late')).rejects.toThrow('closed');
  });
});
