import { readdirSync, readFileSync } from 'node:fs';

/** Returns the memory of the processes of a PostgreSQL, shared pages counted once (Linux only: proportional set size in `/proc`). */
export const postgresBytes = (postmaster: number): number => {
  const parentOf = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
    } catch {
      return 0;
    }
  };
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pids = all.filter((pid) => Number(pid) === postmaster || parentOf(pid) === postmaster);
  const kibibytes = pids.map((pid) => {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  });
  return kibibytes.reduce((sum, value) => sum + value, 0) * 1024;
};
