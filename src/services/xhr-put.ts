import { xhrSendBytes } from './xhr-send.ts';

export interface PartToSend {
  /** Presigned address of this part. */
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  /** Bytes of the part that were sent. */
  readonly onProgress: (loadedBytes: number) => void;
}

export type SendPart = (part: PartToSend) => Promise<{ readonly status: number }>;

/** Puts one part to the object store, without bearer token and cookies. Otherwise like `xhrSend`. */
export const xhrPut: SendPart = ({ body, ...part }) => xhrSendBytes({ ...part, bytes: body, bearer: null });
