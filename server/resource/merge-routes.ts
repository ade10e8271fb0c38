import type { FastifyInstance } from 'fastify';
import { mostPreviewed, studyMoveAll, studyMoveAllPreview } from '../../contract/merge.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { type Merge, mergePatients, movable } from '../db/stores/merge.ts';
import type { PatientRow } from '../db/stores/patients.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { mergeWarningsOf } from './merge-warnings.ts';
import { patientInReach } from './patient-in-reach.ts';
import { patientOf } from './patient-routes.ts';

/** All studies of one patient to another: what would move, and the move. */
export const mergeRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, news } = deps;

  /** @throws Refusal 'not-found'; 'invalid-request' when they are the same, or of two clinics */
  const bothInReach = async (principal: Principal, { from, to }: Merge): Promise<Record<'from' | 'to', PatientRow>> => {
    const patients = { from: await patientInReach(db, principal, from), to: await patientInReach(db, principal, to) };
    if (patients.from.id === patients.to.id || patients.from.customer_id !== patients.to.customer_id)
      throw new Refusal('invalid-request', [{ fieldKey: 'patientToId' }]);
    return patients;
  };

  bind(server, binding, studyMoveAllPreview, async ({ principal, query }) => {
    const merge = { from: query.patientFromId, to: query.patientToId };
    const { from, to } = await bothInReach(principal, merge);
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
        ...{ accountId: principal.accountId, customerId: from.customer_id, patientId: from.id },
        ...{ action: 'studies.opened', objectId: null },
      },
    );
    return {
      from: patientOf(from),
      to: patientOf(to),
      counts,
      studies: studies.slice(0, mostPreviewed).map((study) => ({
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
    const { from } = await bothInReach(principal, merge);
    const { accountId } = principal;
    const customerId = from.customer_id;
    const merged = await db.transaction().execute(async (transaction) => {
      const done = await mergePatients(transaction, merge, body.seen);
      if (done === 'gone') throw new Refusal('not-found');
      if (done === 'changed') throw new Refusal('conflict');
      const entry = { at: new Date(), accountId, customerId };
      await insertAccesses(transaction, [
        { ...entry, patientId: merge.from, action: 'patient.merged', objectId: merge.to },
        { ...entry, patientId: merge.to, action: 'patient.merged', objectId: merge.from },
        // A merge cannot be undone, but it can be followed: which studies were whose.
        ...done.studies.map((id) => ({
          ...{ ...entry, patientId: merge.from, action: 'study.moved' as const, objectId: id },
        })),
      ]);
      return done;
    });
    for (const patientId of [merge.from, merge.to]) await news.patientChanged({ principal, customerId, patientId });
    return merged.counts;
  });
};
