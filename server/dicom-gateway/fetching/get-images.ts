import { type FetchImageRow, unfetchedImages } from '../../db/stores/dicom-fetch-work.ts';
import type { Association } from '../../dimse/association/association.ts';
import { AssociationError } from '../../dimse/association/association-error.ts';
import { statuses } from '../../dimse/message/message.ts';
import type { OpenSink } from '../../dimse/provider/object-sink.ts';
import { isStorageClass, studyRoot } from '../../dimse/provider/supported-syntaxes.ts';
import { QueryFailed } from '../../dimse/user/find.ts';
import { createRetrievals, getProposal } from '../../dimse/user/get.ts';
import { NoContext } from '../../dimse/user/requests.ts';
import { fetchSink } from './fetch-sink.ts';
import { imageRequests, isPartial } from './image-requests.ts';
import type { ListedStudy, StudyFetch } from './study-fetch.ts';

/** Classes that are proposed when the device does not say which a study has. */
const usualClasses = '1 1.1 1.1.1 1.2 1.2.1 1.3 1.3.1 2 2.1 4 7 7.2 7.4 12.1 13.1.3 77.1.4 88.11 104.1 104.3 11.1 481.3'
  .split(' ')
  .map((end) => `1.2.840.10008.5.1.4.1.1.${end}`);

const withoutGet: readonly number[] = [statuses.sopClassNotSupported, statuses.unrecognizedOperation];

/** Whether a device refused images because it has no C-GET. */
const hasNoGet = (error: unknown): boolean =>
  error instanceof NoContext || (error instanceof QueryFailed && withoutGet.includes(error.status));

const isAbort = (error: unknown): boolean => error instanceof AssociationError && error.end === 'aborted-by-peer';

const hasMove = ({ contexts }: Association): boolean =>
  [...contexts.values()].some(({ abstractSyntax }) => abstractSyntax === studyRoot.move);

const classOf = ({ sop_class_uid: uid }: FetchImageRow): string => (uid && isStorageClass(uid) ? uid : '');

/**
 * Fetches images of one class over one association. `isPlainOffered`: also in a plain encoding; DCMTK then sends no compressed image, and gets a second
 * chance without. @throws QueryFailed, NoContext, AssociationError; the reason of a stop
 */
const getClass = async (
  options: StudyFetch,
  study: ListedStudy,
  [sopClass, images]: readonly [sopClass: string, images: readonly FetchImageRow[]],
  isPlainOffered: boolean,
) => {
  const { open, onError, failedTries } = options;
  const { contexts, roles } = getProposal(sopClass ? [sopClass] : usualClasses, isPlainOffered);
  const association = await open(contexts, roles);
  const stops: unknown[] = [];
  let hasAnswered = false;
  const onStop = (error: unknown) => {
    stops.push(error);
    association.abort();
  };
  try {
    const { get } = createRetrievals(association);
    for (const { uids, identifierOf } of imageRequests(study.study_uid, images)) {
      const sink = fetchSink({ ...options, study, asked: new Set(uids), onStop });
      const openSink: OpenSink = (object) => {
        hasAnswered = true;
        return sink(object);
      };
      const status = await get({ identifierOf, openSink, onError }).catch(async (error) => {
        if (stops.length > 0) throw stops[0];
        // Orthanc accepts a context of C-GET that it does not allow, and aborts at the request.
        if (isAbort(error) && !hasAnswered && hasMove(association) && (await failedTries()) > 0)
          throw new NoContext('The peer has no C-GET');
        throw error;
      });
      hasAnswered = true;
      if (stops.length > 0) throw stops[0];
      if (!isPartial(status)) throw new QueryFailed(status);
    }
    await association.release();
  } finally {
    association.abort();
  }
};

/** Fetches what is left of a study by C-GET, each class over one association. False when the device has no C-GET. @throws QueryFailed, AssociationError; the reason of a stop */
export const getImages = async (options: StudyFetch, study: ListedStudy): Promise<boolean> => {
  try {
    for (const isPlainOffered of [true, false])
      for (const ofClass of Map.groupBy(await unfetchedImages(options.db, study), classOf)) {
        options.signal.throwIfAborted();
        await getClass(options, study, ofClass, isPlainOffered);
      }
    return true;
  } catch (error) {
    if (!hasNoGet(error)) throw error;
    return false;
  }
};
