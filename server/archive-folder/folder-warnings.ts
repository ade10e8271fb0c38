import type { Kysely } from 'kysely';
import type { SystemWarning } from '../../contract/system-status.ts';
import type { Schema } from '../db/schema.ts';
import { readArchiveFiles } from '../db/stores/archive-files.ts';
import type { WarningSource } from '../system-status/system-status-routes.ts';
import type { FolderProblem } from './compare-folder.ts';
import type { FolderWatch } from './watch-folder.ts';

type Reason = Extract<SystemWarning, { kind: 'files-folder-unavailable' }>['reason'];

const reasonOf = (problem: FolderProblem, isBucket = false): Reason => {
  if (!isBucket) return problem;
  if (problem === 'folder-older') return 'bucket-older';
  return ['empty', 'unmarked', 'new-database', 'foreign'].includes(problem) ? 'bucket-foreign' : problem;
};

/** Returns the warnings about the files folder: the counts of the last sweep and whether the folder is available. */
export const folderWarnings =
  (
    db: Kysely<Schema>,
    folder: Pick<FolderWatch, 'problem'> & Partial<Pick<FolderWatch, 'isBucket' | 'fullSince'>>,
  ): WarningSource =>
  async () => {
    const row = await readArchiveFiles(db);
    const warnings: SystemWarning[] = [];
    const problem = folder.problem();
    if (problem)
      warnings.push({
        kind: 'files-folder-unavailable',
        since: problem.since.toISOString(),
        reason: reasonOf(problem.kind, folder.isBucket),
      });
    const fullSince = folder.fullSince?.() ?? null;
    if (fullSince)
      warnings.push({ kind: 'files-folder-unavailable', since: fullSince.toISOString(), reason: 'store-full' });
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
