import type { awsBegin } from '../../contract/aws-uploads.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { failureOf, ServiceError } from './failure.ts';
import { type Patience, patiently } from './patience.ts';
import { isReadable, type SendableFile } from './upload-batch.ts';
import { FileGone } from './upload-parts.ts';
import type { SendPart } from './xhr-put.ts';

/** What the archive said of an upload: the parts that are missing, each with an address that takes it. */
export type Begun = ReplyOf<typeof awsBegin>;

/** The store takes these addresses no more: they have expired, or the upload was ended. The archive gives new ones. */
export class AddressSpent extends Error {}

export interface MissingParts {
  readonly one: SendableFile;
  readonly begun: Begun;
  readonly sendPart: SendPart;
  readonly patience: Patience;
  /** Called for each part: it waits for a turn. */
  readonly inTurn: <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;
  /** `arrivedBefore`: these bytes were there already. */
  readonly onProgress: (loadedBytes: number, arrivedBefore: boolean) => void;
}

/** An answer of the store in words of ours. Its own text is XML and says nothing to a person. */
const judge = (status: number): void => {
  if (status < 300) return;
  if (status < 500 && status !== 408 && status !== 429) throw new AddressSpent();
  throw new ServiceError({ kind: 'refused', status: 503, code: 'object-store-away', errors: [] });
};

/**
 * Sends the parts of a file that are missing, several at a time. The first one that cannot be sent stops the others.
 * @throws AddressSpent; FileGone; ServiceError; the reason of the signal
 */
export const sendMissingParts = async (sending: MissingParts): Promise<void> => {
  const { one, begun, sendPart, patience, inTurn, onProgress } = sending;
  const { file } = one;
  const failed = new AbortController();
  const signal = AbortSignal.any([patience.signal, failed.signal]);
  const loaded = new Map<number, number>();
  const tell = (arrivedBefore: boolean) => {
    let sum = begun.receivedBytes;
    for (const bytes of loaded.values()) sum += bytes;
    onProgress(Math.min(sum, file.size), arrivedBefore);
  };

  const sendOnce = async (url: string, body: Blob, onLoaded: (bytes: number) => void): Promise<void> => {
    try {
      judge((await inTurn(signal, () => sendPart({ url, body, signal, onProgress: onLoaded }))).status);
    } catch (error) {
      onLoaded(0);
      // To a request, a file that was moved or changed looks like a lost line.
      if (!signal.aborted && failureOf(error).kind === 'offline' && !(await isReadable(one))) throw new FileGone();
      throw error;
    }
  };

  const send = async ({ number, url }: Begun['missing'][number]): Promise<void> => {
    const first = (number - 1) * begun.partBytes;
    const body = file.slice(first, first + begun.partBytes);
    const onLoaded = (bytes: number) => {
      loaded.set(number, Math.min(bytes, body.size));
      tell(false);
    };
    try {
      await patiently(() => sendOnce(url, body, onLoaded), { ...patience, signal });
      onLoaded(body.size);
    } catch (error) {
      failed.abort(error);
    }
  };

  tell(true);
  await Promise.all(begun.missing.map(send));
  patience.signal.throwIfAborted();
  failed.signal.throwIfAborted();
};
