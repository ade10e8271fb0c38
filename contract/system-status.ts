import { z } from 'zod';
import { moment } from './bounds.ts';
import { needs, route } from './route.ts';

const count = z.number().int().min(0);

/** Why a backup failed. `target-…`: the folder of backups; `interrupted`: the process ended. */
export const backupFailure = z.enum([
  'target-inside',
  'target-absent',
  'target-unmarked',
  'target-unprepared',
  'target-foreign',
  'target-full',
  'target-unwritable',
  'target-lost',
  'files-unavailable',
  'database-unavailable',
  'interrupted',
  'failed',
]);
export type BackupFailure = z.infer<typeof backupFailure>;

/** A condition of the installation that administrators must know about. `since`: time of first detection. */
export const systemWarning = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('quarantined-files'),
    since: moment,
    files: count,
    sizeBytes: count,
  }),
  /** Images whose stored file is damaged or missing: contract/damaged-images.ts lists them. */
  z.object({
    kind: z.literal('damaged-files'),
    since: moment,
    damaged: count,
    missing: count,
  }),
  /** Signed-in users load the program from other addresses than the configured one. */
  z.object({
    kind: z.literal('other-origin'),
    since: moment,
    configured: z.string(),
    seen: z.array(z.string().max(200)).min(1).max(10),
  }),
  /** An untrusted proxy sends forwarding headers: all its clients share one IP address. */
  z.object({ kind: z.literal('untrusted-proxy'), since: moment }),
  /** The database is an older copy than the files folder; `files` is the number of files without a record; nothing is deleted. */
  z.object({
    kind: z.literal('database-older-than-files'),
    since: moment,
    files: count,
    sizeBytes: count,
  }),
  /** This server cannot use the files folder: it is gone, unreadable, older, or another one. */
  z.object({
    kind: z.literal('files-folder-unavailable'),
    since: moment,
    reason: z.enum(['absent', 'empty', 'unmarked', 'unreadable', 'foreign', 'new-database', 'folder-older']),
  }),
  /** Little space is left on the disk of the image files; `isFull`: imports wait because the reserve would be used. */
  z.object({
    kind: z.literal('disk-space'),
    since: moment,
    isFull: z.boolean(),
    freeBytes: count,
    totalBytes: count,
    reservedBytes: count,
  }),
  /** The automatic backup fails, or the newest good backup is older than two days (`error` null). */
  z.object({
    kind: z.literal('backup'),
    since: moment,
    error: backupFailure.nullable(),
    lastGoodAt: moment.nullable(),
    folder: z.string(),
  }),
]);
export type SystemWarning = z.infer<typeof systemWarning>;

/** Current conditions of the installation. Contains no patient data. */
export const systemStatus = route({
  method: 'GET',
  path: '/api/system/status',
  access: needs('user.get_sa'),
  reply: z.object({ warnings: z.array(systemWarning) }),
});
