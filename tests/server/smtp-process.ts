import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { vi } from 'vitest';
import { freePort } from '../free-port.ts';

export interface ReceivedMessage {
  readonly from: string | null;
  readonly to: readonly string[];
  /** The connection was encrypted. */
  readonly secure: boolean;
  readonly user: string | null;
  readonly bytes: string;
}

export interface SmtpOptions {
  /** Implicit TLS instead of STARTTLS. */
  readonly secure?: boolean;
  /** PEM; without them the server offers no TLS. */
  readonly key?: string;
  readonly cert?: string;
  /** Without them authentication is not required. */
  readonly user?: string;
  readonly password?: string;
}

/** A mail server (smtp-server) in a child process on a free port. `nobody...` has no mailbox, `busy...` is rejected temporarily once. */
export const smtpProcess = async (options: SmtpOptions = {}) => {
  const port = await freePort();
  const messages: ReceivedMessage[] = [];
  let child: ChildProcess | null = null;

  const start = async () => {
    const script = path.join(import.meta.dirname, 'smtp/smtp-server.ts');
    const started = spawn(process.execPath, [script, JSON.stringify({ port, ...options })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines = createInterface(started.stdout);
    const first = await Promise.race([once(lines, 'line'), once(started, 'exit')]);
    if (first[0] !== 'ready') throw new Error('the mail server did not start');
    lines.on('line', (line) => messages.push(JSON.parse(line)));
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
    messages,
    start,
    stop,
    /** Waits for that many e-mails. */
    taken: (count: number) =>
      vi.waitUntil(() => messages.length >= count && messages, { timeout: 20_000, interval: 50 }),
  };
};
