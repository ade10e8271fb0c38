import type { ProblemCode } from '../../contract/problem.ts';
import { type Failure, failureOf, type WaitReason } from './failure.ts';
import { browserNetwork, type Network, type RetryOptions } from './retry.ts';
import { FileGone } from './upload-parts.ts';

export interface UploadTiming {
  readonly network?: Network;
  /** Delays before retries in milliseconds; the last one repeats. */
  readonly delaysMs?: readonly number[];
}

interface RunListener {
  readonly onUploaded: (key: string) => void;
  readonly onRefused: (key: string, failure: Failure) => void;
  readonly onLost: (key: string) => void;
  /** Null: the upload goes on. */
  readonly onWaiting: (reason: WaitReason | null) => void;
  readonly onBroken: (failure: Failure) => void;
}

/** Error codes about a single file; any other code ends the whole import. */
const fileErrorCodes: readonly ProblemCode[] = ['too-large', 'too-many-files', 'too-deep', 'invalid-request'];
export const isFileError = (failure: Failure): boolean =>
  failure.kind === 'refused' && fileErrorCodes.includes(failure.code);

/** Creates one upload of an import: it is stopped as a whole, reports each file once, and whether it waits for the archive. */
export const createUploadRun = (
  listener: RunListener,
  { network = browserNetwork, delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000] }: UploadTiming,
) => {
  const controller = new AbortController();
  const { signal } = controller;
  let waitReason: WaitReason | null = null;
  const notify = (report: () => void) => {
    if (!signal.aborted) report();
  };
  const notifyWaiting = (next: WaitReason | null) => {
    if (waitReason === next) return;
    waitReason = next;
    notify(() => listener.onWaiting(next));
  };
  const retryOptions: RetryOptions = {
    signal,
    network,
    delaysMs,
    onNoAnswer: notifyWaiting,
    onAnswer: () => notifyWaiting(null),
  };
  return {
    signal,
    retryOptions,
    /** Runs a report unless the upload was stopped. */
    notify,
    /** Sent bytes prove the connection, not that the archive stores them. */
    notifySent: () => {
      if (waitReason === 'connection') notifyWaiting(null);
    },
    /** Sends one file and reports how it ended. @throws what ends the whole import */
    sendFile: async (key: string, send: () => Promise<void>): Promise<void> => {
      try {
        await send();
        notify(() => listener.onUploaded(key));
      } catch (error) {
        if (error instanceof FileGone) return notify(() => listener.onLost(key));
        const failure = failureOf(error);
        if (signal.aborted || !isFileError(failure)) throw error;
        notify(() => listener.onRefused(key, failure));
      }
    },
    /** Runs workers until all have ended or one fails. Returns the function that stops the upload. */
    start: (workers: number, work: () => Promise<void>, onFinished: () => void): (() => void) => {
      Promise.all(Array.from({ length: workers }, () => work())).then(
        () => notify(onFinished),
        (error: unknown) => {
          if (signal.aborted) return;
          controller.abort();
          listener.onBroken(failureOf(error));
        },
      );
      return () => controller.abort();
    },
  };
};
