import type { WriteStream } from 'node:tty';

export interface Progress {
  /** Prints the start of a step. */
  step(line: string): void;
  /** Prints progress of a step: one updating line in a terminal, otherwise one line per tenth. */
  count(what: string, done: number, total: number): void;
}

/** Prints the progress of startup. */
export const progressOn = (out: Pick<WriteStream, 'write' | 'isTTY'>): Progress => {
  let tenth = -1;
  return {
    step: (line) => out.write(`  ${line} ...\n`),
    count: (what, done, total) => {
      const line = `  ${what}: ${done} of ${total} ...`;
      const currentTenth = total === 0 ? 10 : Math.floor((10 * done) / total);
      if (out.isTTY) out.write(`\r${line}${done >= total ? '\n' : ''}`);
      else if (currentTenth !== tenth) out.write(`${line}\n`);
      tenth = currentTenth;
    },
  };
};
