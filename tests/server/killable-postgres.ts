import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { Address } from '../../server/db/client.ts';
import { findPostgres, type PostgresBinaries } from '../../server/db/postgres-binaries.ts';
import { ensureCluster } from '../../server/db/postgres-cluster.ts';
import { type PostgresUser, postgresUser } from '../../server/db/postgres-user.ts';
import { cleanUpDeadPostmaster, superuser } from '../../server/db/postmaster.ts';
import { startPostgres } from '../../server/db/start-postgres.ts';
import { isAlive } from '../../server/process-identity.ts';

/** PostgreSQL has a built-in locale provider from version 17. */
const makeCluster = ({ initdb }: PostgresBinaries, user: PostgresUser, folder: string): void => {
  mkdirSync(folder, { mode: 0o700 });
  if (user.owner) chownSync(folder, user.owner.uid, user.owner.gid);
  const args = [`--pgdata=${folder}`, `--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  const command = user.command(initdb, args);
  const made = spawnSync(command.file, command.args, { ...command, encoding: 'utf8', cwd: '/' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
};

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);

/** A separate PostgreSQL of the configured version that can be stopped, killed and restarted at the same address. `more`: settings, `name=value`. */
export const mortalPostgres = async (more: readonly string[] = []) => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'dentarium-mortal-'));
  chmodSync(base, 0o755);
  const folder = path.join(base, 'database');
  const binFolder = process.env.DENTARIUM_TEST_POSTGRES_BIN;
  const binaries = binFolder
    ? { initdb: path.join(binFolder, 'initdb'), postgres: path.join(binFolder, 'postgres'), major: '' }
    : findPostgres();
  const user = postgresUser(binaries, folder);
  if (binFolder) makeCluster(binaries, user, folder);
  else ensureCluster(binaries, user, folder);
  // Commits must survive a killed postmaster, not a power failure.
  const settings = ['fsync=off', 'max_connections=40', ...more];
  const address: Address = { host: folder, user: superuser, database: 'dentarium' };
  let child: ChildProcess | null = null;

  const runQuery = async (text: string, database = 'postgres'): Promise<pg.QueryResult> => {
    const client = new pg.Client({ ...address, database });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const start = async (): Promise<void> => {
    await cleanUpDeadPostmaster(folder);
    child = await startPostgres(binaries, user, { folder, socketFolder: folder, settings, appendLog: true });
  };
  /** SIGINT: restart by an administrator. SIGKILL: as by the out-of-memory killer. */
  const stop = async (signal: 'SIGINT' | 'SIGKILL'): Promise<void> => {
    const ending = child;
    child = null;
    if (!ending) return;
    const exit = once(ending, 'exit');
    ending.kill(signal);
    await exit;
  };
  /** Process ids of the sessions of the archive's database. */
  const backends = async (): Promise<number[]> => {
    const { rows } = await runQuery("select pid from pg_stat_activity where datname = 'dentarium' order by pid");
    return rows.map(({ pid }) => pid);
  };

  await start();
  await runQuery('create database dentarium');
  return {
    address,
    folder,
    runQuery,
    start,
    stop,
    backends,
    isRunning: () => child !== null,
    /** Process id of the postmaster. */
    pid: () => child?.pid ?? 0,
    childrenOfPostmaster: () => (child?.pid ? childrenOf(child.pid) : []),
    killBackend: (pid: number) => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
    close: async () => {
      await stop('SIGINT');
      rmSync(base, { recursive: true, force: true });
    },
  };
};

export type MortalPostgres = Awaited<ReturnType<typeof mortalPostgres>>;
