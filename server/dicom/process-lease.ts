import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { identityOf, isRunning, pidNamespace } from '../process-identity.ts';

/** A process that shares a folder with others. */
export interface ProcessLease {
  readonly id: string;
  /** Returns whether the process with this id still runs. */
  isHeld(id: string): boolean;
  release(): void;
}

const renewMs = 10_000;
/** A process of another container or machine is regarded as ended when its lease was not renewed for this long. */
const expiryMs = 60_000;

const record = z.object({ namespace: z.string(), identity: z.string() });

/** Returns a lease and when it was renewed; null when it was released. */
const readLease = (file: string) => {
  try {
    return { ...record.parse(JSON.parse(readFileSync(file, 'utf8'))), renewedMs: statSync(file).mtimeMs };
  } catch {
    return null;
  }
};

/**
 * Opens a lease, a file that is renewed while the process runs, and removes leases of ended processes. Process ids alone do not tell:
 * containers that share a folder also share them.
 */
export const openProcessLease = (folder: string): ProcessLease => {
  mkdirSync(folder, { recursive: true });
  const id = randomBytes(8).toString('hex');
  const own = { namespace: pidNamespace(), identity: identityOf(process.pid) };
  const fileOf = (lease: string) => path.join(folder, lease);
  const renew = () => {
    // Renamed, so that another process never reads half of it.
    writeFileSync(fileOf(`.${id}`), JSON.stringify(own));
    renameSync(fileOf(`.${id}`), fileOf(id));
  };
  renew();
  const timer = setInterval(() => {
    try {
      renew();
    } catch {
      // A full or unmounted disk must not end the server; the next renewal tries again.
    }
  }, renewMs).unref();
  // Compared with the own file: the clock of a shared disk may differ from this machine's.
  const now = statSync(fileOf(id)).mtimeMs;
  const isHeld = (lease: string): boolean => {
    const found = readLease(fileOf(lease));
    if (!found) return false;
    if (found.namespace === own.namespace) return isRunning(found.identity);
    return now - found.renewedMs < expiryMs;
  };
  const leases = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const held = new Map(leases.map((lease) => [lease, isHeld(lease)]));
  for (const [lease, runs] of held) if (!runs) rmSync(fileOf(lease), { force: true });
  return {
    id,
    isHeld: (lease) => held.get(lease) ?? false,
    release: () => {
      clearInterval(timer);
      rmSync(fileOf(id), { force: true });
    },
  };
};
