import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './postgres-user.ts';
import { superuser } from './postmaster.ts';

/** PostgreSQL gets no environment variable of this process: the locale is fixed, and PG* settings must not leak in. */
export const postgresEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

const initdbArgs = (folder: string): string[] => [
  `--pgdata=${folder}`,
  `--username=${superuser}`,
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--no-instructions',
];

const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

const create = (binaries: PostgresBinaries, user: PostgresUser, folder: string): void => {
  // Created beside its place and renamed, so that a folder with the final name is complete even after a power cut.
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  if (user.owner) chownSync(draft, user.owner.uid, user.owner.gid);
  const { file, args, ...ids } = user.command(binaries.initdb, initdbArgs(draft));
  const result = spawnSync(file, args, { ...ids, env: postgresEnvironment, encoding: 'utf8', cwd: '/' });
  if (result.status !== 0) {
    const reason = result.error?.message ?? result.stderr.match(/error: (.*)/)?.[1] ?? `exit code ${result.status}`;
    throw new StartupError(`Cannot make the database in ${folder}: ${reason}`);
  }
  renameSync(draft, folder);
  syncFolder(path.dirname(folder));
};

const versionFileOf = (folder: string): string => path.join(folder, 'PG_VERSION');

/** Returns whether a folder holds a cluster. */
export const isCluster = (folder: string): boolean => existsSync(versionFileOf(folder));

/** Creates the cluster if there is none; rejects one of another major version. */
export const ensureCluster = (binaries: PostgresBinaries, user: PostgresUser, folder: string): void => {
  if (!existsSync(folder)) create(binaries, user, folder);
  if (!isCluster(folder)) throw new StartupError(`${folder} holds no PostgreSQL database`);
  const found = readFileSync(versionFileOf(folder), 'utf8').trim();
  if (found !== binaries.major)
    throw new StartupError(`${folder} was written by PostgreSQL ${found}; this version carries ${binaries.major}`);
};
