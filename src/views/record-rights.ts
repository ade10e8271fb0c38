import { useSelector } from '@xstate/react';
import type { Claim } from '../../contract/claims.ts';
import { type SessionActor, selectPermission } from '../machines/session/session.machine.ts';
import { useFailureText } from './language/failure-text.ts';
import { missing } from './page-rights.ts';

/** What one person may do to the records of a clinic: of each, why not, in their language; null where they may. */
export interface RecordRights {
  /** To look into the recycle bin. */
  readonly bin: string | null;
  /** To delete a patient, and to bring one back. */
  readonly patient: string | null;
  /** To delete a study, and to bring one back. */
  readonly study: string | null;
  /** To move the studies of a patient to another. */
  readonly merge: string | null;
}

/** The claim that bars somebody of these permissions from a whole patient; null when none does. */
const barsPatient = (permission: readonly string[]): Claim | null =>
  missing(permission, 'feature.recycle_bin') ??
  (permission.includes('disable.delete_study') ? 'disable.delete_study' : null);

export const useRecordRights = (session: SessionActor): RecordRights => {
  const failureText = useFailureText();
  const permission = useSelector(session, selectPermission);
  const told = (claim: Claim | null) => claim && failureText({ kind: 'refused', code: 'no-right', claims: [claim] });
  const limit = (claim: Claim) => (permission.includes(claim) ? claim : null);
  return {
    bin: told(missing(permission, 'feature.recycle_bin')),
    patient: told(barsPatient(permission)),
    study: told(limit('disable.delete_study')),
    merge: told(limit('disable.move_study')),
  };
};
