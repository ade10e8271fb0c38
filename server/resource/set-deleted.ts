import { type DeletableKind, findDeletable, setRecordDeleted } from '../db/stores/record-edits.ts';
import { canRestore } from '../domain/policy/can-restore.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

/**
 * Deletes or restores a study, series or image that the caller may access, logs it and publishes an event. Deleting a deleted record returns
 * not-found; restoring one that is not deleted changes nothing. Another user's deleted study needs
 * the right to use the recycle bin; for series and images the claim that allows deleting them is enough.
 */
export const createSetDeleted =
  ({ db, accessLog, events }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'events'>) =>
  async (principal: Principal, what: DeletableKind, id: string, deleted: boolean): Promise<{ id: string }> => {
    const row = requireAccessible(principal, await findDeletable(db, what, id));
    if (!deleted && what === 'study' && row.deleted_at && !canRestore(principal, row.deleted_by))
      throw noRightError('feature.recycle_bin');
    const viewsets = await setRecordDeleted(db, what, row, { deleted, accountId: principal.accountId });
    if (!viewsets) {
      if (deleted) throw new ProblemError('not-found');
      return { id };
    }
    const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
    await accessLog.note(accessTo(principal, row, `${what}.${deleted ? 'deleted' : 'restored'}`));
    await events.patientChanged(record);
    await events.viewsetsChanged(record, viewsets);
    return { id };
  };
