import type { Kysely } from 'kysely';
import type { SystemWarning } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { readArchiveFiles } from '../db/stores/archive-files.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';
import type { FolderWatch } from './watch-folder.ts';

/** Returns the warnings about the files folder: the counts of the last sweep and whether the folder is available. */
export const folderWarnings =
  (db: Kysely<Schema>, folder: Pick<FolderWatch, 'problem'>): WarningSource =>
  async () => {
    const row = await readArchiveFiles(db);
    const warnings: SystemWarning[] = [];
    const problem = folder.problem();
    if (problem)
      warnings.push({
        kind: 'files-folder-unavailable',
        since: problem.since.toISOString(),
        reason: problem.kind,
      });
    if (row.older_since)
      warnings.push({
        kind: 'database-older-than-files',
        since: row.older_since.toISOString(),
        files: row.unnamed_files,
        sizeBytes: row.unnamed_bytes,
      });
    if (row.quarantined_since)
      warnings.push({
        kind: 'quarantined-files',
        since: row.quarantined_since.toISOString(),
        files: row.quarantined_files,
        sizeBytes: row.quarantined_bytes,
      });
    return warnings;
  };
