import type { Readable } from 'node:stream';

/** `missing`: the folder exists, but not the file; `away`: the folder is missing or replaced; `damaged`: the bytes differ from those stored. */
export type StorageErrorCode = 'too-large' | 'full' | 'unwritable' | 'missing' | 'away' | 'damaged' | 'failed';

/** Thrown when bytes could not be stored or read. `message` is for the log; it holds no file name and no patient data. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Returns whether the folder exists but the file is missing. */
export const isMissingBytes = (error: unknown): boolean => error instanceof StorageError && error.code === 'missing';

export interface StoredFile {
  /** Lower-case hex; the file's name in the store. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** First and last byte, both inclusive, as in an HTTP range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Called with the hashes of stored files once they are durable. */
export type OnStored = (hashes: readonly string[]) => Promise<void>;

/** Throttles a reader, and may stop it by throwing. */
export type Pace = (bytesRead: number) => Promise<void>;

/** Files that are stored together, with one round of syncs. */
export interface FileBatch {
  /**
   * Writes the bytes of `source`. They may be lost until `keep` has resolved. `free` is called with each chunk,
   * in order, when it is copied.
   * @throws StorageError 'too-large', 'full', 'unwritable', 'failed'; errors of `source`
   */
  add(
    source: AsyncIterable<Uint8Array>,
    limitBytes?: number,
    options?: { readonly free?: (chunk: Uint8Array) => void },
  ): Promise<StoredFile>;
  /** Reads a file of the batch before `keep`. */
  read(stored: StoredFile): AsyncIterable<Uint8Array>;
  /** Makes all files durable; then rows may reference them. @throws StorageError */
  keep(): Promise<void>;
  /** Discards what was not stored. Does nothing after `keep`, and never fails. */
  discard(): Promise<void>;
}

/**
 * Content-addressed file store. Equal bytes are one file; files are never modified in place. Other backends (an object store) implement the
 * same interface.
 */
export interface FileStore {
  /**
   * Stores the bytes of `source`. When the promise resolves they are durable, so a row may reference them.
   * @throws StorageError 'too-large', 'full', 'unwritable', 'failed'; errors of `source`
   */
  put(source: AsyncIterable<Uint8Array>, limitBytes?: number): Promise<StoredFile>;
  /** Opens a batch of files. The caller ends it with `keep` or `discard`. */
  batch(): FileBatch;
  /** Returns the size in bytes, or null when the file is not in the store. @throws StorageError 'away' */
  sizeOf(sha256: string): Promise<number | null>;
  /**
   * Compares the bytes of a file with its hash. `pace` is awaited after each chunk.
   * @returns the size in bytes
   * @throws StorageError 'missing', 'damaged', 'away'; errors of `pace`
   */
  verify(sha256: string, pace?: Pace): Promise<number>;
  /**
   * As `openRange`, after the whole file was verified against its hash. A range relies on a verification within the last minute.
   * @throws StorageError 'missing', 'damaged', 'away'
   */
  openVerified(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Opens a range without verification, for files already verified. @throws StorageError 'missing', 'away' */
  openRange(sha256: string, range?: ByteRange): Promise<Readable>;
  /**
   * Returns the path of a local file with these bytes, for a decoder in a worker. A remote store downloads it first.
   * @throws StorageError 'missing', 'away'
   */
  localPath(sha256: string): Promise<string>;
}
