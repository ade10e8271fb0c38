import type { Readable } from 'node:stream';

export type StorageFaultCode = 'too-large' | 'full' | 'unwritable' | 'missing' | 'failed';

/** Bytes could not be kept or found. `message` names the cause for the log; it holds no file name and no patient data. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';
  readonly code: StorageFaultCode;

  constructor(code: StorageFaultCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface StoredFile {
  /** Lower-case hex. It is the name of the file in the store. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** First and last byte, both included, as in an HTTP range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Files that are kept together: one round of syncs for all of them. */
export interface FileBatch {
  /**
   * Writes the bytes of `source`. They may be lost until `keep` has resolved. `mayFree`: nobody else holds its chunks, so their memory may be given
   * back as soon as they are copied.
   * @throws StorageFault 'too-large', 'full', 'unwritable', 'failed'; whatever `source` throws
   */
  add(
    source: AsyncIterable<Uint8Array>,
    limitBytes?: number,
    options?: { readonly mayFree?: boolean },
  ): Promise<StoredFile>;
  /** When the promise resolves all files survive a power cut, so that rows may name them. @throws StorageFault */
  keep(): Promise<void>;
  /** Throws away what was not kept. Does nothing after `keep`, and never fails. */
  discard(): Promise<void>;
}

/**
 * Files by content hash. Equal bytes are one file, however often they are put; nothing is ever changed in place.
 * Whoever keeps the bytes elsewhere (an object store) implements the same calls.
 */
export interface FileStore {
  /**
   * Keeps the bytes of `source`. When the promise resolves they survive a power cut, so that a row may name them.
   * @throws StorageFault 'too-large', 'full', 'unwritable', 'failed'; whatever `source` throws
   */
  put(source: AsyncIterable<Uint8Array>, limitBytes?: number): Promise<StoredFile>;
  /** For several files at once. Whoever opens it ends it with `keep` or `discard`. */
  batch(): FileBatch;
  /** Size in bytes, or null when the store does not hold the file. */
  sizeOf(sha256: string): Promise<number | null>;
  /** @throws StorageFault 'missing' */
  openRange(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Path of a local file with these bytes, for a decoder in a worker. A remote store brings the file near first.
   * @throws StorageFault 'missing'
   */
  localPath(sha256: string): Promise<string>;
}
