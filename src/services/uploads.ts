import type { ImportKind } from '../../contract/imports.ts';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { Call, WithBearer } from './call.ts';
import { type Failure, failureOf, ServiceError, type WaitReason } from './failure.ts';
import { retryUntilAnswered } from './retry.ts';
import type { Semaphore } from './semaphore.ts';
import {
  batchRequest,
  distributeBytes,
  isAcknowledged,
  isReadable,
  replyOf,
  type SendableFile,
  takeBatch,
} from './upload-batch.ts';
import { sendInParts } from './upload-parts.ts';
import { createUploadRun, isFileError, type UploadTiming } from './upload-run.ts';
import type { SendBytes, SendMultipart } from './xhr-send.ts';

export interface FileToSend {
  /** Unique id of the file, also for uploads in parts. */
  readonly key: string;
  /** Path within the chosen folder, separated by `/`. */
  readonly path: string;
  /** null if the browser no longer has the bytes. */
  readonly file: File | null;
}

/** Names of an import's files in the object store. */
export interface AwsNames {
  readonly awsFileName: string;
  readonly awsDirectroryKey: string;
}

/** Receives upload events: each file once as uploaded, refused or lost, then exactly one of finished and broken. */
export interface UploadListener {
  /** `arrivedBefore`: these bytes were uploaded earlier and do not count for the speed. */
  readonly onProgress: (key: string, loadedBytes: number, arrivedBefore?: boolean) => void;
  readonly onUploaded: (key: string) => void;
  readonly onRefused: (key: string, failure: Failure) => void;
  /** The browser no longer has the bytes, or they changed. */
  readonly onLost: (key: string) => void;
  /** Why the upload waits and retries; null: it goes on. */
  readonly onWaiting: (reason: WaitReason | null) => void;
  /** `aws`: with an object store only. */
  readonly onFinished: (aws: AwsNames | null) => void;
  readonly onBroken: (failure: Failure) => void;
}

/** Sends files in parallel. Returns the function that stops it; no events follow. */
export type UploadFiles = (taskId: string, files: readonly FileToSend[], listener: UploadListener) => () => void;

export interface UploadsDependencies extends UploadTiming {
  readonly origin: string;
  readonly call: Call;
  readonly withBearer: WithBearer;
  readonly sendMultipart: SendMultipart;
  readonly sendBytes: SendBytes;
  /** Shared by all imports: limits concurrent requests. */
  readonly semaphore: Semaphore;
}

/** Concurrent workers of one import; the semaphore limits requests. */
const parallel = 4;

/** Creates uploads to the archive: small files in batches, large ones in parts. */
export const createUploads =
  (deps: UploadsDependencies) =>
  (kind: ImportKind, { partBytes }: Pick<ImportLimits, 'partBytes'>): UploadFiles =>
  (taskId, files, listener) => {
    const { origin, withBearer, sendMultipart, semaphore } = deps;
    const run = createUploadRun(listener, deps);
    const { signal, retryOptions, notify, notifySent } = run;
    const withSlot = <Result>(work: () => Promise<Result>) => semaphore.run(taskId, signal, work);

    const sendOnce = (batch: readonly SendableFile[]) =>
      withSlot(async () => {
        const { route, form } = batchRequest(taskId, kind, batch);
        const where = `${route.method} ${route.path}`;
        const onProgress = (loaded: number) =>
          notify(() => {
            // Progress proves that the archive can be reached again.
            if (loaded > 0) notifySent();
            for (const [key, bytes] of distributeBytes(batch, loaded)) listener.onProgress(key, bytes);
          });
        const answer = await withBearer((bearer) =>
          sendMultipart({ url: `${origin}${route.path}`, bearer, form, signal, onProgress }),
        );
        if (!isAcknowledged(batch, replyOf(answer, route.reply, where)))
          throw new ServiceError({ kind: 'drift', where });
      });

    /** Returns the readable files and reports the others as lost. */
    const readable = async (batch: readonly SendableFile[]): Promise<readonly SendableFile[]> => {
      const states = await Promise.all(batch.map(isReadable));
      return batch.filter(({ key }, index) => {
        if (!states[index]) notify(() => listener.onLost(key));
        return states[index];
      });
    };

    /** A batch rejected because of one file is halved until that file is alone. */
    const sendBatch = async (given: readonly SendableFile[]): Promise<void> => {
      let batch = given;
      try {
        await retryUntilAnswered(async () => {
          if (batch.length === 0) return;
          try {
            await sendOnce(batch);
          } catch (error) {
            if (!signal.aborted && failureOf(error).kind === 'offline') {
              for (const { key } of batch) notify(() => listener.onProgress(key, 0));
              batch = await readable(batch);
              if (batch.length === 0) return;
            }
            throw error;
          }
        }, retryOptions);
      } catch (error) {
        const failure = failureOf(error);
        if (signal.aborted || !isFileError(failure)) throw error;
        const [only, ...others] = batch;
        if (only && others.length === 0) return notify(() => listener.onRefused(only.key, failure));
        const half = Math.ceil(batch.length / 2);
        await sendBatch(batch.slice(0, half));
        return sendBatch(batch.slice(half));
      }
      for (const { key } of batch) notify(() => listener.onUploaded(key));
    };

    const sendLarge = (one: SendableFile): Promise<void> => {
      const onProgress = (loaded: number, before: boolean) =>
        notify(() => {
          if (!before) notifySent();
          listener.onProgress(one.key, loaded, before);
        });
      return sendInParts(deps, { taskId, one, partBytes, retryOptions, withSlot, onProgress });
    };

    const queue: SendableFile[] = [];
    for (const { key, path, file } of files) {
      if (!file) notify(() => listener.onLost(key));
      else queue.push({ key, path, file });
    }
    const large = queue.filter(({ file }) => file.size > partBytes);
    const small = queue.filter(({ file }) => file.size <= partBytes);
    const work = async (): Promise<void> => {
      while (small.length + large.length > 0) {
        const one = large.shift();
        if (one) await run.sendFile(one.key, () => sendLarge(one));
        else await sendBatch(takeBatch(small, kind));
      }
    };
    return run.start(parallel, work, () => listener.onFinished(null));
  };
