import { hasClaim } from '../../../contract/claims.ts';
import type { Principal } from './principal.ts';

/** Returns whether lists show the caller patients with protected identity. */
export const seesProtected = ({ permissions }: Principal): boolean =>
  hasClaim(permissions, 'feature.protected_identity');
