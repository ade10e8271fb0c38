import type { ProblemCode } from '../../contract/problem.ts';
import { importDicom } from '../../contract/uploads.ts';
import type { WithBearer } from './call.ts';
import { type Failure, failureOf, isWorthRetrying, ServiceError } from './failure.ts';
import { refusalOf } from './refusal.ts';
import type { SendMultipart } from './xhr-send.ts';

export interface FileToSend {
  /** A UUID that no other file has: the sender's own name of it, also for uploads in parts. */
  readonly key: string;
  /** Folders and name within what was chosen, parted by `/`. */
  readonly path: string;
  /** null when the browser no longer has it. */
  readonly file: File | null;
}

/** The names under which an object store has the files of an import. */
export interface AwsNames {
  readonly awsFileName: string;
  readonly awsDirectroryKey: string;
}

/** What becomes of the files; each is told of once as taken, refused or lost, then comes exactly one of finished and broken. */
export interface UploadNews {
  readonly onProgress: (key: string, loadedBytes: number) => void;
  readonly onTaken: (key: string) => void;
  readonly onRefused: (key: string, failure: Failure) => void;
  /** The browser no longer has its bytes, or they changed since it was chosen. */
  readonly onLost: (key: string) => void;
  /** True: no way to the archive now, it is tried again by itself. False: there is one again. */
  readonly onWaiting: (waiting: boolean) => void;
  /** `aws`: for an object store only. */
  readonly onFinished: (aws: AwsNames | null) => void;
  readonly onBroken: (failure: Failure) => void;
}

export interface UploadsDependencies {
  readonly origin: string;
  readonly withBearer: WithBearer;
  readonly sendMultipart: SendMultipart;
  /** Files on their way at a time. */
  readonly parallel?: number;
  /** Pauses before a file is sent again when the line was lost, in milliseconds. */
  readonly pausesMs?: readonly number[];
}

/** Refusals that concern the one file; any other concerns the whole import. */
const ofTheFile: readonly ProblemCode[] = ['too-large', 'invalid-request'];

const where = `POST ${importDicom.path}`;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Sends the files of an import, several at a time. Returns what stops it. */
export type UploadFiles = (taskId: string, files: readonly FileToSend[], news: UploadNews) => () => void;

export const createUploads = (deps: UploadsDependencies): UploadFiles => {
  const { origin, withBearer, sendMultipart, parallel = 3, pausesMs = [1_000, 2_000, 4_000] } = deps;

  const sendOnce = async (taskId: string, file: File, signal: AbortSignal, onProgress: (loaded: number) => void) => {
    const answer = await withBearer((bearer) => {
      const form = new FormData();
      form.append('id', taskId);
      form.append('file', file, file.name);
      return sendMultipart({ url: `${origin}${importDicom.path}`, bearer, form, signal, onProgress });
    });
    const body = parsed(answer.text);
    if (answer.status >= 400) throw new ServiceError(refusalOf(answer.status, body, where));
    if (!importDicom.reply.safeParse(body).success) throw new ServiceError({ kind: 'drift', where });
  };

  const sendPatiently = async (
    taskId: string,
    file: File,
    signal: AbortSignal,
    onProgress: (loaded: number) => void,
  ): Promise<void> => {
    for (const pauseMs of pausesMs) {
      try {
        return await sendOnce(taskId, file, signal, onProgress);
      } catch (error) {
        if (signal.aborted || !isWorthRetrying(failureOf(error))) throw error;
        onProgress(0);
        await pause(pauseMs, signal);
      }
    }
    return sendOnce(taskId, file, signal, onProgress);
  };

  return (taskId, files, news) => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [...files];

    const sendNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { key, file } = next;
        try {
          // The name of a file that the browser lost cannot be sent; it is as if it had been empty.
          if (!file) throw new ServiceError({ kind: 'refused', status: 400, code: 'invalid-request', errors: [] });
          await sendPatiently(taskId, file, signal, (loaded) => {
            if (!signal.aborted) news.onProgress(key, loaded);
          });
          if (!signal.aborted) news.onTaken(key);
        } catch (error) {
          const failure = failureOf(error);
          if (signal.aborted || failure.kind !== 'refused' || !ofTheFile.includes(failure.code)) throw error;
          news.onRefused(key, failure);
        }
      }
    };

    Promise.all(Array.from({ length: parallel }, sendNext)).then(
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
