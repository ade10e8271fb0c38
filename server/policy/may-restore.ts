import { mayDo } from '../../contract/claims.ts';
import type { Principal } from './principal.ts';

/**
 * Who threw a study away may take it back, so that a slip can be undone where it happened. What somebody else threw away lies in the recycle
 * bin, and takes `feature.recycle_bin`.
 */
export const mayRestore = (principal: Principal, deletedBy: string | null): boolean =>
  deletedBy === principal.accountId || mayDo(principal.permissions, 'feature.recycle_bin');
