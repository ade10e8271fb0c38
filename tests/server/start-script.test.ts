import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readPostmaster } from '../../server/db/postmaster.ts';
import { isAlive } from '../../server/process-identity.ts';
import { startedText } from './child-server.ts';
import { giveEmptyDatabase } from './empty-database.ts';

const root = path.join(import.meta.dirname, '../..');
let folder: string;
let child: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-script-'));
  await giveEmptyDatabase(folder);
});
afterEach(() => {
  const lock = path.join(folder, 'server.lock');
  for (const pid of [serverPid(lock), readPostmaster(path.join(folder, 'database'))?.pid])
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const serverPid = (lock: string) =>
  existsSync(lock) ? Number(/\d+/.exec(readFileSync(lock, 'utf8'))?.[0]) : undefined;

/** Starts a program in its own process group and waits until the server is ready. */
const start = async (command: string, args: readonly string[]) => {
  const { DATABASE_URL: _, ...env } = process.env;
  child = spawn(command, [...args, '--port', '0', '--data', folder, '--empty'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await vi.waitFor(() => expect(text).toContain(startedText), { timeout: 60_000, interval: 100 });
};

const programs = {
  npm: ['npm', ['start', '--']],
  'the start script': ['node', ['scripts/start.mjs']],
} as const;

const isEnded = async () => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // npm exits before the processes that it started.
  await vi.waitFor(
    () => {
      expect(existsSync(path.join(folder, 'server.lock'))).toBe(false);
      expect(readPostmaster(path.join(folder, 'database'))).toBeNull();
    },
    { timeout: 30_000, interval: 100 },
  );
};

it.each([
  ['npm', 'SIGTERM'],
  ['npm', 'SIGINT'],
  ['the start script', 'SIGTERM'],
  ['the start script', 'SIGINT'],
] as const)('stops server and database when %s receives %s', async (program, signal) => {
  const [command, args] = programs[program];
  await start(command, args);
  child.kill(signal);
  await isEnded();
});

it('stops in order on Ctrl-C, which a terminal sends to each process of the group', async () => {
  await start(...programs['the start script']);
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await isEnded();
  expect(child.exitCode).toBe(0);
});
