import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import memory from '../../../scripts/memory.json' with { type: 'json' };
import { temporaryFolder } from './peers.ts';

/** What the process prints about an object that it has stored. */
export interface StoredLine {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The most memory that the process has used so far. */
  readonly peakBytes: number;
}

export interface ArchiveProcess {
  readonly port: number;
  /** What it has stored, in order. */
  readonly stored: readonly StoredLine[];
  readonly errors: readonly string[];
}

/** Starts an archive in a process of its own, with the product's settings of memory, which ends with the test. */
export const startArchiveProcess = async (): Promise<ArchiveProcess> => {
  const folder = await temporaryFolder();
  const program = path.join(import.meta.dirname, 'store-process.ts');
  const child = spawn(process.execPath, [...memory.flags, program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...memory.environment },
  });
  onTestFinished(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  const [stored, errors]: [StoredLine[], string[]] = [[], []];
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, 'line');
  lines.on('line', (text) => {
    const line = JSON.parse(text);
    if ('error' in line) errors.push(line.error);
    else stored.push(line);
  });
  child.once('exit', (code, signal) => errors.push(`ended with ${code ?? signal}`));
  return { port: Number(JSON.parse(first).port), stored, errors };
};
