import { ServiceError } from './failure.ts';

export interface MultipartRequest {
  readonly url: string;
  readonly bearer: string | null;
  readonly form: FormData;
  readonly signal: AbortSignal;
  /** Bytes of the request that have left, the frame around the file included. */
  readonly onProgress: (loadedBytes: number) => void;
}

export type SendMultipart = (request: MultipartRequest) => Promise<{ readonly status: number; readonly text: string }>;

/**
 * Sends a form and tells how far it is: fetch cannot tell.
 * @throws ServiceError offline when no answer comes; the reason of `signal` when it is aborted
 */
export const xhrSend: SendMultipart = ({ url, bearer, form, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const leave = () => signal.removeEventListener('abort', abort);
    const lost = () => {
      leave();
      reject(new ServiceError({ kind: 'offline' }));
    };
    request.open('POST', url);
    if (bearer) request.setRequestHeader('authorization', `Bearer ${bearer}`);
    request.upload.onprogress = (event) => onProgress(event.loaded);
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
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', abort);
    request.send(form);
  });
