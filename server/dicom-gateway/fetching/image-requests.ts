import { tags } from '../../../dicom/tags.ts';
import type { FetchImageRow } from '../../db/stores/dicom-fetch-work.ts';
import { isStored, statuses } from '../../dimse/message/message.ts';
import { identifierOf } from './study-queries.ts';

/** UIDs of one C-GET or C-MOVE. */
const maxUids = 100;

export interface ImageRequest {
  readonly uids: readonly string[];
  /** Encodes the identifier, in explicit or implicit VR. */
  readonly identifierOf: (explicitVr: boolean) => Buffer;
}

/** Returns requests for images of a study: each for images of one series, as many as one request names. */
export const imageRequests = (studyUid: string, images: readonly FetchImageRow[]): readonly ImageRequest[] =>
  [...Map.groupBy(images, (image) => image.series_uid)].flatMap(([seriesUid, series]) =>
    Array.from({ length: Math.ceil(series.length / maxUids) }, (_, index) => {
      const uids = series.slice(index * maxUids, (index + 1) * maxUids).map((image) => image.sop_instance_uid);
      return {
        uids,
        identifierOf: identifierOf('IMAGE', [
          [tags.sopInstanceUid, 'UI', uids.join('\\')],
          [tags.studyInstanceUid, 'UI', studyUid],
          [tags.seriesInstanceUid, 'UI', seriesUid],
        ]),
      };
    }),
  );

/** Returns whether a final status lets some of the images have come. */
export const isPartial = (status: number): boolean => isStored(status) || status === statuses.subOperationsImpossible;
