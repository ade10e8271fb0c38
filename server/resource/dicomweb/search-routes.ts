import type { FastifyInstance } from 'fastify';
import {
  dicomWebAllInstances,
  dicomWebAllSeries,
  dicomWebInstances,
  dicomWebSeries,
  dicomWebStudies,
  dicomWebStudyInstances,
} from '../../../contract/dicomweb.ts';
import type { Access } from '../../db/stores/access-log.ts';
import type { DicomWebLevel } from '../../db/stores/dicomweb-keys.ts';
import { type DicomWebMatch, searchDicomWeb } from '../../db/stores/dicomweb-search.ts';
import { canUseClinic } from '../../domain/policy/can-use-clinic.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { seesProtected } from '../../domain/policy/sees-protected.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind, type OpenCall } from '../../route-binding.ts';
import { acceptedBy, chosenBy, jsonTypeFor } from './accept.ts';
import { type DicomWebDependencies, rootOf } from './dependencies.ts';
import { matchJson } from './match-json.ts';
import { matchingKeys } from './search-query.ts';

/** Larger limits, and searches without one, get this many. */
const maxMatches: Readonly<Record<DicomWebLevel, number>> = { study: 1_000, series: 1_000, instance: 5_000 };

interface SearchCall extends Pick<OpenCall<never, never, never>, 'request' | 'reply'> {
  readonly principal: Principal;
  readonly params: { readonly clinic: string; readonly study?: string; readonly series?: string };
  readonly query: {
    readonly limit?: number | undefined;
    readonly offset: number;
    readonly fuzzymatching: 'true' | 'false';
    readonly accept?: unknown;
  };
}

/** One entry for each study, whose series and instances the client sees. */
const listedStudies = (
  { accountId }: Principal,
  customerId: string,
  matches: readonly DicomWebMatch[],
): Omit<Access, 'at'>[] =>
  [...new Map(matches.map((match) => [match.study_id, match]))].map(([objectId, { patient_id: patientId }]) => ({
    accountId,
    customerId,
    patientId,
    action: 'study.listed',
    objectId,
  }));

/** Registers the searches (QIDO-RS, PS3.18 10.6). No file is read: attributes come from the records. */
export const dicomWebSearchRoutes = (server: FastifyInstance, deps: DicomWebDependencies): void => {
  const { db, binding, accessLog } = deps;

  const search = (level: DicomWebLevel) => async (call: SearchCall) => {
    const { principal, params, query, request, reply } = call;
    const { clinic: customerId, study: studyUid, series: seriesUid } = params;
    if (!canUseClinic(principal, customerId)) throw new ProblemError('not-found');
    const accept = typeof query.accept === 'string' ? query.accept : undefined;
    const type = chosenBy(acceptedBy(request, accept), jsonTypeFor);
    const { matches, remaining } = await searchDicomWeb(db, {
      customerId,
      seesProtected: seesProtected(principal),
      level,
      studyUid,
      seriesUid,
      keys: matchingKeys(query),
      isFuzzy: query.fuzzymatching === 'true',
      limit: Math.min(query.limit ?? maxMatches[level], maxMatches[level]),
      offset: query.offset,
    });
    await accessLog.note(...listedStudies(principal, customerId, matches));
    const root = rootOf(deps, customerId);
    if (remaining > 0)
      reply.header('warning', `299 ${root}: There are ${remaining} additional results that can be requested`);
    const found = matches.map((match) => matchJson(match, level, root));
    return reply.type(type).send(Buffer.from(JSON.stringify(found)));
  };

  bind(server, binding, dicomWebStudies, search('study'));
  bind(server, binding, dicomWebAllSeries, search('series'));
  bind(server, binding, dicomWebSeries, search('series'));
  bind(server, binding, dicomWebAllInstances, search('instance'));
  bind(server, binding, dicomWebStudyInstances, search('instance'));
  bind(server, binding, dicomWebInstances, search('instance'));
};
