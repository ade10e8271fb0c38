import { ServiceError } from './failure.ts';

interface Sending {
  readonly url: string;
  readonly bearer: string | null;
  readonly signal: AbortSignal;
  /** Bytes of the request that have left, the frame around files included. */
  readonly onProgress: (loadedBytes: number) => void;
}

export interface MultipartRequest extends Sending {
  readonly form: FormData;
}

export interface BytesRequest extends Sending {
  readonly bytes: Blob;
}

export interface Sent {
  readonly status: number;
  readonly text: string;
}
export type SendMultipart = (request: MultipartRequest) => Promise<Sent>;
export type SendBytes = (request: BytesRequest) => Promise<Sent>;

/** A line over which nothing moved for as long is taken for lost. */
const stallMs = 60_000;

const send = (
  method: 'POST' | 'PUT',
  body: FormData | Blob,
  type: string | null,
  { url, bearer, signal, onProgress }: Sending,
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = () => request.abort();
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const lost = () => {
      leave();
      reject(new ServiceError({ kind: 'offline' }));
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        lost();
        request.abort();
      }, stallMs);
    };
    if (signal.aborted) return reject(signal.reason);
    request.open(method, url);
    if (bearer) request.setRequestHeader('authorization', `Bearer ${bearer}`);
    if (type) request.setRequestHeader('content-type', type);
    request.upload.onprogress = (event) => {
      watch();
      onProgress(event.loaded);
    };
    request.onload = () => {
      leave();
      resolve({ status: request.status, text: request.responseText });
    };
    request.onerror = lost;
    request.ontimeout = lost;
    request.onabort = () => {
      leave();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    watch();
    request.send(body);
  });

/**
 * Posts a form and tells how far it is: fetch cannot tell.
 * @throws ServiceError offline when no answer comes, or nothing moved for a minute; the reason of `signal` when it is aborted
 */
export const xhrSend: SendMultipart = ({ form, ...request }) => send('POST', form, null, request);

/** Puts bytes, otherwise as `xhrSend`. */
export const xhrSendBytes: SendBytes = ({ bytes, ...request }) =>
  send('PUT', bytes, 'application/octet-stream', request);
