import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import { damagedImages } from '../../contract/damaged-images.ts';
import type { Schema } from '../db/schema.ts';
import { faultyImages } from '../db/stores/file-errors.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';

/** Returns the clinic whose images are listed; null: all clinics. @throws ProblemError 'not-found' for a clinic that the caller may not use */
const clinicOf = (principal: Principal, requested: string | undefined): string | null => {
  const seesAll = hasClaim(principal.permissions, 'customer.get_byid');
  if (requested === undefined && seesAll) return null;
  const clinic = requested ?? principal.customerId;
  if (clinic === null || !canUseClinic(principal, clinic)) throw new ProblemError('not-found');
  return clinic;
};

/** Registers the route that lists images with a damaged or missing file. It names no patient, so it is not logged. */
export const damagedImagesRoutes = (server: FastifyInstance, db: Kysely<Schema>, binding: Binding): void => {
  bind(server, binding, damagedImages, async ({ principal, query }) => {
    const range = { offset: (query.page - 1) * query.ppage, limit: query.ppage };
    const { rows, totalCount } = await faultyImages(db, clinicOf(principal, query.customerId), range);
    return {
      totalCount,
      data: rows.map((row) => ({
        uid: row.id,
        customerId: row.customer_id,
        customerName: row.customer_name,
        patientId: row.patient_id,
        studyId: row.study_id,
        studyDate: row.study_date,
        seriesUid: row.series_uid,
        seriesModalityValue: row.modality,
        kind: row.kind,
        since: row.since.toISOString(),
      })),
    };
  });
};
