import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** The system account of PostgreSQL, and how to run a command under it. */
export interface PostgresUser {
  /** Null: the account of this process. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  command(file: string, args: readonly string[]): Command;
}

const unprivileged = (): { uid: number; gid: number } | null => {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    // macOS reports the account nobody as -2.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  return null;
};

/** An existing cluster keeps its owner: PostgreSQL rejects a folder of another account. */
const ownerOf = (folder: string): { uid: number; gid: number } | null => {
  const { uid, gid } = existsSync(folder) ? statSync(folder) : { uid: 0, gid: 0 };
  return uid === 0 ? unprivileged() : { uid, gid };
};

const reaches = (owner: { uid: number; gid: number }, binary: string, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'test -x "$0" && cd "$1"', binary, folder], { ...owner, stdio: 'ignore' }).status === 0;

/**
 * PostgreSQL refuses to run as root, so root uses an unprivileged account. If that account cannot reach the binaries or the folder (everything
 * under /root, for example), setpriv grants it only the capability to traverse.
 */
export const postgresUser = (binaries: PostgresBinaries, folder: string): PostgresUser => {
  if (process.getuid?.() !== 0) return { owner: null, command: (file, args) => ({ file, args }) };
  const owner = ownerOf(folder);
  if (!owner)
    throw new StartupError('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to lend it');
  if (reaches(owner, binaries.postgres, path.dirname(folder)))
    return { owner, command: (file, args) => ({ file, args, ...owner }) };
  const ids = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const walking = [...ids, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  if (spawnSync('setpriv', [...walking, binaries.postgres, '--version'], { stdio: 'ignore' }).status !== 0)
    throw new StartupError(
      `PostgreSQL does not run as root, and user ${owner.uid} cannot reach ${path.dirname(folder)}: start as another user, or use a folder open to all`,
    );
  return { owner, command: (file, args) => ({ file: 'setpriv', args: [...walking, file, ...args] }) };
};
