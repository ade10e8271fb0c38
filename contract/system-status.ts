import { z } from 'zod';
import { moment } from './bounds.ts';
import { mailFailure } from './mail.ts';
import { needs, route } from './route.ts';
import { mailLanguage, offeredMethod } from './sign-in.ts';

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
  /** This server cannot use the files folder or the bucket: it is gone, unreadable, older, or another one. A full store still reads. */
  z.object({
    kind: z.literal('files-folder-unavailable'),
    since: moment,
    reason: z.enum([
      'absent',
      'empty',
      'unmarked',
      'unreadable',
      'foreign',
      'new-database',
      'folder-older',
      'store-gone',
      'store-slow',
      'store-denied',
      'store-full',
      'bucket-missing',
      'bucket-foreign',
      'bucket-older',
    ]),
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
  /** Accounts or addresses with many refused calls and sign-ins in the last hour; `refused`: the sum of theirs. */
  z.object({ kind: z.literal('refused-access'), since: moment, sources: count, refused: count }),
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
  /** `program`: how the commands are called on this installation, for advice. */
  reply: z.object({ program: z.string(), warnings: z.array(systemWarning) }),
});

export const partState = z.enum(['ok', 'attention', 'error']);
export type PartState = z.infer<typeof partState>;
/** Shows one part of the installation. `since`: when this state began, if known. */
const part = z.object({ state: partState, since: moment.nullable() });

/** E-mail or text messages. */
export const messageService = part.extend({ isConfigured: z.boolean() });

export const systemQueues = ['imports', 'thumbnails', 'renditions', 'mails'] as const;
export const certificateProblems = ['unreachable', 'untrusted', 'wrong-name', 'expired'] as const;

/** What a node does: answer browsers and programs, background work, or both. */
export const nodeRoles = z.enum(['both', 'web', 'work']);
export type NodeRoles = z.infer<typeof nodeRoles>;

/** State of each part of the installation, as this node sees it. Contains no patient data. */
export const systemDetails = route({
  method: 'GET',
  path: '/api/system/details',
  access: needs('user.get_sa'),
  reply: z.object({
    /** `schema`: the database compared with what this version knows. */
    version: part.extend({ version: z.string(), schema: z.enum(['same', 'older', 'newer']) }),
    /** Null: the folder of the files is gone. */
    disk: part.extend({ space: z.object({ freeBytes: count, totalBytes: count }).nullable() }),
    database: part.extend({
      isEmbedded: z.boolean(),
      version: z.string(),
      sizeBytes: count,
      connections: count,
      mostConnections: count,
    }),
    /** `since`: when the oldest entry began to wait. */
    queues: z.array(part.extend({ queue: z.enum(systemQueues), length: count })),
    /** `folder` and `nextAt` are null without an automatic backup. `lastGood` may be one by command. */
    backup: part.extend({
      folder: z.string().nullable(),
      nextAt: moment.nullable(),
      runningSince: moment.nullable(),
      lastGood: z.object({ at: moment, folder: z.string(), files: count, sizeBytes: count, absent: count }).nullable(),
      error: backupFailure.nullable(),
    }),
    /** Background check of the stored files: the part of them that this pass has read. */
    fileCheck: part.extend({ startedAt: moment, share: z.number().min(0).max(1) }),
    /** Certificate of the public URL; null when it is not https. */
    certificate: part
      .extend({
        checkedAt: moment,
        validUntil: moment.nullable(),
        problem: z.enum(certificateProblems).nullable(),
      })
      .nullable(),
    mail: messageService,
    sms: messageService,
    signIn: part.extend({ methods: z.array(offeredMethod) }),
    nodes: z.array(
      part.extend({
        id: z.uuid(),
        name: z.string(),
        version: z.string(),
        roles: nodeRoles,
        startedAt: moment,
        seenAt: moment,
        isThis: z.boolean(),
      }),
    ),
  }),
});
export type SystemDetails = z.infer<typeof systemDetails.reply>;

/** Outcome of a test message. `code`: what the server of the operator answered, without addresses. */
export const testResult = z.object({
  result: z.enum(['sent', 'rejected', 'not-configured', 'no-number']),
  code: z.string().nullable(),
});
export type TestResult = z.infer<typeof testResult>;

/** Sends an e-mail to the caller's own address, and waits until the mail server has accepted or rejected it. */
export const testMail = route({
  method: 'POST',
  path: '/api/system/test-mail',
  access: needs('user.get_sa'),
  body: z.object({ language: mailLanguage }),
  reply: testResult,
});

/** Sends a text message to the caller's own number, and waits for the answer of the gateway. */
export const testSms = route({
  method: 'POST',
  path: '/api/system/test-sms',
  access: needs('user.get_sa'),
  body: z.object({ language: mailLanguage }),
  reply: testResult,
});
