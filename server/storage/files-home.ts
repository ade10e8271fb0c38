import type { DestroyedFile, FileDestruction } from './destroy-file.ts';
import type { DiskStoreOptions } from './disk-store.ts';
import type { FileStore } from './file-store.ts';
import type { PartDrafts } from './part-drafts.ts';
import type { QuarantineCleanup, QuarantineCount } from './quarantine-days.ts';
import type { UnnamedFile, UnnamedSearch } from './unnamed-files.ts';

/** Why the files cannot be used at the moment. `unreadable`: a folder; the others: a bucket. */
export type FilesProblem = 'unreadable' | 'store-gone' | 'store-slow' | 'store-denied' | 'bucket-missing';

/** A stored file for a backup, whether it is in its place or in quarantine. */
export interface FoundFile {
  readonly sizeBytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Files derived from stored ones, by name; all nodes share them. They may be removed at any time. */
export interface DerivedObjects {
  read(name: string): Promise<Buffer | null>;
  has(name: string): Promise<boolean>;
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes all whose names start with this. */
  remove(beginning: string): Promise<void>;
}

/** Where the files of an archive are: a folder or a bucket. Opened once; nothing is cached, except the connection to a bucket. */
export interface FilesHome {
  readonly kind: 'folder' | 'bucket';
  /** For messages: the path of the folder, or name and address of the bucket. */
  readonly name: string;
  /** A folder on the local disk through which files are received. */
  readonly localFolder: string;
  openStore(options?: DiskStoreOptions): Promise<FileStore>;
  /** Returns the derived files of one kind that nodes share; null where each node has its own. */
  derived(kind: string): DerivedObjects | null;
  openDrafts(options?: DiskStoreOptions): Promise<PartDrafts>;

  /** Returns whether the folder or the bucket exists. */
  exists(): Promise<boolean>;
  /** Creates a folder; a bucket must exist. */
  create(): Promise<void>;
  isEmpty(): Promise<boolean>;
  holdsFiles(): Promise<boolean>;
  has(sha256: string): Promise<boolean>;
  /** Reads a mark, a short text beside the files; null without it. */
  readMark(name: string): Promise<string | null>;
  writeMark(name: string, text: string): Promise<void>;
  removeMark(name: string): Promise<void>;
  /** Returns the problem that an error means; null for an error of something else. */
  problemOf(error: unknown): FilesProblem | null;

  /** Since when the store rejects files for lack of space; null while it does not. Of a folder, the disk is watched instead. */
  fullSince(): Date | null;

  /** Yields files that no row references, in groups. */
  unnamedFiles(search: Omit<UnnamedSearch, 'root'>): AsyncGenerator<readonly UnnamedFile[]>;
  /** Returns the size of the quarantined file; null when it was not quarantined. */
  quarantine(
    sha256: string,
    isOld: (changedMs: number) => boolean,
    isReferenced: () => Promise<boolean>,
  ): Promise<number | null>;
  tidyQuarantine(
    cleanup: QuarantineCleanup,
  ): Promise<QuarantineCount & { readonly removed: number; readonly restored: number }>;
  quarantinedDays(): Promise<{ readonly day: string; readonly files: number; readonly bytes: number }[]>;
  /** Yields quarantined files in groups. */
  quarantinedFiles(): AsyncGenerator<readonly UnnamedFile[]>;
  /** Puts a quarantined or unreferenced file in its place, as if it was stored now. */
  bringBack(sha256: string): Promise<void>;
  destroy(sha256: string, destruction: FileDestruction): Promise<DestroyedFile>;
  /** Removes what processes left that died, and shared derived files of files that no row references. */
  removeLeftovers(referencedAmong: UnnamedSearch['referencedAmong']): Promise<void>;
  /** Removes this node's copies of files that no row references. */
  tidyCopies(referencedAmong: UnnamedSearch['referencedAmong']): Promise<void>;
  findStored(sha256: string): Promise<FoundFile | null>;
  close(): void;
}

/** A folder by its path, or an opened home. */
export type FilesRoot = string | FilesHome;
