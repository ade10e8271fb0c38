import { xhrSendBytes } from './xhr-send.ts';

export interface PartToSend {
  /** Signed: it stands for the right to put this one part. */
  readonly url: string;
  readonly body: Blob;
  readonly signal: AbortSignal;
  /** Bytes of the part that have left. */
  readonly onProgress: (loadedBytes: number) => void;
}

export type SendPart = (part: PartToSend) => Promise<{ readonly status: number }>;

/** Puts the bytes of one part to a host that is not ours: no bearer token and no cookie goes there. Otherwise as `xhrSend`. */
export const xhrPut: SendPart = ({ body, ...part }) => xhrSendBytes({ ...part, bytes: body, bearer: null });
