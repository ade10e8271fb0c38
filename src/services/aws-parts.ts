import type { awsBegin } from '../../contract/aws-uploads.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { failureOf, ServiceError } from './failure.ts';
import { type RetryOptions, retryUntilAnswered } from './retry.ts';
import { isReadable, type SendableFile } from './upload-batch.ts';
import { FileGone } from './upload-parts.ts';
import type { SendPart } from './xhr-put.ts';

/** The archive's reply: missing parts with their signed addresses. */
export type UploadStart = ReplyOf<typeof awsBegin>;

/** The object store rejected an address: it has expired or the upload has ended. The archive issues new ones. */
export class AddressExpired extends Error {}

export interface MissingParts {
  readonly one: SendableFile;
  readonly start: UploadStart;
  readonly sendPart: SendPart;
  readonly retryOptions: RetryOptions;
  /** Runs the upload of a part when the semaphore has a free slot. */
  readonly withSlot: <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;
  /** `arrivedBefore`: these bytes were uploaded earlier. */
  readonly onProgress: (loadedBytes: number, arrivedBefore: boolean) => void;
}

/** Throws for an error status of the object store; its XML body is not used. */
const throwOnErrorStatus = (status: number): void => {
  if (status < 300) return;
  if (status < 500 && status !== 408 && status !== 429) throw new AddressExpired();
  throw new ServiceError({ kind: 'refused', status: 503, code: 'object-store-away', errors: [] });
};

/**
 * Sends the missing parts of a file in parallel. The first failure stops the others.
 * @throws AddressSpent; FileGone; ServiceError; the reason of the signal
 */
export const sendMissingParts = async (sending: MissingParts): Promise<void> => {
  const { one, start, sendPart, retryOptions, withSlot, onProgress } = sending;
  const { file } = one;
  const failed = new AbortController();
  const signal = AbortSignal.any([retryOptions.signal, failed.signal]);
  const loaded = new Map<number, number>();
  const notify = (arrivedBefore: boolean) => {
    let sum = start.receivedBytes;
    for (const bytes of loaded.values()) sum += bytes;
    onProgress(Math.min(sum, file.size), arrivedBefore);
  };

  const sendOnce = async (url: string, body: Blob, onLoaded: (bytes: number) => void): Promise<void> => {
    try {
      throwOnErrorStatus((await withSlot(signal, () => sendPart({ url, body, signal, onProgress: onLoaded }))).status);
    } catch (error) {
      onLoaded(0);
      // A file that was moved or changed fails like a network error.
      if (!signal.aborted && failureOf(error).kind === 'offline' && !(await isReadable(one))) throw new FileGone();
      throw error;
    }
  };

  const send = async ({ number, url }: UploadStart['missing'][number]): Promise<void> => {
    const first = (number - 1) * start.partBytes;
    const body = file.slice(first, first + start.partBytes);
    const onLoaded = (bytes: number) => {
      loaded.set(number, Math.min(bytes, body.size));
      notify(false);
    };
    try {
      await retryUntilAnswered(() => sendOnce(url, body, onLoaded), { ...retryOptions, signal });
      onLoaded(body.size);
    } catch (error) {
      failed.abort(error);
    }
  };

  notify(true);
  await Promise.all(start.missing.map(send));
  retryOptions.signal.throwIfAborted();
  failed.signal.throwIfAborted();
};
