import type { FastifyInstance } from 'fastify';
import { hasClaim } from '../../contract/claims.ts';
import { type Movable, recordMove, recordMovePreview } from '../../contract/moves.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { filesToName, findToMove, type Move, moveNow, type RecordToMove } from '../db/stores/move-preview.ts';
import { moveRecord } from '../db/stores/move-record.ts';
import { anyPatient, type PatientRow } from '../db/stores/patients.ts';
import { findStudyToFill } from '../db/stores/studies.ts';
import { matchOf } from '../domain/match-patient.ts';
import { canRestore } from '../domain/policy/can-restore.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { mergeWarningsOf } from './merge-warnings.ts';
import { patientOf } from './patient-routes.ts';

const actions = { study: 'study.moved', series: 'series.moved', image: 'image.moved-to-patient' } as const;

/** Registers the routes that preview and move a study, series or image to another patient. */
export const moveRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, events, patientsNamedIn } = deps;

  /** Moving out of the recycle bin requires the rights to restore. @throws ProblemError 'no-right' */
  const checkTakeOut = (principal: Principal, what: Movable, record: RecordToMove): void => {
    if (record.is_patient_deleted && !canRestore(principal, record.patient_deleted_by))
      throw noRightError('feature.recycle_bin');
    if (record.deleted_at === null) return;
    if (hasClaim(principal.permissions, 'disable.delete_study')) throw noRightError('disable.delete_study');
    if (what === 'study' && !canRestore(principal, record.deleted_by)) throw noRightError('feature.recycle_bin');
  };

  /**
   * @throws ProblemError 'not-found', 'no-right', 'conflict' when the record belongs to another patient by now; 'invalid-request' of the other
   * patient
   */
  const requireAccessibleToMove = async (
    principal: Principal,
    move: Move,
  ): Promise<Record<'from' | 'to', PatientRow>> => {
    const record = requireAccessible(principal, await findToMove(db, move.what, move.id));
    const from = requireAccessible(principal, await anyPatient(db, move.from));
    const to = await requireAccessiblePatient(db, principal, move.to);
    if (from.id === to.id || from.customer_id !== to.customer_id || record.customer_id !== to.customer_id)
      throw new ProblemError('invalid-request', [{ fieldKey: 'patientToId' }]);
    if (record.patient_id !== from.id) throw new ProblemError('conflict');
    if (record.is_patient_deleted && move.what !== 'study') throw new ProblemError('not-found');
    checkTakeOut(principal, move.what, record);
    return { from, to };
  };

  bind(server, binding, recordMovePreview, async ({ principal, query }) => {
    const { what, id, patientFromId, patientToId } = query;
    const move = { what, id, from: patientFromId, to: patientToId };
    const { from, to } = await requireAccessibleToMove(principal, move);
    const now = await moveNow(db, move);
    if (!now) throw new ProblemError('conflict');
    const named = await patientsNamedIn(await filesToName(db, move));
    const { accountId } = principal;
    await accessLog.note(
      ...[from, to].map((patient) => ({
        accountId,
        customerId: patient.customer_id,
        patientId: patient.id,
        action: 'patient.opened' as const,
        objectId: null,
      })),
      { accountId, customerId: from.customer_id, patientId: from.id, action: 'studies.opened', objectId: null },
    );
    return {
      from: patientOf(from),
      to: patientOf(to),
      counts: now.counts,
      isDeleted: now.record.deleted_at !== null || now.record.is_patient_deleted,
      leavesEmptyStudy: now.leavesEmptyStudy,
      warnings: mergeWarningsOf(from, to),
      named: named.map((one) => ({ ...one, match: matchOf(one, to) })),
      seen: now.seen,
    };
  });

  /** @throws ProblemError 'not-found', 'no-right', 'invalid-request' when a study is named that is not the other patient's */
  const checkStudyTo = async (principal: Principal, move: Move, studyTo: string | null): Promise<void> => {
    if (move.what === 'study') {
      if (studyTo !== null) throw new ProblemError('invalid-request', [{ fieldKey: 'studyToId' }]);
      return;
    }
    if (studyTo === null) {
      if (hasClaim(principal.permissions, 'disable.new_study')) throw noRightError('disable.new_study');
      return;
    }
    const study = requireAccessible(principal, await findStudyToFill(db, studyTo));
    if (study.patient_id !== move.to) throw new ProblemError('study-of-another-patient');
    if (study.deleted_at && !canRestore(principal, study.deleted_by)) throw noRightError('feature.recycle_bin');
  };

  bind(server, binding, recordMove, async ({ principal, body }) => {
    const { what, id, patientFromId, patientToId, studyToId, seen } = body;
    const move = { what, id, from: patientFromId, to: patientToId };
    const { from } = await requireAccessibleToMove(principal, move);
    await checkStudyTo(principal, move, studyToId);
    const { accountId } = principal;
    const customerId = from.customer_id;
    const moved = await db.transaction().execute(async (transaction) => {
      const done = await moveRecord(transaction, { ...move, studyTo: studyToId, seen, accountId });
      if (done === 'gone') throw new ProblemError('not-found');
      if (done === 'changed') throw new ProblemError('conflict');
      const entry = { at: new Date(), accountId, customerId, action: actions[what], objectId: done.id };
      await insertAccesses(transaction, [
        { ...entry, patientId: move.from },
        { ...entry, patientId: move.to },
      ]);
      return done;
    });
    for (const patientId of [move.from, move.to]) await events.patientChanged({ principal, customerId, patientId });
    for (const { patientId, ...viewset } of moved.viewsets)
      await events.viewsetsChanged({ principal, customerId, patientId }, [viewset]);
    return { id: moved.id, studyId: moved.studyId, studyFromId: moved.studyFromId };
  });
};
