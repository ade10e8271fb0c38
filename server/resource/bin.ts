import { type Binned, bin, findBinned } from '../db/stores/record-edits.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';

/**
 * Into the recycle bin, or out of it: of what the caller may reach, noted in the access log, told to the clinic.
 * Deleting what is deleted is refused as not found; restoring what is there changes nothing.
 */
export const binOf =
  ({ db, accessLog, news }: Pick<ResourceDependencies, 'db' | 'accessLog' | 'news'>) =>
  async (principal: Principal, what: Binned, id: string, deleted: boolean): Promise<{ id: string }> => {
    const row = inReach(principal, await findBinned(db, what, id));
    const viewsets = await bin(db, what, row, deleted);
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
