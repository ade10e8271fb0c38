import { type Binned, bin, findBinned } from '../db/stores/record-edits.ts';
import { mayRestore } from '../policy/may-restore.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal, withoutRight } from '../refusal.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';

/**
 * Into the recycle bin, or out of it: of what the caller may reach, noted in the access log, told to the clinic.
 * Deleting what is deleted is refused as not found; restoring what is there changes nothing. Of series and images it is not kept who deleted
 * them: they have no place in the recycle bin's lists, and whoever may delete them may take them back.
 */
export const binOf =
  ({ db, accessLog, news }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'news'>) =>
  async (principal: Principal, what: Binned, id: string, deleted: boolean): Promise<{ id: string }> => {
    const row = inReach(principal, await findBinned(db, what, id));
    if (!deleted && what === 'study' && row.deleted_at && !mayRestore(principal, row.deleted_by))
      throw withoutRight('feature.recycle_bin');
    const viewsets = await bin(db, what, row, { deleted, accountId: principal.accountId });
    if (!viewsets) {
      if (deleted) throw new Refusal('not-found');
      return { id };
    }
    const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: `${what}.${deleted ? 'deleted' : 'restored'}`,
      objectId: id,
    });
    await news.patientChanged(record);
    await news.viewsetsChanged(record, viewsets);
    return { id };
  };
