import { type Claim, hasClaim } from '../../../contract/claims.ts';
import type { StudyNow } from './study-view.ts';

/** Returns the limit (`disable.*`) among the permissions that denies the import of these studies; undefined when none does. */
export const deniedRight = (permissions: readonly string[], studies: readonly StudyNow[]): Claim | undefined => {
  const makesStudy = studies.some(({ inArchive }) => inArchive === null);
  if (makesStudy && hasClaim(permissions, 'disable.new_study')) return 'disable.new_study';
  const makesMount = studies.some(({ row }) => row.template_id !== null && row.viewset_id === null);
  return makesMount && hasClaim(permissions, 'disable.new_series') ? 'disable.new_series' : undefined;
};
