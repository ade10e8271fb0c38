import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLog } from '../../server/log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { maxBytes: 10_000, checkMs: 10 };
const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

it('rotates the log while the server runs; no line is lost, and old lines are dropped', async () => {
  const file = path.join(folder, 'server.log');
  const [log, otherNode] = [openLog(file, 'info', limits), openLog(file, 'info', limits)];
  for (let round = 1; round <= 3; round += 1) {
    const before = statSync(file).ino;
    for (let line = 0; line < 100; line += 1) {
      log.info(`${round} a ${line} ${'x'.repeat(100)}`);
      otherNode.info(`${round} b ${line} ${'x'.repeat(100)}`);
    }
    await expect.poll(() => existsSync(file) && statSync(file).ino).not.toBe(before);
    expect(linesOf(`${file}.1`).filter((line) => String(line).startsWith(`${round} `))).toHaveLength(200);
  }
  // Both nodes write to the new file.
  await expect
    .poll(() => {
      log.info('a');
      otherNode.info('b');
      return new Set(linesOf(file));
    })
    .toEqual(new Set(['a', 'b']));
  expect(statSync(file).size).toBeLessThan(limits.maxBytes);
});

it('a full disk neither ends the server nor loses the lines that it logs meanwhile', async () => {
  const file = path.join(folder, 'server.log');
  // A device on which each write fails with ENOSPC.
  symlinkSync('/dev/full', file);
  const log = openLog(file, 'info', limits);
  log.info('while full');
  log.info('still full');
  rmSync(file);
  await expect.poll(() => existsSync(file)).toBe(true);
  log.info('again');
  expect(linesOf(file)).toEqual(['while full', 'still full', 'again']);
});

it('continues when the folder of its file disappears, and writes there when it is back', async () => {
  const inner = path.join(folder, 'data');
  const file = path.join(inner, 'server.log');
  mkdirSync(inner);
  const log = openLog(file, 'info', limits);
  rmSync(inner, { recursive: true });
  log.info('lost with the folder');
  mkdirSync(inner);
  await expect.poll(() => existsSync(file)).toBe(true);
  log.info('again');
  expect(linesOf(file)).toEqual(['again']);
});
