import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { postgresUser } from '../../server/db/postgres-user.ts';
import { freePort } from '../free-port.ts';
import type { ProxyProgram } from './proxy-program.ts';

export interface PgBouncer {
  readonly port: number;
  /** Address of a database through it. */
  urlOf(database: string): string;
  close(): Promise<void>;
}

const isAnswering = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Starts Debian's pgBouncer in transaction mode with two connections per database, so that sessions of clients mix. */
export const startPgBouncer = async ({ program }: ProxyProgram, socketFolder: string): Promise<PgBouncer> => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-pgbouncer-'));
  const port = await freePort();
  const [file, log] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'pgbouncer.log')];
  const lines = [
    '[databases]',
    `* = host=${socketFolder} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 2',
    'max_client_conn = 200',
    `logfile = ${log}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  // It does not run as root, and the socket is open to the owner of the cluster only.
  const { owner, command } = postgresUser({ initdb: '', postgres: program, major: '' }, socketFolder);
  chmodSync(folder, 0o755);
  if (owner) for (const each of [folder, file]) chownSync(each, owner.uid, owner.gid);
  const { file: run, args, ...ids } = command(program, [file]);
  const child = spawn(run, args, { stdio: 'ignore', ...ids });
  const exit = once(child, 'exit');
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  while (!(await isAnswering(urlOf('postgres'))))
    if (child.exitCode !== null || (existsSync(log) && /connect failed/.test(readFileSync(log, 'utf8'))))
      throw new Error(`pgbouncer ended: ${readFileSync(log, 'utf8')}`);
  return {
    port,
    urlOf,
    close: async () => {
      child.kill('SIGTERM');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
