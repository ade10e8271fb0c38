import type { Kysely } from 'kysely';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import { setRenditionStatus, takeImageToPrepare } from '../db/stores/renditions.ts';
import { type Lanes, startLanes } from './lanes.ts';
import { isPassing } from './passing-fault.ts';
import type { Renditions } from './renditions.ts';

export interface RenditionRunnerOptions {
  readonly db: Kysely<Schema>;
  readonly renditions: Pick<Renditions, 'makeAhead'>;
  readonly onFailure: (error: unknown) => void;
  readonly isClosing: () => boolean;
  readonly pollSeconds?: number;
}

/**
 * Makes what the viewer will ask for, once every image has its thumbnail: first the reduced pictures of all, then the conversions. What waits is a
 * column of the image. One lane, as nobody waits for it: whoever does asks for the rendition itself, which goes first.
 */
export const startRenditionRunner = (options: RenditionRunnerOptions): Lanes => {
  const { db, renditions, onFailure, isClosing, pollSeconds = 10 } = options;

  const statusAfter = async (sha256: string, before: 'pending' | 'reduced') => {
    try {
      await renditions.makeAhead(sha256, before === 'pending' ? 'reduced' : 'full');
      return before === 'pending' ? 'reduced' : 'ready';
    } catch (error) {
      if (isClosing() || isPassing(error)) throw error;
      if (!(error instanceof DicomProblem)) onFailure(error);
      return 'error';
    }
  };

  const workOne = (): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const image = await takeImageToPrepare(transaction);
      if (!image) return false;
      const status = await statusAfter(image.sha256, image.before);
      await setRenditionStatus(transaction, image.id, status);
      return true;
    });

  return startLanes({ parallel: 1, pollSeconds, workOne, onFailure });
};
