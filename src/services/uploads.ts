import type { ImportKind } from '../../contract/imports.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { Call, WithBearer } from './call.ts';
import { type Failure, failureOf, ServiceError } from './failure.ts';
import { browserLine, type Line, type Patience, patiently } from './patience.ts';
import type { Turns } from './turns.ts';
import {
  batchRequest,
  isAcknowledged,
  isReadable,
  replyOf,
  type SendableFile,
  shareOut,
  takeBatch,
} from './upload-batch.ts';
import { FileGone, sendInParts } from './upload-parts.ts';
import type { SendBytes, SendMultipart } from './xhr-send.ts';

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
  /** `arrivedBefore`: these bytes were there already, they say nothing of the speed. */
  readonly onProgress: (key: string, loadedBytes: number, arrivedBefore?: boolean) => void;
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

/** Sends the files of an import, several at a time. Returns what stops it; after that it is silent. */
export type UploadFiles = (taskId: string, files: readonly FileToSend[], news: UploadNews) => () => void;

export interface UploadsDependencies {
  readonly origin: string;
  readonly call: Call;
  readonly withBearer: WithBearer;
  readonly sendMultipart: SendMultipart;
  readonly sendBytes: SendBytes;
  /** Shared by all imports: requests on their way at a time. */
  readonly turns: Turns;
  readonly line?: Line;
  /** Pauses before something is sent again, in milliseconds; the last one again and again. */
  readonly pausesMs?: readonly number[];
}

/** Requests of one import that are made ready at a time; how many are on their way the turns say. */
const parallel = 4;

/** Refusals that concern the one file; any other concerns the whole import. */
const ofTheFile: readonly ProblemCode[] = ['too-large', 'too-many-files', 'too-deep', 'invalid-request'];
const isOfTheFile = (failure: Failure): boolean => failure.kind === 'refused' && ofTheFile.includes(failure.code);

/** Sends to the archive: small files many to a request, large ones in parts. */
export const createUploads =
  (deps: UploadsDependencies) =>
  (kind: ImportKind, { partBytes }: Pick<ImportLimits, 'partBytes'>): UploadFiles =>
  (taskId, files, news) => {
    const { origin, withBearer, sendMultipart, turns } = deps;
    const { line = browserLine, pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000] } = deps;
    const controller = new AbortController();
    const { signal } = controller;
    let isWaiting = false;
    const tellWaiting = (next: boolean) => {
      if (signal.aborted || isWaiting === next) return;
      isWaiting = next;
      news.onWaiting(next);
    };
    const patience: Patience = {
      ...{ signal, line, pausesMs },
      onNoAnswer: () => tellWaiting(true),
      onAnswer: () => tellWaiting(false),
    };
    const inTurn = <Result>(work: () => Promise<Result>) => turns.run(taskId, signal, work);
    const tell = (say: () => void) => {
      if (!signal.aborted) say();
    };

    const sendOnce = (batch: readonly SendableFile[]) =>
      inTurn(async () => {
        const { route, form } = batchRequest(taskId, kind, batch);
        const where = `${route.method} ${route.path}`;
        const onProgress = (loaded: number) =>
          tell(() => {
            // Bytes leave: there is a way again, though the answer takes its time.
            if (loaded > 0) tellWaiting(false);
            for (const [key, bytes] of shareOut(batch, loaded)) news.onProgress(key, bytes);
          });
        const answer = await withBearer((bearer) =>
          sendMultipart({ url: `${origin}${route.path}`, bearer, form, signal, onProgress }),
        );
        if (!isAcknowledged(batch, replyOf(answer, route.reply, where)))
          throw new ServiceError({ kind: 'drift', where });
      });

    /** Without those that can no longer be read, which are told of. */
    const readable = async (batch: readonly SendableFile[]): Promise<readonly SendableFile[]> => {
      const states = await Promise.all(batch.map(isReadable));
      return batch.filter(({ key }, index) => {
        if (!states[index]) tell(() => news.onLost(key));
        return states[index];
      });
    };

    /** A request that is refused because of one of its files is halved until that one stands alone. */
    const sendBatch = async (given: readonly SendableFile[]): Promise<void> => {
      let batch = given;
      try {
        await patiently(async () => {
          if (batch.length === 0) return;
          try {
            await sendOnce(batch);
          } catch (error) {
            if (!signal.aborted && failureOf(error).kind === 'offline') {
              for (const { key } of batch) tell(() => news.onProgress(key, 0));
              batch = await readable(batch);
              if (batch.length === 0) return;
            }
            throw error;
          }
        }, patience);
      } catch (error) {
        const failure = failureOf(error);
        if (signal.aborted || !isOfTheFile(failure)) throw error;
        const [only, ...others] = batch;
        if (only && others.length === 0) return tell(() => news.onRefused(only.key, failure));
        const half = Math.ceil(batch.length / 2);
        await sendBatch(batch.slice(0, half));
        return sendBatch(batch.slice(half));
      }
      for (const { key } of batch) tell(() => news.onTaken(key));
    };

    const sendLarge = async (one: SendableFile): Promise<void> => {
      const { key } = one;
      try {
        await sendInParts(deps, {
          ...{ taskId, one, partBytes, patience, inTurn },
          onProgress: (loaded, before) =>
            tell(() => {
              if (!before) tellWaiting(false);
              news.onProgress(key, loaded, before);
            }),
        });
        tell(() => news.onTaken(key));
      } catch (error) {
        if (error instanceof FileGone) return tell(() => news.onLost(key));
        const failure = failureOf(error);
        if (signal.aborted || !isOfTheFile(failure)) throw error;
        tell(() => news.onRefused(key, failure));
      }
    };

    const sendAll = async (): Promise<void> => {
      const queue: SendableFile[] = [];
      for (const { key, path, file } of files) {
        if (!file) tell(() => news.onLost(key));
        else queue.push({ key, path, file });
      }
      const large = queue.filter(({ file }) => file.size > partBytes);
      const small = queue.filter(({ file }) => file.size <= partBytes);
      const work = async (): Promise<void> => {
        while (small.length + large.length > 0) {
          const one = large.shift();
          if (one) await sendLarge(one);
          else await sendBatch(takeBatch(small, kind));
        }
      };
      await Promise.all(Array.from({ length: parallel }, work));
    };

    sendAll().then(
      () => tell(() => news.onFinished(null)),
      (error: unknown) => {
        if (signal.aborted) return;
        controller.abort();
        news.onBroken(failureOf(error));
      },
    );
    return () => controller.abort();
  };
