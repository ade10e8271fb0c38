import { z } from 'zod';
import { moment } from './bounds.ts';
import { mailFailure } from './mail.ts';
import { needs, route } from './route.ts';

const count = z.number().int().min(0);

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
  /** E-mail messages that wait for the next attempt, or were given up in the last 24 hours; `reason`: of the newest. */
  z.object({
    kind: z.literal('mail-failing'),
    since: moment,
    waiting: count,
    failed: count,
    reason: mailFailure,
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
