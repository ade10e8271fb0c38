import { ServiceError } from './failure.ts';

export interface PartToSend {
  /** Signed: it stands for the right to put this one part. No bearer token goes to where it leads. */
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  /** Bytes of the part that have left. */
  readonly onProgress: (loadedBytes: number) => void;
}

export type SendPart = (part: PartToSend) => Promise<{ readonly status: number }>;

/** A line over which nothing moved for as long is taken for lost. */
const stallMs = 60_000;

/**
 * Puts the bytes of one part to its address, without cookies and without any header of ours, and tells how far it is.
 * @throws ServiceError offline when no answer comes, or nothing moved for a minute; the reason of `signal` when it is aborted
 */
export const xhrPut: SendPart = ({ url, body, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const lost = () => {
      leave();
      reject(new ServiceError({ kind: 'offline' }));
    };
    const stalled = () => {
      lost();
      request.abort();
    };
    let timer = setTimeout(stalled, stallMs);
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    request.open('PUT', url);
    request.upload.onprogress = (event) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, stallMs);
      onProgress(event.loaded);
    };
    request.onload = () => {
      leave();
      resolve({ status: request.status });
    };
    request.onerror = lost;
    request.onabort = () => {
      leave();
      reject(signal.reason);
    };
    if (signal.aborted) {
      leave();
      reject(signal.reason);
      return;
    }
    signal.addEventListener('abort', abort);
    request.send(body);
  });
