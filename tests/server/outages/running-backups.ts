import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { tableFileName } from '../../../server/backup/layout.ts';
import { readManifest } from '../../../server/backup/read-backup.ts';

const main = path.join(import.meta.dirname, '../../../server/archive-command/main.ts');

/** Returns the ids of the images in the database of a backup. */
const imagesIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const { tables } = await readManifest(folder);
  const column = tables.find(({ name }) => name === 'image')?.columns.indexOf('id') ?? -1;
  expect(column).toBeGreaterThanOrEqual(0);
  const text = gunzipSync(await readFile(path.join(folder, tableFileName('image')))).toString();
  return new Set(text.split('\n').flatMap((line) => line.split('\t').slice(column, column + 1)));
};

/** Writes incremental backups of a running archive one after the other; their processes can be killed. */
export const runBackups = (environment: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-outages-backup-'));
  const counts = { complete: 0, failed: 0, killed: 0 };
  let living: ChildProcess | null = null;
  let isStopped = false;
  let isEnded = false;
  const pause = () => new Promise((resolve) => setImmediate(resolve));

  const runOne = async () => {
    const child = spawn(process.execPath, [main, 'backup', '--to', folder, '--incremental', '--json'], {
      env: { ...process.env, ...environment },
    });
    living = child;
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => {
        texts[name] += chunk;
      });
    await once(child, 'close');
    living = null;
    return { code: child.exitCode, signal: child.signalCode, ...texts };
  };

  const runNext = async (acknowledged: () => readonly string[]): Promise<void> => {
    while (isStopped) await pause();
    const expected = acknowledged();
    const { code, signal, stdout, stderr } = await runOne();
    if (signal === 'SIGKILL') counts.killed += 1;
    else if (code === 0) {
      counts.complete += 1;
      const result = JSON.parse(stdout);
      expect(result.absent).toEqual([]);
      const images = await imagesIn(result.folder);
      expect(expected.filter((id) => !images.has(id))).toEqual([]);
    } else {
      counts.failed += 1;
      // One sentence, not a stack.
      expect([code, stderr.includes('\n    at '), stderr]).toEqual([1, false, stderr]);
    }
  };
  /** Runs until `isOver`. `acknowledged`: images that a backup begun now must contain. */
  const run = async (isOver: () => boolean, acknowledged: () => readonly string[]): Promise<void> => {
    try {
      while (!isOver()) await runNext(acknowledged);
    } finally {
      isEnded = true;
    }
  };
  /** Kills the backup that runs now, or the next one. */
  const kill = async (): Promise<void> => {
    while (!living && !isStopped && !isEnded) await pause();
    living?.kill('SIGKILL');
  };
  /** Kills the backup that runs now; none begins until `resume`. */
  const stop = async (): Promise<void> => {
    isStopped = true;
    await kill();
    while (living) await pause();
  };
  const resume = () => {
    isStopped = false;
  };
  return { folder, counts, run, kill, stop, resume };
};

export type RunningBackups = ReturnType<typeof runBackups>;
