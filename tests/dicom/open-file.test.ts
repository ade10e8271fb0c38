import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCrashMarks, writeMark } from '../../server/dicom/crash-marks.ts';
import { identityOf, pidNamespace } from '../../server/process-identity.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'dentarium-crash-marks-'));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'one-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const marks = () =>
  readdirSync(folder)
    .filter((name) => name !== 'processes')
    .sort();

/** Runs the pool in a process of its own; null when that was killed. */
const run = (...files: string[]) =>
  new Promise<{ readonly code: number | null; readonly lines: readonly string[] }>((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'ended-process.ts'), folder, ...files]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('close', (code) => resolve({ code, lines: out.split('\n').filter(Boolean).sort() }));
  });

describe('a file that crashes the process', () => {
  it('is rejected after three crashes without affecting other files', async () => {
    for (let death = 0; death < 3; death += 1) expect((await run('end')).code).toBeNull();
    const { code, lines } = await run('end', 'good');
    expect(code).toBe(0);
    expect(lines).toEqual([
      'end: decode-failed: the server ended 3 times while it decoded this file',
      'good: answered',
    ]);
    expect(marks()).toEqual(['end#3']);
  });

  it('is decoded alone, so that no other file is suspected', async () => {
    expect((await run('end')).code).toBeNull();
    for (let death = 0; death < 2; death += 1) expect((await run('good', 'end', 'fine')).code).toBeNull();
    const { lines } = await run('good', 'end', 'fine');
    expect(lines.filter((line) => line.endsWith('answered'))).toEqual(['fine: answered', 'good: answered']);
    expect(marks()).toEqual(['end#3']);
  });

  it('is no longer suspected after successful decoding', async () => {
    writeMark(path.join(folder, 'good@ended-1'));
    writeMark(path.join(folder, 'good@ended-2'));
    const opened = openCrashMarks(folder);
    expect(opened.crashesOf('/archive/good')).toBe(1);
    opened.close();
    expect(marks()).toEqual(['good#1']);
    expect((await run('good')).lines).toEqual(['good: answered']);
    expect(marks()).toEqual([]);
  });

  it('counts crashes of ended processes only', () => {
    const lease = (id: string, namespace: string, identity: string, ageMs = 0) => {
      const file = path.join(folder, 'processes', id);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ namespace, identity }));
      const renewed = new Date(Date.now() - ageMs);
      utimesSync(file, renewed, renewed);
      writeMark(path.join(folder, `${id}.dcm@${id}-7`));
    };
    const [here, container] = [pidNamespace(), 'another container'];
    lease('parent', here, identityOf(process.ppid));
    // Our process id, as a restarted container has it, but another start time.
    lease('restarted', here, `${process.pid} boot 1`);
    lease('container', container, identityOf(process.pid), 30_000);
    lease('endedcontainer', container, '1 boot 1', 120_000);
    writeFileSync(path.join(folder, 'restarted.dcm#1'), '');
    const opened = openCrashMarks(folder);
    const crashes = (id: string) => opened.crashesOf(`/x/${id}.dcm`);
    expect(['parent', 'restarted', 'container', 'endedcontainer'].map(crashes)).toEqual([0, 2, 0, 1]);
    expect(marks()).toEqual([
      'container.dcm@container-7',
      'endedcontainer.dcm#1',
      'parent.dcm@parent-7',
      'restarted.dcm#2',
    ]);
    opened.release('/x/restarted.dcm', null);
    expect(crashes('restarted')).toBe(0);
    expect(marks()).not.toContain('restarted.dcm#2');
    opened.close();
    expect(readdirSync(path.join(folder, 'processes')).sort()).toEqual(['container', 'parent']);
  });

  it('a lease that cannot be renewed, on a full or unmounted disk, does not end the server', () => {
    vi.useFakeTimers();
    try {
      const opened = openCrashMarks(folder);
      rmSync(folder, { recursive: true });
      expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
      mkdirSync(path.join(folder, 'processes'), { recursive: true });
      vi.advanceTimersByTime(10_000);
      expect(readdirSync(path.join(folder, 'processes'))).toHaveLength(1);
      opened.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
