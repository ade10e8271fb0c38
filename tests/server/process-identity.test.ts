import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { identityOf, isRunning } from '../../server/process-identity.ts';

const own = identityOf(process.pid);
const start = own.split(' ').at(-1) ?? '';

it('recognizes a process by id and start time', () => {
  expect(isRunning(own)).toBe(true);
  expect(isRunning(`${process.ppid} ${start}1`)).toBe(false);
  expect(isRunning('4194305 1')).toBe(false);
});

it.skipIf(process.platform !== 'linux')(
  'recognizes one that sees another boot id, as a hardened service in a container does',
  () => {
    expect(own).not.toContain(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(isRunning(`${process.pid} 1e583edb-bf6b-49c3-9515-28efd9be133d ${start}`)).toBe(true);
  },
);

it('counts a process whose start time is not known as running', () => {
  expect(isRunning(`${process.pid}`)).toBe(true);
});
