import type { FastifyInstance } from 'fastify';
import { viewsetDelete, viewsetGet, viewsetRestore, viewsetUpdate } from '../../contract/viewsets.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { findViewset, lockViewsets, updateViewset } from '../db/stores/viewsets.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';
import { changeViewsets } from './viewset-change.ts';
import { viewsetView } from './viewset-view.ts';

/** Registers the routes that open, rename, delete and restore viewsets. */
export const viewsetRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events, thumbLinks } = deps;

  bind(server, binding, viewsetGet, async ({ principal, params }) => {
    const row = requireAccessible(principal, await findViewset(db, params.id));
    const view = await viewsetView(db, thumbLinks.of(principal), row);
    await accessLog.note(accessTo(principal, row, 'viewset.opened'));
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
    if (!view) throw new ProblemError('not-found');
    // The list of studies shows the viewset's name.
    const row = requireAccessible(principal, await findViewset(db, id));
    await events.patientChanged({ principal, customerId: row.customer_id, patientId: row.patient_id });
    return view;
  });

  /** Deletes or restores a viewset. Deleting a deleted one returns not-found; restoring one that is not deleted changes nothing. */
  const setDeleted = async (principal: Principal, id: string, isDeleted: boolean): Promise<{ id: string }> => {
    const done = await db.transaction().execute(async (transaction) => {
      const [found] = await lockViewsets(transaction, [id]);
      const row = requireAccessible(principal, found);
      if (isDeleted && row.deleted_at !== null) throw new ProblemError('not-found');
      if (!isDeleted && row.deleted_at === null) return { row, version: null };
      const version = await updateViewset(transaction, id, {
        deleted_at: isDeleted ? new Date() : null,
        deleted_by: isDeleted ? principal.accountId : null,
      });
      await insertAccesses(transaction, [
        { at: new Date(), ...accessTo(principal, row, isDeleted ? 'viewset.deleted' : 'viewset.restored') },
      ]);
      return { row, version };
    });
    const { row, version } = done;
    if (version !== null) {
      const record = { principal, customerId: row.customer_id, patientId: row.patient_id };
      await events.viewsetsChanged(record, [{ id, version }]);
      await events.patientChanged(record);
    }
    return { id };
  };

  bind(server, binding, viewsetDelete, ({ principal, params }) => setDeleted(principal, params.id, true));
  bind(server, binding, viewsetRestore, ({ principal, params }) => setDeleted(principal, params.id, false));
};
