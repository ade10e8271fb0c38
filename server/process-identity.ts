import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Process ids are reused; together with the start time (Linux) an id identifies one process. */
export const identityOf = (pid: number): string => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const started = text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${pid} ${bootId()} ${started}`;
  } catch {
    return `${pid}`;
  }
};

/** Returns whether the process of this identity runs; it must belong to the same pid namespace. */
export const isRunning = (identity: string): boolean => {
  const pid = Number(identity.split(' ')[0]);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && identityOf(pid) === identity;
};

/** Returns the namespace in which process ids are unique: containers that share a folder have different ones. */
export const pidNamespace = (): string => {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
};
