import { randomUUID } from 'node:crypto';
import { adoptFiles, clinicsNamed, userOfClinic } from '../db/stores/adopted-files.ts';
import type { ReceivedFile } from '../db/stores/received-files.ts';
import { homeOf } from '../storage/home-of.ts';
import {
  clearOlderIfDone,
  ensureRightFolder,
  type QuarantineContext,
  recount,
  referencedHashes,
  unreferencedFiles,
} from './quarantine.ts';
import { CommandFailed } from './usage.ts';

export interface AdoptOptions {
  readonly clinic: string;
  readonly user: string;
  /** Inclusive range of days (YYYY-MM-DD, UTC) on which the files were stored. */
  readonly from: string | null;
  readonly until: string | null;
  /** Files per import. */
  readonly maxFiles: number;
}

interface Candidate {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly changedMs: number;
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

const inQuarantine = async ({ root }: QuarantineContext): Promise<Candidate[]> => {
  const found: Candidate[] = [];
  for await (const some of homeOf(root).quarantinedFiles()) found.push(...some);
  return found;
};

const candidatesOf = async (context: QuarantineContext, { from, until }: AdoptOptions): Promise<Candidate[]> => {
  const all = [...(await inQuarantine(context)), ...(await unreferencedFiles(context))];
  const unique = new Map(all.map((one) => [one.sha256, one]));
  const named = await referencedHashes(context)([...unique.keys()]);
  return [...unique.values()]
    .filter(({ sha256, changedMs }) => {
      const day = dayOf(changedMs);
      return !named.has(sha256) && (from === null || day >= from) && (until === null || day <= until);
    })
    .sort((one, other) => one.changedMs - other.changedMs);
};

/** Moves a file to its place with a new modification time, so that no sweep removes it before its row exists. */
const bringBack = async (
  context: QuarantineContext,
  { sha256, sizeBytes, changedMs }: Candidate,
): Promise<ReceivedFile> => {
  await homeOf(context.root).bringBack(sha256);
  const fileName = sha256.slice(0, 16);
  return { sha256, sizeBytes, fileName, path: `${dayOf(changedMs)}/${fileName}` };
};

/**
 * Creates imports of a clinic from the quarantined and unreferenced files. A user then assigns the patients; nothing is imported here.
 * @throws CommandFailed when the clinic or the user cannot be used
 */
export const adoptQuarantine = async (context: QuarantineContext, options: AdoptOptions) => {
  await ensureRightFolder(context);
  const { db } = context;
  const [clinic, ...others] = await clinicsNamed(db, options.clinic);
  if (!clinic) throw new CommandFailed(`There is no clinic "${options.clinic}"`);
  if (others.length > 0) throw new CommandFailed(`Several clinics are called "${options.clinic}": name its id`);
  const accountId = await userOfClinic(db, options.user, clinic.id);
  if (!accountId) throw new CommandFailed(`There is no active user ${options.user} who may use ${clinic.name}`);
  const candidates = await candidatesOf(context, options);
  const imports: { id: string; files: number }[] = [];
  for (let at = 0; at < candidates.length; at += options.maxFiles) {
    const files: ReceivedFile[] = [];
    for (const one of candidates.slice(at, at + options.maxFiles)) files.push(await bringBack(context, one));
    const taskId = randomUUID();
    await adoptFiles(db, {
      taskId,
      accountId,
      files,
      customerId: clinic.id,
      name: `Recovered files ${dayOf(Date.now())}`,
    });
    imports.push({ id: taskId, files: files.length });
  }
  const isSettled = await clearOlderIfDone(context);
  const { files } = await recount(context);
  return {
    clinic: clinic.name,
    user: options.user,
    files: candidates.length,
    bytes: candidates.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    imports,
    leftInQuarantine: files,
    databaseOlder: !isSettled,
  };
};
