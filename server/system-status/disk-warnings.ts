import type { DiskSpace } from '../storage/disk-space.ts';
import type { WarningSource } from './system-status-routes.ts';

/** Share of the disk below which administrators are warned. */
const lowShare = 0.1;

/** Warns when less than a tenth of the disk is free, or when imports wait for space. */
export const diskWarnings = (space: Pick<DiskSpace, 'read'>): WarningSource => {
  let since: Date | null = null;
  return async () => {
    const now = await space.read();
    if (!now) return [];
    const isFull = now.freeBytes < now.reservedBytes;
    if (!isFull && now.freeBytes >= now.totalBytes * lowShare) {
      since = null;
      return [];
    }
    since ??= new Date();
    return [{ kind: 'disk-space' as const, since: since.toISOString(), isFull, ...now }];
  };
};
