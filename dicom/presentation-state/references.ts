import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import type { Frames } from './model.ts';

/** The frames that an item of Referenced Image Sequence names; null: all of the image. */
const framesNamed = (item: DataSet): Frames => {
  const frames = item.numbers(tags.referencedFrameNumber, 'IS').filter((frame) => Number.isInteger(frame) && frame > 0);
  return frames.length > 0 ? frames : null;
};

/** Joins two references of the same image. */
const joined = (one: Frames, other: Frames): Frames => (one && other ? [...new Set([...one, ...other])] : null);

const imagesIn = (dataSet: DataSet): [uid: string, frames: Frames][] =>
  dataSet.sequence(tags.referencedImageSequence).flatMap((item): [string, Frames][] => {
    const uid = item.code(tags.referencedSopInstanceUid);
    return uid === null ? [] : [[uid, framesNamed(item)]];
  });

/** Returns the SOP Instance UIDs of the images that a presentation state refers to (PS3.3 C.11.11). @throws DicomProblem */
export const referencedImages = (dataSet: DataSet): ReadonlyMap<string, Frames> => {
  const images = new Map<string, Frames>();
  for (const series of dataSet.sequence(tags.referencedSeriesSequence)) {
    for (const [uid, frames] of imagesIn(series)) {
      const known = images.get(uid);
      images.set(uid, known === undefined ? frames : joined(known, frames));
    }
  }
  return images;
};

/** Returns whether a part of a state is for an image, and for which of its frames. A part that names no image is for all. */
export const partIsFor = (item: DataSet, sopInstanceUid: string): { readonly frames: Frames } | null => {
  const images = imagesIn(item);
  if (images.length === 0) return { frames: null };
  const own = images.filter(([uid]) => uid === sopInstanceUid).map(([, frames]) => frames);
  const [first, ...others] = own;
  return first === undefined ? null : { frames: others.reduce(joined, first) };
};
