import { ServiceError } from './failure.ts';

interface SendRequest {
  readonly url: string;
  readonly bearer: string | null;
  readonly signal: AbortSignal;
  /** Sent bytes of the request, including multipart overhead. */
  readonly onProgress: (loadedBytes: number) => void;
}

export interface MultipartRequest extends SendRequest {
  readonly form: FormData;
}

export interface BytesRequest extends SendRequest {
  readonly bytes: Blob;
}

export interface Sent {
  readonly status: number;
  readonly text: string;
}
export type SendMultipart = (request: MultipartRequest) => Promise<Sent>;
export type SendBytes = (request: BytesRequest) => Promise<Sent>;

/** Without progress for this long the request fails as offline. */
const stallMs = 60_000;

const send = (
  method: 'POST' | 'PUT',
  body: FormData | Blob,
  type: string | null,
  { url, bearer, signal, onProgress }: SendRequest,
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = () => request.abort();
    const cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const failOffline = () => {
      cleanUp();
      reject(new ServiceError({ kind: 'offline' }));
    };
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        failOffline();
        request.abort();
      }, stallMs);
    };
    if (signal.aborted) return reject(signal.reason);
    request.open(method, url);
    if (bearer) request.setRequestHeader('authorization', `Bearer ${bearer}`);
    if (type) request.setRequestHeader('content-type', type);
    request.upload.onprogress = (event) => {
      restartTimer();
      onProgress(event.loaded);
    };
    request.onload = () => {
      cleanUp();
      resolve({ status: request.status, text: request.responseText });
    };
    request.onerror = failOffline;
    request.onabort = () => {
      cleanUp();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    restartTimer();
    request.send(body);
  });

/**
 * Posts a form with upload progress, which fetch does not report.
 * @throws ServiceError offline without a response, or without progress for a minute; the reason of `signal` when it is aborted
 */
export const xhrSend: SendMultipart = ({ form, ...request }) => send('POST', form, null, request);

/** Puts bytes, otherwise like `xhrSend`. */
export const xhrSendBytes: SendBytes = ({ bytes, ...request }) =>
  send('PUT', bytes, 'application/octet-stream', request);
