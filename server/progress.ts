import type { WriteStream } from 'node:tty';

export interface Progress {
  /** A step has begun. */
  step(line: string): void;
  /** So much of a step is done: one line that counts up in a terminal, a line for each tenth elsewhere. */
  count(what: string, done: number, total: number): void;
}

/** Says what the start is busy with, so that nobody waits before a silent screen. */
export const progressOn = (out: Pick<WriteStream, 'write' | 'isTTY'>): Progress => {
  let tenth = -1;
  return {
    step: (line) => out.write(`  ${line} ...\n`),
    count: (what, done, total) => {
      const line = `  ${what}: ${done} of ${total} ...`;
      const reached = total === 0 ? 10 : Math.floor((10 * done) / total);
      if (out.isTTY) out.write(`\r${line}${done >= total ? '\n' : ''}`);
      else if (reached !== tenth) out.write(`${line}\n`);
      tenth = reached;
    },
  };
};
