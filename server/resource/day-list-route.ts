import type { FastifyInstance } from 'fastify';
import { dayListGet } from '../../contract/day-lists.ts';
import { dayList } from '../db/stores/day-lists.ts';
import { patientsInOrder } from '../db/stores/patients.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { stockholmDay } from '../domain/stockholm-time.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { patientOf } from './patient-routes.ts';
import { patientsListed } from './patients-listed.ts';

export const dayListRoute = (server: FastifyInstance, { db, binding, accessLog }: ResourceDependencies): void => {
  bind(server, binding, dayListGet, async ({ principal, body }) => {
    if (!canUseClinic(principal, body.customerId)) throw new ProblemError('not-found');
    const { rows, totalCount } = await dayList(db, principal.accountId, stockholmDay(new Date()), {
      ...body,
      seesProtected: seesProtected(principal),
    });
    const patients = await patientsInOrder(
      db,
      rows.map(({ id }) => id),
    );
    await accessLog.note(...patientsListed(principal, patients));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const data = patients.flatMap((patient) => {
      const row = rowOf.get(patient.id);
      return row ? [{ ...patientOf(patient), at: row.at.toISOString(), images: row.images }] : [];
    });
    return { data, totalCount, isTotalExact: true, next: null };
  });
};
