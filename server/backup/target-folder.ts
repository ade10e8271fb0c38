import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackupFailure } from '../../contract/system-status.ts';
import { program } from '../program-name.ts';
import { isMissing } from '../storage/storage-error.ts';
import { BackupError } from './backup-error.ts';
import { writeDurably } from './write-durably.ts';

/** In a folder of backups: the id of its archive. A folder without it is a new one, or the disk beneath a missing mount. */
const markName = 'archive-id';

export type TargetProblem = Extract<
  BackupFailure,
  'target-inside' | 'target-absent' | 'target-unmarked' | 'target-unprepared' | 'target-foreign'
>;

const texts: Readonly<Record<TargetProblem, (to: string) => string>> = {
  'target-inside': (to) => `${to} is inside the data folder: choose a folder on another disk or machine`,
  'target-absent': (to) => `The folder of backups ${to} does not exist: create it, or mount its disk`,
  'target-unmarked': (to) =>
    `${to} had backups of this archive, but is now another folder: mount its disk. For a new disk, run "${program} backup --to ${to} --new-disk" once`,
  'target-unprepared': (to) =>
    `${to} is on the disk of the system or of the data: mount another disk there, or run "${program} backup --to ${to}" once if this is intended`,
  'target-foreign': (to) => `${to} has backups of another archive: choose another folder`,
};

/** Thrown before anything is written to a folder that is not one of backups of this archive. */
export class TargetUnavailable extends BackupError {
  readonly problem: TargetProblem;

  constructor(problem: TargetProblem, to: string) {
    super(texts[problem](to));
    this.problem = problem;
  }
}

export interface Target {
  /** The folder of backups. */
  readonly to: string;
  readonly dataFolder: string;
  readonly archiveId: string;
  /** The folder has had a good backup of this archive. */
  readonly wasUsed: boolean;
  /** Who begins with an unmarked folder: the schedule only on a disk of its own, a command also elsewhere, `new-disk` also where one was used. */
  readonly by: 'schedule' | 'command' | 'new-disk';
}

/** Resolves links in the part of a path that exists. */
const realPath = async (folder: string): Promise<string> => {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return path.join(await realPath(path.dirname(folder)), path.basename(folder));
  }
};

const isInside = async (folder: string, outer: string): Promise<boolean> => {
  const relative = path.relative(await realPath(outer), await realPath(folder));
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative);
};

const readMark = async (to: string): Promise<string | null> =>
  readFile(path.join(to, markName), 'utf8').then(
    (text) => text.trim(),
    (error) => {
      if (isMissing(error)) return null;
      throw error;
    },
  );

/** Null for a folder that does not exist. */
const diskOf = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ dev }) => dev,
    (error) => {
      if (isMissing(error)) return null;
      throw error;
    },
  );

/** Returns why an unmarked folder must not be begun; null when it may. */
const problemOfUnmarked = async ({ to, dataFolder, wasUsed, by }: Target): Promise<TargetProblem | null> => {
  if (by === 'new-disk') return null;
  if (wasUsed) return 'target-unmarked';
  if (by === 'command') return null;
  const disk = await diskOf(to);
  if (disk === null) return 'target-absent';
  const isShared = disk === (await diskOf(path.parse(to).root)) || disk === (await diskOf(dataFolder));
  return isShared ? 'target-unprepared' : null;
};

/** Reads the mark of a folder that may take backups of this archive; null for a new one. @throws TargetUnavailable, errors of the file system */
export const checkTarget = async (target: Target): Promise<string | null> => {
  const { to, dataFolder, archiveId } = target;
  if (await isInside(to, dataFolder)) throw new TargetUnavailable('target-inside', to);
  const mark = await readMark(to);
  if (mark === archiveId) return mark;
  const problem = mark === null ? await problemOfUnmarked(target) : 'target-foreign';
  if (problem) throw new TargetUnavailable(problem, to);
  return null;
};

/** Ensures that a folder is one of backups of this archive; marks a new one. @throws TargetUnavailable, errors of the file system */
export const ensureTarget = async (target: Target): Promise<void> => {
  const { to, archiveId } = target;
  if ((await checkTarget(target)) !== null) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  await writeDurably(path.join(to, markName), `${archiveId}\n`);
};
