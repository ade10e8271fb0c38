import type { BenchFile } from './files.ts';

/** An archive of this run: ours or the peer. Times in milliseconds. */
export interface BenchServer {
  readonly name: string;
  /** Sends the files, `concurrency` uploads at once. `acknowledged`: all bytes are acknowledged; `imported`: all images are indexed. */
  readonly take: (
    run: string,
    files: readonly BenchFile[],
    concurrency: number,
  ) => Promise<{ acknowledged: number; imported: number }>;
  /** Reads back and compares every file of the last `take`. Resolves with the duration. */
  readonly readBack: (files: readonly BenchFile[], concurrency: number) => Promise<number>;
  /** Waits until it is idle, because background work must not slow down the other server. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}
