import { awsBegin, awsComplete } from '../../contract/aws-uploads.ts';
import { AddressExpired, sendMissingParts } from './aws-parts.ts';
import type { Call } from './call.ts';
import { failureOf, hasProblemCode, ServiceError } from './failure.ts';
import { pause, retryUntilAnswered } from './retry.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import type { SendableFile } from './upload-batch.ts';
import { createUploadRun, type UploadTiming } from './upload-run.ts';
import type { AwsNames, UploadFiles } from './uploads.ts';
import type { SendPart } from './xhr-put.ts';

export interface AwsUploadsDependencies extends UploadTiming {
  readonly call: Call;
  readonly sendPart: SendPart;
  /** Shared by all imports: limits concurrent parts. */
  readonly semaphore?: Semaphore;
}

/** Concurrent files of one import: twice the parts, so that bytes are sent while other files wait for the archive. */
const parallel = 8;

/** Consecutive attempts without progress. */
const maxStalledAttempts = 5;

const where = `${awsComplete.method} ${awsComplete.path}`;

/**
 * Creates uploads of files directly to the object store, in parallel parts. The archive lists missing parts with signed addresses. Uploads
 * are resumable: the key of a file identifies what has arrived.
 */
export const createAwsUploads = (deps: AwsUploadsDependencies): UploadFiles => {
  const { call, sendPart, semaphore = createSemaphore(4) } = deps;

  return (taskId, files, listener) => {
    const run = createUploadRun(listener, deps);
    const { signal, retryOptions, notify } = run;
    let names: AwsNames | null = null;

    /** Sends missing parts and completes the upload. Returns false if parts are still missing or addresses expired. */
    const sendAndComplete = async (one: SendableFile, start: Awaited<ReturnType<typeof begin>>): Promise<boolean> => {
      try {
        await sendMissingParts({
          one,
          start,
          sendPart,
          retryOptions,
          withSlot: (until, work) => semaphore.run(taskId, until, work),
          onProgress: (loaded, before) => notify(() => listener.onProgress(one.key, loaded, before)),
        });
        await retryUntilAnswered(() => call(awsComplete, { body: { id: taskId, key: one.key }, signal }), retryOptions);
        return true;
      } catch (error) {
        if (signal.aborted || !(error instanceof AddressExpired || hasProblemCode(failureOf(error), 'conflict')))
          throw error;
        return false;
      }
    };

    const begin = ({ key, path, file }: SendableFile) =>
      retryUntilAnswered(
        () => call(awsBegin, { body: { id: taskId, key, path, sizeBytes: file.size }, signal }),
        retryOptions,
      );

    /** Repeats until the archive has stored the file. @throws ServiceError drift without progress; FileGone */
    const sendFile = async (one: SendableFile): Promise<void> => {
      let furthest = -1;
      let stalledAttempts = 0;
      for (;;) {
        const start = await begin(one);
        const { awsFileName, awsDirectroryKey, receivedBytes, fileId } = start;
        names = { awsFileName, awsDirectroryKey };
        if (fileId !== null || (await sendAndComplete(one, start))) return;
        stalledAttempts = receivedBytes > furthest ? 0 : stalledAttempts + 1;
        if (stalledAttempts > maxStalledAttempts) throw new ServiceError({ kind: 'drift', where });
        furthest = Math.max(furthest, receivedBytes);
        if (stalledAttempts > 0) await pause(retryOptions.delaysMs[0] ?? 0, signal, retryOptions.network);
      }
    };

    const waiting = [...files];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { key, path, file } = next;
        if (file) await run.sendFile(key, () => sendFile({ key, path, file }));
        else notify(() => listener.onLost(key));
      }
    };
    return run.start(parallel, work, () => listener.onFinished(names));
  };
};
