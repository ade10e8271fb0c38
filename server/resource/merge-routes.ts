import type { FastifyInstance } from 'fastify';
import { maxPreviewed, studyMoveAll, studyMoveAllPreview } from '../../contract/merge.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { type Merge, mergePatients, movable } from '../db/stores/merge.ts';
import type { PatientRow } from '../db/stores/patients.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { mergeWarningsOf } from './merge-warnings.ts';
import { patientOf } from './patient-routes.ts';

/** Registers the routes that preview and merge two patients. */
export const mergeRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events } = deps;

  /** @throws ProblemError 'not-found'; 'invalid-request' when both are the same patient, or of different clinics */
  const requireBothAccessible = async (
    principal: Principal,
    { from, to }: Merge,
  ): Promise<Record<'from' | 'to', PatientRow>> => {
    const patients = {
      from: await requireAccessiblePatient(db, principal, from),
      to: await requireAccessiblePatient(db, principal, to),
    };
    if (patients.from.id === patients.to.id || patients.from.customer_id !== patients.to.customer_id)
      throw new ProblemError('invalid-request', [{ fieldKey: 'patientToId' }]);
    return patients;
  };

  bind(server, binding, studyMoveAllPreview, async ({ principal, query }) => {
    const merge = { from: query.patientFromId, to: query.patientToId };
    const { from, to } = await requireBothAccessible(principal, merge);
    const { studies, counts, seen } = await movable(db, merge);
    await accessLog.note(
      ...[from, to].map((patient) => ({
        accountId: principal.accountId,
        customerId: patient.customer_id,
        patientId: patient.id,
        action: 'patient.opened' as const,
        objectId: null,
      })),
      {
        accountId: principal.accountId,
        customerId: from.customer_id,
        patientId: from.id,
        action: 'studies.opened',
        objectId: null,
      },
    );
    return {
      from: patientOf(from),
      to: patientOf(to),
      counts,
      studies: studies.slice(0, maxPreviewed).map((study) => ({
        id: study.id,
        description: study.description,
        studyDate: study.study_date,
        images: Number(study.images),
        viewsets: Number(study.viewsets),
      })),
      warnings: mergeWarningsOf(from, to),
      seen,
    };
  });

  bind(server, binding, studyMoveAll, async ({ principal, body }) => {
    const merge = { from: body.patientFromId, to: body.patientToId };
    const { from } = await requireBothAccessible(principal, merge);
    const { accountId } = principal;
    const customerId = from.customer_id;
    const merged = await db.transaction().execute(async (transaction) => {
      const done = await mergePatients(transaction, { ...merge, accountId }, body.seen);
      if (done === 'gone') throw new ProblemError('not-found');
      if (done === 'changed') throw new ProblemError('conflict');
      const entry = { at: new Date(), accountId, customerId };
      await insertAccesses(transaction, [
        { ...entry, patientId: merge.from, action: 'patient.merged', objectId: merge.to },
        { ...entry, patientId: merge.to, action: 'patient.merged', objectId: merge.from },
        // A merge cannot be undone, but the log shows which studies belonged to whom.
        ...done.studies.map((id) => ({
          ...entry,
          patientId: merge.from,
          action: 'study.moved' as const,
          objectId: id,
        })),
      ]);
      return done;
    });
    for (const patientId of [merge.from, merge.to]) await events.patientChanged({ principal, customerId, patientId });
    return merged.counts;
  });
};
