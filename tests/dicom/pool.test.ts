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
    inHandFolder: null,
    script: new URL('./stubborn-worker.ts', import.meta.url),
    ...options,
  });
  return pool;
};

const inspect = (running: Pool, path: string, weightBytes = 1) => running.run('inspect', { path }, weightBytes);

describe('the pool of decoders', () => {
  it('answers many jobs with few workers', async () => {
    const running = start({ workers: 2 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => inspect(running, `file ${index}`)));
    expect(answers.map((answer) => (answer as unknown as { path: string }).path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `file ${index}`),
    );
  });

  it.each(['crash', 'stop', 'heap'])('loses only the job in hand when a worker meets %s', async (path) => {
    const running = start();
    const bad = inspect(running, path);
    const good = inspect(running, 'good');
    await expect(bad).rejects.toMatchObject({ name: 'DicomProblem', code: 'decode-failed' });
    await expect(good).resolves.toMatchObject({ path: 'good' });
  });

  it('replaces a worker that hangs', async () => {
    const running = start({ timeLimitMs: 1500 });
    const bad = inspect(running, 'hang');
    const good = inspect(running, 'good');
    await expect(bad).rejects.toMatchObject({
      code: 'took-too-long',
      detail: 'decoding took longer than 1500 ms',
    });
    await expect(good).resolves.toMatchObject({ path: 'good' });
  });

  it('passes on a failure that is none of the file', async () => {
    const running = start();
    await expect(inspect(running, 'fail')).rejects.toThrow(/^failed$/);
    await expect(inspect(running, 'good')).resolves.toMatchObject({ path: 'good' });
  });

  it('lets heavy jobs wait for each other, and one alone be heavier than all', async () => {
    const running = start({ workers: 2, timeLimitMs: 1500 });
    const order: string[] = [];
    const hung = inspect(running, 'hang', 800).catch(() => order.push('hung'));
    const heavy = inspect(running, 'heavy', 5000).then(() => order.push('heavy'));
    await Promise.all([hung, heavy]);
    expect(order).toEqual(['hung', 'heavy']);
  });

  it('takes what somebody waits for first, and last what nobody does', async () => {
    const running = start();
    const order: string[] = [];
    const ask = (path: string, urgency: 'waited-for' | 'usual' | 'idle') =>
      running.run('inspect', { path }, 1, urgency).then(() => order.push(path));
    // The first is taken at once, since nothing else is there yet.
    await Promise.all([
      ask('first', 'idle'),
      ask('idle', 'idle'),
      ask('usual', 'usual'),
      ask('waited for', 'waited-for'),
      ask('usual too', 'usual'),
      ask('waited for too', 'waited-for'),
    ]);
    expect(order).toEqual(['first', 'waited for', 'waited for too', 'usual', 'usual too', 'idle']);
  });

  it('keeps a worker free while work is done that nobody waits for', async () => {
    const running = start({ workers: 2, timeLimitMs: 4000 });
    const order: string[] = [];
    const ask = (path: string, urgency: 'usual' | 'idle') =>
      running
        .run('inspect', { path }, 1, urgency)
        .catch(() => undefined)
        .then(() => order.push(path));
    const idle = [ask('hang', 'idle'), ask('idle too', 'idle')];
    await ask('usual', 'usual');
    await Promise.all(idle);
    expect(order).toEqual(['usual', 'hang', 'idle too']);
  });

  it('ends workers that have nothing to do, and starts others', async () => {
    const running = start({ idleMs: 1 });
    const threadOf = async () => (await inspect(running, 'thread')) as unknown as { thread: number };
    const first = await threadOf();
    await vi.waitFor(async () => expect((await threadOf()).thread).not.toBe(first.thread), { timeout: 10_000 });
  });

  it('rejects what runs, what waits and what comes when it is closed', async () => {
    const running = start();
    const outcomes = Promise.allSettled([inspect(running, 'hang'), inspect(running, 'waiting')]);
    await running.close();
    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    await expect(inspect(running, 'late')).rejects.toThrow('closed');
  });
});
