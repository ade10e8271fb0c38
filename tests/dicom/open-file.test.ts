import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCrashMarks, writeMark } from '../../server/dicom/crash-marks.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'dentarium-crash-marks-'));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'one-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

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
    expect(readdirSync(folder)).toEqual(['end#3']);
  });

  it('is decoded alone, so that no other file is suspected', async () => {
    expect((await run('end')).code).toBeNull();
    for (let death = 0; death < 2; death += 1) expect((await run('good', 'end', 'fine')).code).toBeNull();
    const { lines } = await run('good', 'end', 'fine');
    expect(lines.filter((line) => line.endsWith('answered'))).toEqual(['fine: answered', 'good: answered']);
    expect(readdirSync(folder)).toEqual(['end#3']);
  });

  it('is no longer suspected after successful decoding', async () => {
    writeMark(path.join(folder, `good@${process.pid}-1`));
    writeMark(path.join(folder, `good@${process.pid}-2`));
    expect(openCrashMarks(folder).crashesOf('/archive/good')).toBe(1);
    expect(readdirSync(folder)).toEqual(['good#1']);
    expect((await run('good')).lines).toEqual(['good: answered']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('counts crashes of ended processes only', () => {
    writeFileSync(path.join(folder, 'a.dcm#1'), '');
    writeMark(path.join(folder, `a.dcm@${process.pid}-7`));
    // The parent of this process is alive.
    writeMark(path.join(folder, `b@${process.ppid}-7`));
    const marks = openCrashMarks(folder);
    expect([marks.crashesOf('a.dcm'), marks.crashesOf('b')]).toEqual([2, 0]);
    expect(readdirSync(folder).sort()).toEqual(['a.dcm#2', `b@${process.ppid}-7`]);
    marks.release('/x/a.dcm', null);
    expect(marks.crashesOf('a.dcm')).toBe(0);
    expect(readdirSync(folder)).toEqual([`b@${process.ppid}-7`]);
  });
});
