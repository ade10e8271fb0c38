import { describe, expect, it } from 'vitest';
import { createSharedWork, type Progress } from '../../src/viewer/decode/shared-work.ts';

const controlled = () => {
  const runs: { name: string; signal: AbortSignal; onProgress: Progress; settle: PromiseWithResolvers<string> }[] = [];
  const work = createSharedWork<string>((name, signal, onProgress) => {
    const settle = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => settle.reject(signal.reason));
    runs.push({ name, signal, onProgress, settle });
    return settle.promise;
  });
  return { work, runs };
};

describe('shared work', () => {
  it('runs once for all callers', async () => {
    const { work, runs } = controlled();
    const progress: number[] = [];
    const both = [work.join('a', { onProgress: (loaded) => progress.push(loaded) }), work.join('a', {})];
    runs[0]?.onProgress(5, 10);
    runs[0]?.settle.resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(runs).toHaveLength(1);
    expect(progress).toEqual([5]);
  });

  it('continues while one caller waits, and is aborted when none does', async () => {
    const { work, runs } = controlled();
    const [first, second] = [new AbortController(), new AbortController()];
    const one = work.join('a', { signal: first.signal });
    const other = work.join('a', { signal: second.signal });
    first.abort(new Error('one left'));
    await expect(one).rejects.toThrow('one left');
    expect(runs[0]?.signal.aborted).toBe(false);
    second.abort(new Error('both left'));
    await expect(other).rejects.toThrow('both left');
    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('restarts for a caller that joins after the abort', async () => {
    const { work, runs } = controlled();
    const leaving = new AbortController();
    const gone = work.join('a', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    const later = work.join('a', {});
    runs[1]?.settle.resolve('second');
    await expect(gone).rejects.toThrow('left');
    expect(await later).toBe('second');
  });

  it('rejects all callers on failure, and retries on the next call', async () => {
    const { work, runs } = controlled();
    const both = [work.join('a', {}), work.join('a', {})];
    runs[0]?.settle.reject(new Error('broken'));
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = work.join('a', {});
    runs[1]?.settle.resolve('better');
    expect(await again).toBe('better');
  });
});
