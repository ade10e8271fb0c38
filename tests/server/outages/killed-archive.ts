import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Address, connect } from '../../../server/db/client.ts';
import { readPostmaster } from '../../../server/db/postmaster.ts';
import { isAlive } from '../../../server/process-identity.ts';
import { freePort } from '../../free-port.ts';
import { startedText } from '../child-server.ts';
import { mortalPostgres } from '../killable-postgres.ts';
import { type RunningBackups, runBackups } from './running-backups.ts';

export const kinds = [
  'server',
  'postmaster',
  'backend-terminated',
  'backend-killed',
  'decoder',
  'writer',
  'backup',
] as const;
export type Kill = (typeof kinds)[number];

const root = path.join(import.meta.dirname, '../../..');

const environmentOf = (variables: Record<string, string>) => variables;

/** The bundled database is restarted by the server; the one of DENTARIUM_TEST_POSTGRES_BIN is restarted here. */
const databaseIn = async (dataFolder: string) => {
  if (process.env.DENTARIUM_TEST_POSTGRES_BIN) {
    const postgres = await mortalPostgres();
    const url = `postgres://postgres@localhost/dentarium?host=${encodeURIComponent(postgres.folder)}`;
    return {
      address: postgres.address,
      environment: environmentOf({ DATABASE_URL: url }),
      pid: postgres.pid,
      killPostmaster: async () => {
        await postgres.stop('SIGKILL');
        await postgres.start();
      },
      close: postgres.close,
    };
  }
  const folder = path.join(dataFolder, 'database');
  const address: Address = { host: folder, user: 'postgres', database: 'dentarium' };
  const pid = () => readPostmaster(folder)?.pid ?? 0;
  return {
    address,
    environment: environmentOf({}),
    pid,
    killPostmaster: async () => {
      if (isAlive(pid())) process.kill(pid(), 'SIGKILL');
    },
    close: async () => undefined,
  };
};

/** The whole program on a database, with a way to kill each of its parts. */
export const killedArchive = async () => {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-outages-'));
  const database = await databaseIn(dataFolder);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let output = '';
  let living: ChildProcess | null = null;
  const environment = { ...database.environment, DENTARIUM_DATA: dataFolder };
  const backups: RunningBackups = runBackups(environment);

  const start = async (): Promise<void> => {
    const { DATABASE_URL: _, ...inherited } = process.env;
    const preload = path.join(import.meta.dirname, '../killable-workers.ts');
    const args = ['--import', preload, path.join(root, 'server/main.ts'), '--empty', '--data', dataFolder];
    const child = spawn(process.execPath, [...args, '--port', String(port)], {
      env: { ...inherited, ...database.environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    living = child;
    let own = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        own += chunk;
        output = own;
      });
    while (!own.includes(startedText)) {
      if (child.exitCode !== null) throw new Error(`the server ended by itself: ${own}`);
      await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
    }
    child.once('exit', (code) => {
      if (code !== null) output += `\nended by itself with ${code}`;
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | string | null> => {
    const child = living;
    living = null;
    if (!child) return null;
    const exit = child.exitCode ?? child.signalCode ?? once(child, 'exit').then(([code, by]) => code ?? by);
    child.kill(signal);
    return exit;
  };
  const ready = async (): Promise<void> => {
    for (;;) {
      if (living && living.exitCode !== null) throw new Error(`the server ended by itself: ${output}`);
      const reply = await fetch(`${url}/health/ready`).catch(() => null);
      if (reply?.ok) return;
    }
  };
  /** Process ids of the archive's sessions. */
  const backends = async (): Promise<number[]> => {
    const client = new pg.Client({ ...database.address, database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query("select pid from pg_stat_activity where datname = 'dentarium' order by pid");
      return rows.map(({ pid }) => pid);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const killWorker = async (kind: string): Promise<void> => {
    const child = living;
    if (!child) return;
    const ended = once(child, 'message');
    child.send(kind);
    await Promise.race([
      ended,
      once(child, 'exit').then(() => Promise.reject(new Error(`the server ended by itself: ${output}`))),
    ]);
  };

  const kill = async (kind: Kill, pick: <T>(values: readonly T[]) => T | undefined): Promise<void> => {
    if (kind === 'server') {
      // A backup that begins without the server would lock the data folder.
      await backups.stop();
      await end('SIGKILL');
      await start();
      backups.resume();
    } else if (kind === 'backup') await backups.kill();
    else if (kind === 'postmaster') await database.killPostmaster();
    else if (kind === 'decoder' || kind === 'writer') await killWorker(kind);
    else {
      let pid: number | undefined;
      while (!pid || !isAlive(pid)) pid = pick(await backends().catch(() => []));
      // pg_terminate_backend sends SIGTERM.
      process.kill(pid, kind === 'backend-killed' ? 'SIGKILL' : 'SIGTERM');
    }
  };

  const close = async (): Promise<number | string | null> => {
    const code = await end('SIGTERM');
    await database.close();
    for (const folder of [dataFolder, backups.folder]) rmSync(folder, { recursive: true, force: true });
    return code;
  };
  return {
    url,
    dataFolder,
    backups,
    environment,
    start,
    ready,
    kill,
    close,
    connect: () => connect(database.address, { connections: 2 }),
    pid: () => living?.pid,
  };
};

export type KilledArchive = Awaited<ReturnType<typeof killedArchive>>;
