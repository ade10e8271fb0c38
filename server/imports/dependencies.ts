import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Schema } from '../db/schema.ts';
import type { Binding } from '../route-binding.ts';
import type { DiskSpace } from '../storage/disk-space.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PartDrafts } from '../storage/part-drafts.ts';
import type { FileThumbnails } from './ledger/file-thumbnails.ts';

/** Dependencies of the import routes. */
export interface ImportDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly files: FileStore;
  /** Large files that are received in parts. */
  readonly drafts: PartDrafts;
  /** Null: no object store is configured. */
  readonly objectStore: ObjectStore | null;
  readonly accessLog: AccessLog;
  /** Wakes the runner: a task has work to do. */
  readonly wake: () => void;
  /** Called when files of this task are received and their rows are committed. */
  readonly onReceived?: (taskId: string, files: number) => void;
  readonly limits: ImportLimits;
  readonly diskSpace: Pick<DiskSpace, 'ensure'>;
  readonly fileThumbnails: FileThumbnails;
}
