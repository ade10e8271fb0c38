import type { FastifyInstance } from 'fastify';
import {
  seriesDelete,
  seriesRestore,
  studiesByPatient,
  studyDelete,
  studyRestore,
  studyUpdate,
} from '../../contract/studies.ts';
import { findBinned, updateStudy } from '../db/stores/record-edits.ts';
import { findStudy, studiesOfPatient } from '../db/stores/studies.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import { binOf } from './bin.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach, patientInReach } from './patient-in-reach.ts';
import { studyViews } from './study-view.ts';

export const studyRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news } = deps;
  const bin = binOf(deps);

  bind(server, binding, studiesByPatient, async ({ principal, params, query }) => {
    const patient = await patientInReach(db, principal, params.id);
    const { rows, total } = await studiesOfPatient(db, patient.id, query);
    const data = await studyViews(deps, rows);
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
    const found = inReach(principal, await findBinned(db, 'study', body.id));
    if (found.deleted_at) throw new Refusal('not-found');
    const { id, version, ...fields } = body;
    const edited = await updateStudy(db, { id, version }, fields);
    if (!edited) throw new Refusal('conflict');
    const record = { principal, customerId: found.customer_id, patientId: found.patient_id };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: record.customerId,
      patientId: record.patientId,
      action: 'study.edited',
      objectId: id,
    });
    await news.patientChanged(record);
    const row = await findStudy(db, id);
    const [study] = row ? await studyViews(deps, [row]) : [];
    if (!study) throw new Refusal('not-found');
    return study;
  });

  bind(server, binding, studyDelete, ({ principal, params }) => bin(principal, 'study', params.id, true));
  bind(server, binding, studyRestore, ({ principal, params }) => bin(principal, 'study', params.id, false));
  bind(server, binding, seriesDelete, ({ principal, params }) => bin(principal, 'series', params.id, true));
  bind(server, binding, seriesRestore, ({ principal, params }) => bin(principal, 'series', params.id, false));
};
