import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openInHand, takeInHand } from '../../server/dicom/in-hand.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'dentarium-in-hand-'));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'one-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the pool in a process of its own; null when that was killed. */
const run = (...files: string[]) =>
  new Promise<{ readonly code: number | null; readonly said: readonly string[] }>((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'ended-process.ts'), folder, ...files]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('close', (code) => resolve({ code, said: out.split('\n').filter(Boolean).sort() }));
  });

describe('a file that ends the whole process', () => {
  it('is given up after three times, by name, and harms no other', async () => {
    for (let death = 0; death < 3; death += 1) expect((await run('end')).code).toBeNull();
    const { code, said } = await run('end', 'good');
    expect(code).toBe(0);
    expect(said).toEqual(['end: decode-failed: the server ended 3 times while it decoded this file', 'good: answered']);
    expect(readdirSync(folder)).toEqual(['end#3']);
  });

  it('is taken alone, so that no other is suspected with it', async () => {
    expect((await run('end')).code).toBeNull();
    for (let death = 0; death < 2; death += 1) expect((await run('good', 'end', 'fine')).code).toBeNull();
    const { said } = await run('good', 'end', 'fine');
    expect(said.filter((line) => line.endsWith('answered'))).toEqual(['fine: answered', 'good: answered']);
    expect(readdirSync(folder)).toEqual(['end#3']);
  });

  it('is no longer suspected once it was decoded, also when something else had ended the process', async () => {
    takeInHand(path.join(folder, `good@${process.pid}-1`));
    takeInHand(path.join(folder, `good@${process.pid}-2`));
    expect(openInHand(folder).deathsOf('/archive/good')).toBe(1);
    expect(readdirSync(folder)).toEqual(['good#1']);
    expect((await run('good')).said).toEqual(['good: answered']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('counts as often as processes died, but not those that live', () => {
    writeFileSync(path.join(folder, 'a.dcm#1'), '');
    takeInHand(path.join(folder, `a.dcm@${process.pid}-7`));
    // The parent of this process is alive.
    takeInHand(path.join(folder, `b@${process.ppid}-7`));
    const inHand = openInHand(folder);
    expect([inHand.deathsOf('a.dcm'), inHand.deathsOf('b')]).toEqual([2, 0]);
    expect(readdirSync(folder).sort()).toEqual(['a.dcm#2', `b@${process.ppid}-7`]);
    inHand.outlived('/x/a.dcm', null);
    expect(inHand.deathsOf('a.dcm')).toBe(0);
    expect(readdirSync(folder)).toEqual([`b@${process.ppid}-7`]);
  });
});
