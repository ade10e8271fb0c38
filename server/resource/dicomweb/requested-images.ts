import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessAction } from '../../../contract/access-log.ts';
import { type DicomWebImageRow, dicomWebImages } from '../../db/stores/dicomweb-images.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { DicomWebDependencies } from './dependencies.ts';

/** The UIDs in a path. */
export interface ResourceParams {
  readonly clinic: string;
  readonly study: string;
  readonly series?: string;
  readonly instance?: string;
}

/** A call that retrieves objects or their metadata. */
export interface RetrieveCall {
  readonly principal: Principal;
  readonly params: ResourceParams;
  readonly query: { readonly accept?: string | undefined };
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type RequestedImages = readonly [DicomWebImageRow, ...DicomWebImageRow[]];

/** Returns the instances of a study, series or instance. @throws ProblemError 'not-found' when the caller can access none */
export const requireImagesAt = async (
  { db }: Pick<DicomWebDependencies, 'db'>,
  principal: Principal,
  { clinic: customerId, study: studyUid, series: seriesUid, instance: instanceUid }: ResourceParams,
): Promise<RequestedImages> => {
  if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
  const [first, ...others] = await dicomWebImages(db, { customerId, studyUid, seriesUid, instanceUid });
  if (!first) throw new ProblemError('not-found');
  return [first, ...others];
};

const retrieved = ({ series, instance }: ResourceParams, row: DicomWebImageRow): [AccessAction, string] => {
  if (instance !== undefined) return ['image.retrieved', row.id];
  return series === undefined ? ['study.retrieved', row.study_id] : ['series.retrieved', row.series_id];
};

/** Returns the log entry of a retrieval, whatever it retrieves of the resource. */
export const retrievalOf = ({ accountId }: Principal, params: ResourceParams, row: DicomWebImageRow) => {
  const [action, objectId] = retrieved(params, row);
  return { accountId, customerId: row.customer_id, patientId: row.patient_id, action, objectId };
};
