import type { BenchFile } from './files.ts';

/** An archive of this run: ours or the peer. Times in milliseconds. */
export interface BenchServer {
  readonly name: string;
  /** Sends the files, `lanes` uploads at once. `acknowledged`: all bytes are said to be safe; `imported`: all images are in the index. */
  readonly take: (
    run: string,
    files: readonly BenchFile[],
    lanes: number,
  ) => Promise<{ acknowledged: number; imported: number }>;
  /** Reads every file of the last `take` back and compares it. Resolves with the time that it took. */
  readonly readBack: (files: readonly BenchFile[], lanes: number) => Promise<number>;
  /** Waits until it does nothing more: what it makes of the images afterwards must not slow the other one down. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}
