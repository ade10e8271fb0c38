import type { ConnectionOptions } from 'node:tls';
import { tags } from '../../../dicom/tags.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { type LinkLimits, usualLimits } from '../../dimse/association/link.ts';
import { createQueries, QueryFailed } from '../../dimse/user/find.ts';
import { AssociationRejected, openAssociation } from '../../dimse/user/open-association.ts';
import { NoContext } from '../../dimse/user/requests.ts';
import type { AnsweredStudy, FindStudies, PatientSearch, StudiesAtDevice } from '../../resource/study-finder.ts';
import { findContexts, findStudies } from './study-queries.ts';

/** A user waits for the answer. */
const searchLimits: LinkLimits = { ...usualLimits, artimMs: 8_000, peerTimeoutMs: 20_000 };

const keysOf = (search: PatientSearch): readonly ReadonlyMap<number, string>[] => {
  if ('numbers' in search) return search.numbers.map((number) => new Map([[tags.patientId, number]]));
  const { name, birthDate } = search;
  const keys = new Map<number, string>([[tags.patientName, name]]);
  if (birthDate) keys.set(tags.patientBirthDate, birthDate.replaceAll('-', ''));
  return [keys];
};

const failureOf = (error: unknown): StudiesAtDevice['failure'] => {
  if (error instanceof AssociationRejected) return 'rejected';
  if (error instanceof NoContext) return 'not-supported';
  if (error instanceof QueryFailed) return 'refused';
  if (!(error instanceof AssociationError)) throw error;
  return error.end === 'timed-out' ? 'timed-out' : 'unreachable';
};

/** Returns the search of the archive at other nodes, over one association for each. */
export const findStudiesAs =
  (aeTitle: string, tls: ConnectionOptions, limits = searchLimits): FindStudies =>
  async (node, search, atMost) => {
    const studies = new Map<string, AnsweredStudy>();
    let isComplete = true;
    try {
      const association = await openAssociation({ ...node, tls: node.tls ? tls : null }, aeTitle, findContexts, limits);
      try {
        const queries = createQueries(association);
        for (const keys of keysOf(search)) {
          const found = await findStudies(queries, keys, atMost);
          for (const study of found.matches) if (!studies.has(study.studyUid)) studies.set(study.studyUid, study);
          isComplete &&= found.isComplete;
        }
        await association.release();
      } finally {
        association.abort();
      }
    } catch (error) {
      return { failure: failureOf(error), isComplete: false, studies: [] };
    }
    const first = [...studies.values()].slice(0, atMost);
    return { failure: null, isComplete: isComplete && first.length === studies.size, studies: first };
  };
