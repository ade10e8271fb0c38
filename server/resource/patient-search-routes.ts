import type { FastifyInstance } from 'fastify';
import { fewFound, patientSearch, patientSearchPrivate } from '../../contract/patients.ts';
import type { ReplyOf } from '../../contract/route.ts';
import { type PatientSearch, searchPatients } from '../db/stores/patient-search.ts';
import { patientsInOrder } from '../db/stores/patients.ts';
import { similarPatients } from '../db/stores/similar-patients.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { patientOf } from './patient-routes.ts';
import { patientsListed } from './patients-listed.ts';

export const patientSearchRoutes = (
  server: FastifyInstance,
  { db, binding, accessLog, places }: ResourceDependencies,
): void => {
  const search = async (
    principal: Principal,
    asked: Omit<PatientSearch, 'seesProtected'>,
  ): Promise<ReplyOf<typeof patientSearch>> => {
    if (!canUseClinic(principal, asked.customerId)) throw new ProblemError('not-found');
    const query = { ...asked, seesProtected: seesProtected(principal) };
    const { ids, ...page } = await searchPatients(db, places, query);
    const isComplete = query.page === 1 && query.after === undefined && page.next === null;
    const similarIds = isComplete && ids.length < fewFound ? await similarPatients(db, query, ids) : [];
    const rows = await patientsInOrder(db, [...ids, ...similarIds]);
    await accessLog.note(...patientsListed(principal, rows));
    const isSimilar = ({ id }: { readonly id: string }) => similarIds.includes(id);
    return {
      ...page,
      data: rows.filter((row) => !isSimilar(row)).map(patientOf),
      similar: rows.filter(isSimilar).map(patientOf),
    };
  };

  bind(server, binding, patientSearch, ({ principal, query, language }) => search(principal, { ...query, language }));
  bind(server, binding, patientSearchPrivate, ({ principal, body, language }) =>
    search(principal, { ...body, language }),
  );
};
