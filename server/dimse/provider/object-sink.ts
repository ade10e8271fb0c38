import type { DataSetUids } from './data-set-uids.ts';

/** An object that a peer sends, before its data set is read. */
export interface IncomingObject {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  readonly callingAeTitle: string;
  readonly calledAeTitle: string;
  readonly address: string;
}

/** Takes the bytes of one DICOM file: our file meta information, then the data set as it came. Ends with `commit` or `discard`. */
export interface ObjectSink {
  /** Resolves when more can be taken. @throws StoreRefused */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves when the object is durable: bytes synced, rows committed. @throws StoreRefused */
  commit(uids: DataSetUids): Promise<void>;
  /** Forgets the object. Never fails. */
  discard(): Promise<void>;
}

/** @throws StoreRefused */
export type OpenSink = (object: IncomingObject) => Promise<ObjectSink>;

/** Thrown when an object cannot be stored: the peer is answered with `status`. The message is sent to it: no patient data. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
