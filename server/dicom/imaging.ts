import { stat } from 'node:fs/promises';
import os from 'node:os';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Inspection } from './inspect.ts';
import type { PictureInspection } from './inspect-picture.ts';
import type { JobName, Jobs, Urgency } from './jobs.ts';
import type { MadeRendition, RenditionOptions } from './make-rendition.ts';
import type { PictureIdentity } from './picture-identity.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { Thumbnail, ThumbnailOptions } from './thumbnail.ts';

export type { Inspection, PictureIdentity, Thumbnail, ThumbnailOptions };

/** Reading and making pictures, away from the main thread. Paths are those of files on this machine. */
export interface Imaging {
  /** Reads a DICOM file and decodes its first frame. What is wrong stands in `problems`; rejects only if the file cannot be opened. */
  readonly inspect: (path: string) => Promise<Inspection>;
  /** @throws DicomProblem */
  readonly thumbnail: (path: string, options: ThumbnailOptions, urgency: Urgency) => Promise<Thumbnail>;
  /** The same of a jpg or png. @throws DicomProblem 'picture-unsupported', 'too-large' */
  readonly pictureThumbnail: (path: string, options: ThumbnailOptions, urgency: Urgency) => Promise<Thumbnail>;
  /** @throws DicomProblem 'no-such-frame' among others */
  readonly rendition: (path: string, options: RenditionOptions, urgency: Urgency) => Promise<MadeRendition>;
  /** Decodes a jpg or png, to see that it can be. @throws DicomProblem 'picture-unsupported', 'too-large' */
  readonly inspectPicture: (path: string) => Promise<PictureInspection>;
  /** A DICOM file of a jpg, jpeg or png. @throws DicomProblem 'picture-unsupported', 'too-large', 'decode-failed' */
  readonly pictureToDicom: (path: string, identity: PictureIdentity) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

const defaults = (): PoolOptions => ({
  // All cores but one, which the main thread needs; of two both, since it is idle when nobody uploads.
  workers: Math.max(Math.min(2, os.availableParallelism()), os.availableParallelism() - 1),
  timeLimitMs: 60_000,
  maxFileBytes: 2 ** 30,
  maxHeapMb: 1024,
  maxBytesAtOnce: 2 ** 27,
  idleMs: 30_000,
  inHandFolder: null,
});

/** Starts no thread before there is work. `close` ends what runs; jobs that wait are rejected. */
export const createImaging = (options: Partial<PoolOptions> = {}): Imaging => {
  const pool = createPool({ ...defaults(), ...options });
  const run = async <Name extends JobName>(
    name: Name,
    ask: Jobs[Name]['ask'],
    urgency: Urgency = 'usual',
  ): Promise<Jobs[Name]['answer']> => {
    const { size } = await stat(ask.path);
    return await pool.run(name, ask, size, urgency);
  };
  return {
    inspect: async (path) => {
      try {
        return await run('inspect', { path });
      } catch (problem) {
        if (!(problem instanceof DicomProblem)) throw problem;
        return {
          summary: null,
          image: null,
          directory: null,
          problems: [{ code: problem.code, detail: problem.detail }],
        };
      }
    },
    thumbnail: async (path, options, urgency) => await run('thumbnail', { path, ...options }, urgency),
    pictureThumbnail: async (path, options, urgency) => await run('pictureThumbnail', { path, ...options }, urgency),
    rendition: async (path, options, urgency) => await run('rendition', { path, ...options }, urgency),
    inspectPicture: async (path) => await run('inspectPicture', { path }),
    pictureToDicom: async (path, identity) => (await run('pictureToDicom', { path, identity })).bytes,
    close: pool.close,
  };
};
