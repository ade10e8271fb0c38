import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../tests/free-port.ts';
import { memoryFolder } from '../tests/memory-folder.ts';

export interface Archive {
  readonly url: string;
  readonly dataFolder: string;
  /** Output of the server so far. */
  output(): string;
  /** Kills the server with SIGKILL, as in a power failure. */
  kill(): Promise<void>;
  /** Starts the server again at the same address after `kill`. */
  restart(): Promise<void>;
  /** Kills and restarts the server at the same address; open pages stay open. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ArchiveOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const root = path.dirname(import.meta.dirname);

export const newDataFolder = () => mkdtemp(path.join(memoryFolder(), 'dentarium-e2e-'));
export const removeDataFolder = (folder: string) => rm(folder, { recursive: true, force: true });

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Starts the server process; `ready` resolves when it answers and rejects with its output when it exits first. */
const run = (port: number, dataFolder: string, { args = [], environment = {} }: ArchiveOptions) => {
  const command = [path.join(root, 'server', 'main.ts'), '--port', String(port), '--data', dataFolder, ...args];
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // A Playwright worker that runs out of time ends without closing its fixtures.
  const endWithWorker = () => child.kill('SIGTERM');
  process.once('exit', endWithWorker);
  child.once('exit', () => process.off('exit', endWithWorker));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const end = async (signal: NodeJS.Signals) => {
    if (ended(child)) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const answers = () =>
    fetch(`http://localhost:${port}/health`).then(
      (reply) => reply.ok,
      () => false,
    );
  const ready = async () => {
    while (!(await answers())) {
      if (ended(child)) throw new Error(`The server exited with ${child.exitCode ?? child.signalCode}:\n${output}`);
      await pause();
    }
  };
  return { end, ready, output: () => output };
};

/** Starts the server on a data folder and waits until it answers. */
export const startArchive = async (dataFolder: string, options: ArchiveOptions = {}): Promise<Archive> => {
  const port = await freePort();
  let running = run(port, dataFolder, options);
  await running.ready();
  const start = async () => {
    running = run(port, dataFolder, options);
    await running.ready();
  };
  return {
    url: `http://localhost:${port}`,
    dataFolder,
    output: () => running.output(),
    kill: () => running.end('SIGKILL'),
    restart: start,
    killAndRestart: async () => {
      await running.end('SIGKILL');
      await start();
    },
    stop: () => running.end('SIGTERM'),
  };
};

const pause = () => new Promise<void>((done) => void setTimeout(done, 100));
