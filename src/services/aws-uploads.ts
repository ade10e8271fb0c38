import { awsBegin, awsComplete } from '../../contract/aws-uploads.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { inTurn } from './aws-turns.ts';
import type { Call } from './call.ts';
import { type Failure, failureOf, isRefusedAs, isWorthRetrying, ServiceError } from './failure.ts';
import type { FileToSend, UploadFiles } from './uploads.ts';
import type { SendPart } from './xhr-put.ts';

export interface AwsUploadsDependencies {
  readonly call: Call;
  readonly sendPart: SendPart;
  /** Parts on their way at a time, of all files together. */
  readonly parallel?: number;
  /** Pauses before something is tried again when the line was lost, in milliseconds. */
  readonly pausesMs?: readonly number[];
}

type Begun = ReplyOf<typeof awsBegin>;

/** Refusals that concern the one file; any other concerns the whole import. */
const ofTheFile: readonly ProblemCode[] = ['too-large', 'invalid-request'];

/** The file is not what it was when it was chosen: moved, deleted, or changed. */
const fileGone = (): ServiceError =>
  new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [{ fieldKey: 'file' }] });

/** The store takes this address no more: it has expired, or the upload was ended. The archive gives new ones. */
class AddressSpent extends Error {}

const isReadable = (blob: Blob): Promise<boolean> =>
  blob
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** `signal` ends the pause by its reason. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/**
 * Sends the files of an import straight to the object store, in parts, several at a time. The archive says which parts are missing and signs
 * an address for each; the store hears nothing but the bytes. Whatever breaks off, the same key finds what has arrived: stopping and starting
 * again goes on where it stopped.
 */
export const createAwsUploads = (deps: AwsUploadsDependencies): UploadFiles => {
  const { call, sendPart, parallel = 4, pausesMs = [1_000, 2_000, 4_000, 8_000] } = deps;

  return (taskId, files, news) => {
    const controller = new AbortController();
    const { signal } = controller;
    const turns = inTurn(parallel);
    const waiting = [...files];

    /** Does it again after each pause, as long as a second try may help. */
    const patiently = async <Result>(work: () => Promise<Result>, until: AbortSignal): Promise<Result> => {
      for (const pauseMs of pausesMs) {
        try {
          return await work();
        } catch (error) {
          if (until.aborted || !isWorthRetrying(failureOf(error))) throw error;
          await pause(pauseMs, until);
        }
      }
      return work();
    };

    const sendOnePart = async (url: string, body: Blob, until: AbortSignal, onProgress: (loaded: number) => void) => {
      const { status } = await turns(until, () => sendPart({ url, body, signal: until, onProgress })).catch(
        async (error: unknown) => {
          if (!until.aborted && !(await isReadable(body))) throw fileGone();
          throw error;
        },
      );
      if (status < 300) return;
      if (status < 500 && status !== 408 && status !== 429) throw new AddressSpent();
      throw new ServiceError({ kind: 'refused', status: 503, code: 'internal', errors: [] });
    };

    /** Sends what is missing of a file. The first part that fails stops the others of this file. */
    const sendMissing = async (key: string, file: File, begun: Begun): Promise<void> => {
      const failed = new AbortController();
      const until = AbortSignal.any([signal, failed.signal]);
      const loaded = new Map<number, number>();
      const tell = () => {
        if (signal.aborted) return;
        let sum = begun.receivedBytes;
        for (const bytes of loaded.values()) sum += bytes;
        news.onProgress(key, Math.min(sum, file.size));
      };
      tell();
      const sent = begun.missing.map(async ({ number, url }) => {
        const first = (number - 1) * begun.partBytes;
        const body = file.slice(first, first + begun.partBytes);
        const onProgress = (bytes: number) => {
          loaded.set(number, Math.min(bytes, body.size));
          tell();
        };
        try {
          await patiently(() => sendOnePart(url, body, until, onProgress), until);
          onProgress(body.size);
        } catch (error) {
          failed.abort(error);
          throw error;
        }
      });
      await Promise.allSettled(sent);
      signal.throwIfAborted();
      failed.signal.throwIfAborted();
    };

    /** Until the file stands in the ledger. Asks the archive anew as long as that brings it nearer. */
    const sendFile = async ({ key, file }: FileToSend): Promise<void> => {
      if (!file) throw fileGone();
      const body = { id: taskId, key, path: file.webkitRelativePath || file.name, sizeBytes: file.size };
      const pauses = [...pausesMs];
      let most = -1;
      for (;;) {
        const begun = await patiently(() => call(awsBegin, { body, signal }), signal);
        if (begun.fileId !== null) return;
        if (begun.receivedBytes <= most) {
          const pauseMs = pauses.shift();
          if (pauseMs === undefined) throw new ServiceError({ kind: 'offline' });
          await pause(pauseMs, signal);
        }
        most = Math.max(most, begun.receivedBytes);
        try {
          await sendMissing(key, file, begun);
          await patiently(() => call(awsComplete, { body: { id: taskId, key }, signal }), signal);
          return;
        } catch (error) {
          const partMissing = isRefusedAs(failureOf(error), 'conflict');
          if (signal.aborted || !(error instanceof AddressSpent || partMissing)) throw error;
        }
      }
    };

    const sendNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { key } = next;
        try {
          await sendFile(next);
          if (!signal.aborted) news.onTaken(key);
        } catch (error) {
          const failure: Failure = failureOf(error);
          if (signal.aborted || failure.kind !== 'refused' || !ofTheFile.includes(failure.code)) throw error;
          news.onRefused(key, failure);
        }
      }
    };

    // Twice as many files as parts: while one asks the archive, another one's bytes use the line.
    Promise.all(Array.from({ length: parallel * 2 }, sendNext)).then(
      () => {
        if (!signal.aborted) news.onFinished(null);
      },
      (error: unknown) => {
        if (signal.aborted) return;
        controller.abort();
        news.onBroken(failureOf(error));
      },
    );
    return () => controller.abort();
  };
};
