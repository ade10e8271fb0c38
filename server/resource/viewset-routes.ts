import type { FastifyInstance } from 'fastify';
import { viewsetDelete, viewsetGet, viewsetRestore, viewsetUpdate } from '../../contract/viewsets.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { findViewset, lockViewsets, updateViewset } from '../db/stores/viewsets.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach } from './patient-in-reach.ts';
import { changeViewsets } from './viewset-change.ts';
import { viewsetView } from './viewset-view.ts';

/** Opens, names, deletes and restores viewsets. */
export const viewsetRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news, thumbLinks } = deps;

  bind(server, binding, viewsetGet, async ({ principal, params }) => {
    const row = inReach(principal, await findViewset(db, params.id));
    const view = await viewsetView(db, thumbLinks, row);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: row.customer_id,
      patientId: row.patient_id,
      action: 'viewset.opened',
      objectId: row.id,
    });
    return view;
  });

  bind(server, binding, viewsetUpdate, async ({ principal, body }) => {
    const { viewSetUuid: id, version, name, comments } = body;
    const [view] = await changeViewsets(deps, principal, [{ id, version }], async (_, rows) => ({
      changed: rows,
      action: 'viewset.edited',
      objectId: id,
      row: { name, comments: comments || null },
    }));
    if (!view) throw new Refusal('not-found');
    // Its name stands in the list of studies.
    const row = inReach(principal, await findViewset(db, id));
    await news.patientChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
    return view;
  });

  /** Into the recycle bin or out of it. Deleting what is deleted is refused as not found; restoring what is there changes nothing. */
  const bin = async (principal: Principal, id: string, isDeleted: boolean): Promise<{ id: string }> => {
    const done = await db.transaction().execute(async (transaction) => {
      const [found] = await lockViewsets(transaction, [id]);
      const row = inReach(principal, found);
      if (isDeleted && row.deleted_at !== null) throw new Refusal('not-found');
      if (!isDeleted && row.deleted_at === null) return { row, version: null };
      const version = await updateViewset(transaction, id, { deleted_at: isDeleted ? new Date() : null });
      await insertAccesses(transaction, [
        {
          at: new Date(),
          accountId: principal.accountId,
          customerId: row.customer_id,
          patientId: row.patient_id,
          action: isDeleted ? 'viewset.deleted' : 'viewset.restored',
          objectId: id,
        },
      ]);
      return { row, version };
    });
    const { row, version } = done;
    if (version !== null) {
      const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
      await news.viewsetsChanged(record, [{ id, version }]);
      await news.patientChanged(record);
    }
    return { id };
  };

  bind(server, binding, viewsetDelete, ({ principal, params }) => bin(principal, params.id, true));
  bind(server, binding, viewsetRestore, ({ principal, params }) => bin(principal, params.id, false));
};
