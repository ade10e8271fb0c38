import type { FastifyInstance } from 'fastify';
import {
  seriesDelete,
  seriesRestore,
  studiesByPatient,
  studyDelete,
  studyRestore,
  studyUpdate,
} from '../../contract/studies.ts';
import { findDeletable, updateStudy } from '../db/stores/record-edits.ts';
import { findStudy, studiesOfPatient } from '../db/stores/studies.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { createSetDeleted } from './set-deleted.ts';
import { studyViews } from './study-view.ts';

export const studyRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events } = deps;
  const setDeleted = createSetDeleted(deps);

  bind(server, binding, studiesByPatient, async ({ principal, params, query }) => {
    const patient = await requireAccessiblePatient(db, principal, params.id);
    const { rows, total } = await studiesOfPatient(db, patient.id, query);
    const data = await studyViews(deps, principal, rows);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient.customer_id,
      patientId: patient.id,
      action: 'studies.opened',
      objectId: null,
    });
    return { data, totalCount: total };
  });

  bind(server, binding, studyUpdate, async ({ principal, body }) => {
    const found = requireAccessible(principal, await findDeletable(db, 'study', body.id));
    if (found.deleted_at) throw new ProblemError('not-found');
    const { id, version, ...fields } = body;
    const edited = await updateStudy(db, { id, version, accountId: principal.accountId }, fields);
    if (!edited) throw new ProblemError('conflict');
    const record = { principal, customerId: found.customer_id, patientId: found.patient_id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: record.customerId,
      patientId: record.patientId,
      action: 'study.edited',
      objectId: id,
    });
    await events.patientChanged(record);
    const row = await findStudy(db, id);
    const [study] = row ? await studyViews(deps, principal, [row]) : [];
    if (!study) throw new ProblemError('not-found');
    return study;
  });

  bind(server, binding, studyDelete, ({ principal, params }) => setDeleted(principal, 'study', params.id, true));
  bind(server, binding, studyRestore, ({ principal, params }) => setDeleted(principal, 'study', params.id, false));
  bind(server, binding, seriesDelete, ({ principal, params }) => setDeleted(principal, 'series', params.id, true));
  bind(server, binding, seriesRestore, ({ principal, params }) => setDeleted(principal, 'series', params.id, false));
};
