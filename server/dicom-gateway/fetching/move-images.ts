import { holdFetch, outcomesOf, unfetchedImages } from '../../db/stores/dicom-fetch-work.ts';
import { beginMove, lacksSpace } from '../../db/stores/dicom-moves.ts';
import { statuses } from '../../dimse/message/message.ts';
import { StoreRefused } from '../../dimse/provider/object-sink.ts';
import { QueryFailed } from '../../dimse/user/find.ts';
import { createMoves } from '../../dimse/user/move.ts';
import { imageRequests, isPartial } from './image-requests.ts';
import type { ListedStudy, StudyFetch } from './study-fetch.ts';

/** Thrown when a device has answered C-MOVE, and images have not arrived at the gateway. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

/** Has the device send images to the gateway, request by request. @throws QueryFailed, NoContext, AssociationError */
const move = async ({ db, openForMoves, aeTitle, signal }: StudyFetch, study: ListedStudy): Promise<void> => {
  const association = await openForMoves();
  try {
    const moves = createMoves(association);
    for (const { identifierOf } of imageRequests(study.study_uid, await unfetchedImages(db, study))) {
      const status = await moves.move({ identifierOf, destination: aeTitle, signal });
      signal.throwIfAborted();
      if (!isPartial(status)) throw new QueryFailed(status);
    }
    await association.release();
  } finally {
    association.abort();
  }
};

/**
 * Fetches what is left of a study by C-MOVE: the gateway takes what the device sends. Images that have not come are an error while another attempt
 * can bring them, or when none has come. @throws NotDelivered, QueryFailed, NoContext, AssociationError; StoreRefused without space
 */
export const moveImages = async (options: StudyFetch, study: ListedStudy): Promise<void> => {
  const { db, fetch, owner, failedTries, mostTries } = options;
  await db.transaction().execute(async (transaction) => {
    if (!(await holdFetch(transaction, fetch.id, owner))) throw new Error('the fetch was stopped');
    await beginMove(transaction, study);
  });
  await move(options, study);
  if ((await unfetchedImages(db, study)).length === 0) return;
  if (await lacksSpace(db, study)) throw new StoreRefused(statuses.outOfResources, 'There is no space');
  const hasAny = [...(await outcomesOf(db, study))].some((outcome) => outcome !== null);
  if (!hasAny || (await failedTries()) < mostTries) throw new NotDelivered('Images did not arrive');
};
