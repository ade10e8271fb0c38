import type { Association } from '../../dimse/association/association.ts';
import { commitmentEvents } from '../../dimse/message/commitment.ts';
import { reportCommitment } from '../../dimse/user/commitment.ts';
import { attribute } from '../../resource/dicomweb/match-json.ts';
import { encodeIdentifier } from '../encode-identifier.ts';
import { reportJson } from './commitment-json.ts';
import type { CommitmentState } from './committed-objects.ts';

/** Reports to a device which objects are committed; those that still wait are not. Returns its status. @throws NoContext, AssociationError */
export const sendReport = (
  association: Association,
  transactionUid: string,
  aeTitle: string,
  { committed, failed }: Pick<CommitmentState, 'committed' | 'failed'>,
): Promise<number> => {
  const json = { ...reportJson(transactionUid, committed, failed), '00080054': attribute('AE', aeTitle) };
  const event = failed.length === 0 ? commitmentEvents.allCommitted : commitmentEvents.someFailed;
  return reportCommitment(association, event, (explicitVr) => encodeIdentifier(json, explicitVr));
};
