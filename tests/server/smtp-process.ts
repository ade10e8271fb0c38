import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { freePort } from '../free-port.ts';

export interface TakenLetter {
  readonly from: string | null;
  readonly to: readonly string[];
  /** The line was encrypted. */
  readonly secure: boolean;
  readonly user: string | null;
  readonly bytes: string;
}

export interface SmtpOptions {
  /** TLS from the beginning instead of STARTTLS. */
  readonly secure?: boolean;
  /** PEM; without them the server offers no TLS. */
  readonly key?: string;
  readonly cert?: string;
  /** Without them anybody may send. */
  readonly user?: string;
  readonly password?: string;
}

/** A mail server (smtp-server) in a process of its own on a free port. `nobody...` has no mailbox, `busy...` is put off once. */
export const smtpProcess = async (options: SmtpOptions = {}) => {
  const port = await freePort();
  const letters: TakenLetter[] = [];
  let child: ChildProcess | null = null;

  const start = async () => {
    const script = path.join(import.meta.dirname, 'smtp/smtp-server.ts');
    const begun = spawn(process.execPath, [script, JSON.stringify({ port, ...options })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = begun;
    const lines = createInterface(begun.stdout);
    const first = await Promise.race([once(lines, 'line'), once(begun, 'exit')]);
    if (first[0] !== 'ready') throw new Error('the mail server did not start');
    lines.on('line', (line) => letters.push(JSON.parse(line)));
  };
  const stop = async () => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null) return;
    const exit = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exit;
  };

  return {
    port,
    letters,
    start,
    stop,
    /** Waits for that many letters. */
    taken: (count: number) => vi.waitUntil(() => letters.length >= count && letters, { timeout: 20_000, interval: 50 }),
  };
};
