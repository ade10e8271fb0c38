import { importPart, importPartsBegin } from '../../contract/uploads.ts';
import { type Call, queryText, type WithBearer } from './call.ts';
import { failureOf, hasProblemCode, ServiceError, waitReasonOf } from './failure.ts';
import { pause, type RetryOptions, retryUntilAnswered } from './retry.ts';
import { isReadable, replyOf, type SendableFile } from './upload-batch.ts';
import type { SendBytes } from './xhr-send.ts';

export interface PartsDependencies {
  readonly origin: string;
  readonly call: Call;
  readonly withBearer: WithBearer;
  readonly sendBytes: SendBytes;
}

export interface PartsUpload {
  readonly taskId: string;
  readonly one: SendableFile;
  readonly partBytes: number;
  readonly retryOptions: RetryOptions;
  /** Runs a request when the semaphore has a free slot. */
  readonly withSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** `arrivedBefore`: these bytes were uploaded earlier. */
  readonly onProgress: (loadedBytes: number, arrivedBefore: boolean) => void;
}

const where = `${importPart.method} ${importPart.path}`;

/** The bytes can no longer be read: the user must choose the file again. */
export class FileGone extends Error {}

/** Consecutive attempts without progress. */
const maxStalledAttempts = 5;

/**
 * Sends a large file in parts, resuming where the archive stopped, also in an earlier session. Resolves when the whole file is
 * acknowledged.
 * @throws ServiceError refused; drift without progress. FileGone
 */
export const sendInParts = async (deps: PartsDependencies, sending: PartsUpload): Promise<void> => {
  const { origin, call, withBearer, sendBytes } = deps;
  const { taskId: id, one, partBytes, retryOptions, withSlot, onProgress } = sending;
  const { key, path, file } = one;
  const { signal } = retryOptions;

  const begin = () =>
    retryUntilAnswered(
      () => withSlot(() => call(importPartsBegin, { body: { id, key, path, sizeBytes: file.size }, signal })),
      retryOptions,
    );

  const sendPart = (offset: number) =>
    withSlot(async () => {
      const answer = await withBearer((bearer) =>
        sendBytes({
          url: `${origin}${importPart.path}?${queryText({ id, key, offset })}`,
          bearer,
          bytes: file.slice(offset, offset + partBytes),
          signal,
          onProgress: (loaded) => onProgress(Math.min(offset + loaded, file.size), false),
        }),
      );
      return replyOf(answer, importPart.reply, where);
    });

  let furthest = -1;
  let stalledAttempts = 0;
  for (;;) {
    let state = await begin();
    if (!state.file) onProgress(state.receivedBytes, true);
    if (state.receivedBytes > furthest) stalledAttempts = 0;
    else stalledAttempts += 1;
    if (stalledAttempts > maxStalledAttempts) throw new ServiceError({ kind: 'drift', where });
    furthest = Math.max(furthest, state.receivedBytes);
    try {
      while (!state.file) {
        state = await sendPart(state.receivedBytes);
        retryOptions.onAnswer();
      }
      if (state.file.sizeBytes !== file.size) throw new ServiceError({ kind: 'drift', where });
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failureOf(error);
      const isBusy = failure.kind === 'refused' && (failure.status >= 500 || failure.status === 429);
      if (failure.kind === 'offline') {
        if (!(await isReadable(one))) throw new FileGone();
      }
      const waitReason = waitReasonOf(failure);
      if (waitReason) retryOptions.onNoAnswer(waitReason);
      if (failure.kind !== 'offline' && !isBusy && !hasProblemCode(failure, 'conflict')) throw error;
      // Part of the bytes may have arrived: `begin` returns the offset; offline, it waits by itself.
      if (waitReason) stalledAttempts = 0;
      await pause(retryOptions.delaysMs[0] ?? 0, signal, retryOptions.network);
    }
  }
};
