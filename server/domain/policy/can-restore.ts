import { hasClaim } from '../../../contract/claims.ts';
import type { Principal } from './principal.ts';

/** Returns whether the caller may restore a deleted study: the user who deleted it may undo that; others need `feature.recycle_bin`. */
export const canRestore = (principal: Principal, deletedBy: string | null): boolean =>
  deletedBy === principal.accountId || hasClaim(principal.permissions, 'feature.recycle_bin');
