import { DicomProblem } from '../../../dicom/problem.ts';
import type { DicomWebImageRow } from '../../db/stores/dicomweb-images.ts';
import { ProblemError } from '../../domain/problem-error.ts';

/** Returns the frames of a list, from 1, each of which the image has. @throws ProblemError 'not-found', 'image-has-no-pixels' */
export const requireFrames = (list: string, { kind, frames }: DicomWebImageRow): readonly number[] => {
  if (kind === 'document') throw new ProblemError('image-has-no-pixels');
  const wanted = list.split(',').map(Number);
  if (wanted.some((frame) => frame < 1 || frame > frames)) throw new ProblemError('not-found');
  return wanted;
};

/** Runs a decoder. @throws ProblemError for a frame that is not there or cannot be read; StorageError 'damaged', 'missing' */
export const decoded = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof DicomProblem)) throw error;
    throw new ProblemError(error.code === 'no-such-frame' ? 'not-found' : 'image-not-readable');
  });
