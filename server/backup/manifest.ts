import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

/** A file of the backup as it is on disk, compressed and perhaps encrypted. `file`: path in the backup. */
const writtenFile = z.object({ file: z.string().min(1), sha256, sizeBytes: count });

/** A referenced file that the archive could not give, and that no earlier backup had. */
const absentFile = z.object({ sha256, problem: z.enum(['missing', 'damaged']) });

/** Describes a complete backup. Contains no patient data; it is never encrypted, nor is the list of files. */
export const backupManifest = z.object({
  format: z.literal(1),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** Time of the database snapshot. */
  at: z.iso.datetime(),
  encryption: z.enum(['none', 'age']),
  /** Names of the migrations that the database had. */
  migrations: z.array(z.string()),
  counts: z.object({
    clinics: count,
    users: count,
    patients: count,
    images: count,
    newestImage: z.iso.datetime().nullable(),
  }),
  tables: z.array(writtenFile.extend({ name: z.string(), columns: z.array(z.string()) })),
  /** Stored files: their number and size, and the list with a line `<sha256> <size> <size in the backup>` each. */
  files: z.object({ count, sizeBytes: count, list: writtenFile, absent: z.array(absentFile) }),
});
export type BackupManifest = z.infer<typeof backupManifest>;
export type AbsentFile = z.infer<typeof absentFile>;
export type WrittenFile = z.infer<typeof writtenFile>;

/** A stored file in a backup. */
export interface BackedUpFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Size of the perhaps encrypted file. */
  readonly writtenBytes: number;
}

export const lineOf = ({ sha256, sizeBytes, writtenBytes }: BackedUpFile): string =>
  `${sha256} ${sizeBytes} ${writtenBytes}\n`;

/** Returns null for a line of another form. */
export const fileOfLine = (line: string): BackedUpFile | null => {
  const [, hash = '', size, written] = /^([0-9a-f]{64}) (\d+) (\d+)$/.exec(line) ?? [];
  return hash ? { sha256: hash, sizeBytes: Number(size), writtenBytes: Number(written) } : null;
};
