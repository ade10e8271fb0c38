import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StandIn } from '../../stand-ins/stand-in.ts';

/** A stand-in (`stand-ins/<name>/start.ts`) in a child process. */
export const startStandIn = async (name: 'bank-id' | 'sms', options: object): Promise<StandIn> => {
  const module = path.join(import.meta.dirname, '../../stand-ins', name, 'start.ts');
  const script = `
    const { start } = await import(${JSON.stringify(module)});
    const { url, environment } = await start(${JSON.stringify(options)});
    console.log(JSON.stringify({ url, environment }));`;
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('no output');
  const [first] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  if (typeof first !== 'string') throw new Error(`the stand-in ${name} did not start`);
  const { url, environment } = JSON.parse(first);
  return {
    url,
    environment,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
};
