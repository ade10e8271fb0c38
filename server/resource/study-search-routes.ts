import type { FastifyInstance } from 'fastify';
import type { ReplyOf } from '../../contract/route.ts';
import { type FoundStudy, studySearch, studySearchPrivate } from '../../contract/studies.ts';
import { type FoundStudyRow, foundStudies } from '../db/stores/found-studies.ts';
import type { PatientSearch } from '../db/stores/patient-search.ts';
import { searchStudies } from '../db/stores/study-search.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { accessTo } from './record-access.ts';

const studyOf = (row: FoundStudyRow): FoundStudy => ({
  id: row.id,
  uid: row.uid,
  customerId: row.customer_id,
  patientId: row.patient_id,
  patient: {
    firstName: row.first_name,
    lastName: row.last_name,
    birthDate: row.birth_date,
    personalNumber: row.personal_number,
    protectedIdentity: row.has_protected_identity,
  },
  description: row.description,
  studyDate: row.study_date,
  creationDate: row.created_at.toISOString(),
  accessionNumber: row.accession_number,
  totalImages: row.images,
  modalities: row.modalities,
});

export const studySearchRoutes = (
  server: FastifyInstance,
  { db, binding, accessLog, places }: ResourceDependencies,
): void => {
  const search = async (
    principal: Principal,
    asked: Omit<PatientSearch, 'language' | 'seesProtected'>,
  ): Promise<ReplyOf<typeof studySearch>> => {
    if (!canUseClinic(principal, asked.customerId)) throw new ProblemError('not-found');
    const query = { ...asked, seesProtected: seesProtected(principal) };
    const { ids, ...page } = await searchStudies(db, places, query);
    const rows = await foundStudies(db, ids);
    await accessLog.note(...rows.map((row) => accessTo(principal, row, 'study.listed')));
    return { ...page, data: rows.map(studyOf) };
  };

  bind(server, binding, studySearch, ({ principal, query }) => search(principal, query));
  bind(server, binding, studySearchPrivate, ({ principal, body }) => search(principal, body));
};
