import { acceptFolder } from '../archive-folder/accept-folder.ts';
import { advanceGeneration, FolderUnavailable, matchFolder } from '../archive-folder/open-folder.ts';
import { clearOlder, noteQuarantined, readArchiveFiles } from '../db/stores/archive-files.ts';
import { referencedAmong } from '../db/stores/leftovers.ts';
import type { ImportRetention } from '../imports/import-settings.ts';
import { homeOf, nameOf } from '../storage/home-of.ts';
import type { UnnamedFile } from '../storage/unnamed-files.ts';
import type { OpenArchiveForCommand } from './open-archive.ts';
import { CommandFailed } from './usage.ts';

export interface QuarantineContext extends OpenArchiveForCommand {
  readonly retention: ImportRetention;
}

export const referencedHashes =
  ({ db, retention }: QuarantineContext) =>
  (hashes: readonly string[]) =>
    referencedAmong(db, hashes, retention.keepMs);

/** Records that the database is older than the folder if no server has done so yet. @throws FolderUnavailable */
export const ensureRightFolder = async ({ db, root }: QuarantineContext): Promise<void> => {
  const { kind } = await matchFolder(db, root);
  if (kind === 'database-older') return advanceGeneration(db, root);
  if (kind !== 'same') throw new FolderUnavailable(kind === 'unclaimed' ? 'empty' : kind, root);
};

/**
 * Returns stored files that no record refers to. If the database is older than the folder, all files stored before that was noticed count; otherwise
 * only old ones.
 */
export const unreferencedFiles = async (context: QuarantineContext): Promise<UnnamedFile[]> => {
  const { db, root, retention } = context;
  const { older_since: olderSince } = await readArchiveFiles(db);
  const orphanMs = olderSince ? Date.now() - olderSince.getTime() : retention.orphanMs;
  const found: UnnamedFile[] = [];
  for await (const some of homeOf(root).unnamedFiles({ orphanMs, referencedAmong: referencedHashes(context) }))
    found.push(...some);
  return found;
};

const sumOf = (files: readonly { readonly sizeBytes: number }[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** Updates the quarantine counts that administrators see. */
export const recount = async (context: QuarantineContext, removeBefore: string | null = null) => {
  const tidied = await homeOf(context.root).tidyQuarantine({
    removeBefore,
    referencedAmong: referencedHashes(context),
  });
  await noteQuarantined(context.db, tidied);
  return tidied;
};

export const listQuarantine = async (context: QuarantineContext) => {
  const { db, root } = context;
  const { kind } = await matchFolder(db, root);
  const state = await readArchiveFiles(db);
  const isRight = kind === 'same' || kind === 'database-older';
  const unnamed = isRight ? await unreferencedFiles(context) : [];
  return {
    folder: nameOf(root),
    state: kind === 'same' && state.older_since ? 'database-older' : kind,
    databaseOlderSince: state.older_since?.toISOString() ?? null,
    quarantine: isRight ? await homeOf(root).quarantinedDays() : [],
    withoutRecord: { files: unnamed.length, bytes: sumOf(unnamed) },
  };
};

/** @throws CommandFailed while the database is older than the folder */
export const purgeQuarantine = async (context: QuarantineContext, before: string) => {
  await ensureRightFolder(context);
  if ((await readArchiveFiles(context.db)).older_since)
    throw new CommandFailed(
      'The database is older than the files: adopt or accept first, nothing is removed until then',
    );
  const { removed, restored, files, bytes } = await recount(context, before);
  return { removed, restored, left: { files, bytes } };
};

/** Accepts the folder as it is and returns the previous state. @throws FolderUnavailable */
export const acceptState = async (context: QuarantineContext, isEmptyAccepted: boolean) => {
  const { state } = await listQuarantine(context);
  await acceptFolder(context.db, context.root, isEmptyAccepted);
  return { accepted: state };
};

/** Clears the older-database state when no unreferenced file of that time is left. Returns whether it is cleared. */
export const clearOlderIfDone = async (context: QuarantineContext): Promise<boolean> => {
  if ((await readArchiveFiles(context.db)).older_since === null) return true;
  if ((await unreferencedFiles(context)).length > 0) return false;
  await clearOlder(context.db);
  return true;
};
