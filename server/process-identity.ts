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

/** Returns whether the process lives and this user may signal it: it runs as this user, or this is root. */
export const isOwn = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Start time of a process in ticks since the boot (Linux, proc(5)); an empty text when it is not known. */
const startOf = (pid: number): string => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};

/** Process ids are reused; together with the start time (Linux) an id identifies one process. */
export const identityOf = (pid: number): string => `${pid} ${startOf(pid)}`.trim();

/**
 * Returns whether the process of this identity runs; it must belong to the same pid namespace. Earlier versions wrote the boot id between both
 * numbers; a hardened service in a container sees another one than its commands.
 */
export const isRunning = (identity: string): boolean => {
  const [first, ...rest] = identity.split(' ');
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  const [recorded, seen] = [rest.at(-1) ?? '', startOf(pid)];
  if (recorded !== '' && seen !== '') return recorded === seen;
  // `ProtectProc=` of systemd hides processes. One of this user may be the recorded one; one of another user has got its id since.
  return isOwn(pid);
};

/** Returns the namespace in which process ids are unique: containers that share a folder have different ones. */
export const pidNamespace = (): string => {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
};
