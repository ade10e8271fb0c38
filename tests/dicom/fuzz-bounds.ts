import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Far more than any input takes on a busy machine. */
const slowMs = 2_000;
const mostGrowth = 400;

/** The most memory since this program began, in megabytes (proc(5)). */
const peakMegabytes = (): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

/** Measures the time of each input, and by how much all of them raise the most memory of this process. */
export const fuzzBounds = () => {
  const before = peakMegabytes();
  let slowest = 0;
  return {
    run: async (name: string, work: () => unknown): Promise<void> => {
      const started = performance.now();
      await work();
      const ms = performance.now() - started;
      slowest = Math.max(slowest, ms);
      if (ms > slowMs) expect.fail(`${name} took ${Math.round(ms)} ms`);
    },
    check: (): void => {
      const growth = peakMegabytes() - before;
      console.log(`slowest ${Math.round(slowest)} ms, ${Math.round(growth)} MB more`);
      expect(growth).toBeLessThan(mostGrowth);
    },
  };
};
