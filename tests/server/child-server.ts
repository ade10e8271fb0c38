import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { giveEmptyDatabase } from './empty-database.ts';

export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  /** Both streams together. */
  output(): string;
  standardOutput(): string;
  /** Stops it by the signal, or waits for its exit; returns the exit code or the signal's name. */
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
}

const root = path.join(import.meta.dirname, '../..');

const exitOf = async (child: ChildProcess): Promise<number | string | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
};

/** In the last lines that a server prints when it has started. */
export const startedText = '  Data  ';

/** Starts the program. */
export const runChild = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'server/main.ts'), ...args], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let standardOutput = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (stream === child.stdout) standardOutput += chunk.toString();
    });
  /** Waits until it has printed this; fails with its output when it exits first. */
  const waitForOutput = async (expected: string): Promise<void> => {
    while (!text.includes(expected)) {
      const ending = child.exitCode ?? child.signalCode;
      if (ending !== null) throw new Error(`ended with ${ending}: ${text}`);
      const over = new AbortController();
      const { signal } = over;
      await Promise.race([
        once(child.stdout, 'data', { signal }),
        once(child.stderr, 'data', { signal }),
        once(child, 'exit', { signal }),
      ]);
      over.abort();
    }
  };
  /** Waits until it serves. */
  const isStarted = () => waitForOutput(startedText);
  const stop = (signal?: NodeJS.Signals) => {
    if (signal) child.kill(signal);
    return exitOf(child);
  };
  return {
    pid: child.pid ?? 0,
    output: () => text,
    standardOutput: () => standardOutput,
    waitForOutput,
    isStarted,
    stop,
  };
};

/** Starts the program and waits until it is ready; fails with its output. A new installation has tables and nothing else. */
export const startChild = async (
  dataFolder: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildServer> => {
  if (!environment.DATABASE_URL) await giveEmptyDatabase(dataFolder);
  const port = await freePort();
  const child = runChild(['--port', String(port), '--data', dataFolder, '--empty', ...args], environment);
  await child.isStarted();
  return { ...child, url: `http://localhost:${port}` };
};

/** Runs the program until it exits. */
export const runToEnd = async (args: readonly string[], environment?: Readonly<Record<string, string>>) => {
  const child = runChild(args, environment);
  const code = await child.stop();
  const lines = child.output().split('\n');
  return { code, lines: lines.filter((line) => line.trim() && !line.endsWith(' ...')) };
};
