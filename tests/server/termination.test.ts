import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';

const module = path.join(import.meta.dirname, '../../server/termination.ts');

/** Ends in order half a second after the first signal, as a server that closes its connections. */
const program = `
  const { onTermination } = await import(${JSON.stringify(module)});
  onTermination(() => setTimeout(() => process.exit(7), 500));
  setInterval(() => undefined, 1_000);
  console.log('ready');
`;

it('ends in order when the signal repeats: npm and the terminal both send it', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  await once(child.stdout, 'data');
  const exit = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGINT');
    await nextTurn();
  }
  expect(await exit).toEqual([7, null]);
});
