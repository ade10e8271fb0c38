import type { Kysely } from 'kysely';
import type { ImportLimits } from '../../contract/uploads.ts';
import type { AccessLog } from '../access-log/access-log.ts';
import type { Schema } from '../db/schema.ts';
import type { Binding } from '../route-binding.ts';
import type { FileStore } from '../storage/file-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { PartDrafts } from '../storage/part-drafts.ts';
import type { FileThumbnails } from './ledger/file-thumbnails.ts';

/** What the calls of an import need. */
export interface ImportDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly files: FileStore;
  /** Large files of which only a part has come. */
  readonly drafts: PartDrafts;
  /** Null: files come to the archive only. */
  readonly objectStore: ObjectStore | null;
  readonly accessLog: AccessLog;
  /** Says that a task has work to do now. */
  readonly wake: () => void;
  /** Files of this task have come, and their rows are committed. */
  readonly onReceived?: (taskId: string) => void;
  readonly limits: ImportLimits;
  readonly fileThumbnails: FileThumbnails;
}
