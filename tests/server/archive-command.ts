import { spawn } from 'node:child_process';
import path from 'node:path';

const main = path.join(import.meta.dirname, '../../server/archive-command/main.ts');

/** Runs `npm run archive -- <args>` in a child process, with this text on stdin, and waits for its exit. */
export const archiveCommand = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
) => {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...environment } });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
};
