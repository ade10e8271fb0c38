import { stat } from 'node:fs/promises';
import os from 'node:os';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Annotation } from './annotation.ts';
import type { Inspection } from './inspect.ts';
import type { PictureInspection } from './inspect-picture.ts';
import type { VideoInspection } from './inspect-video.ts';
import type { JobName, Jobs, Urgency } from './jobs.ts';
import type { MadeRendition, RenditionOptions } from './make-rendition.ts';
import type { PictureIdentity } from './picture-identity.ts';
import { createPool, type PoolOptions } from './pool.ts';
import type { RenderedOptions } from './render-frame.ts';
import type { FrameOptions } from './stored-frame.ts';
import type { Thumbnail, ThumbnailOptions } from './thumbnail.ts';
import type { FileToRead } from './whole-file.ts';

export { isSrgb } from './colour-profile.ts';
export type {
  Annotation,
  FileToRead,
  FrameOptions,
  Inspection,
  PictureIdentity,
  RenderedOptions,
  Thumbnail,
  ThumbnailOptions,
  Urgency,
};

/**
 * Reads and renders images in worker threads. When a file's hash is given, the decoded bytes are verified against it first: every call throws
 * StorageError 'damaged' when they differ.
 */
export interface Imaging {
  /**
   * Reads a DICOM file and decodes its first frame; with native pixels only the head is read, and not verified. Errors of the file are in
   * `problems`; rejects only if the file cannot be opened.
   */
  readonly inspect: (file: FileToRead) => Promise<Inspection>;
  /** @throws DicomProblem */
  readonly thumbnail: (file: FileToRead, options: ThumbnailOptions, urgency: Urgency) => Promise<Thumbnail>;
  /** Makes the thumbnail of a picture. @throws DicomProblem 'picture-damaged', 'picture-unsupported', 'too-large' */
  readonly pictureThumbnail: (file: FileToRead, options: ThumbnailOptions, urgency: Urgency) => Promise<Thumbnail>;
  /** @throws DicomProblem, such as 'no-such-frame' */
  readonly rendition: (file: FileToRead, options: RenditionOptions, urgency: Urgency) => Promise<MadeRendition>;
  /** Returns one frame as it is stored, or decoded. @throws DicomProblem, such as 'no-such-frame' */
  readonly frame: (file: FileToRead, options: FrameOptions, urgency: Urgency) => Promise<Uint8Array>;
  /** Draws one frame as JPEG or PNG. @throws DicomProblem, such as 'no-such-frame' */
  readonly renderedFrame: (file: FileToRead, options: RenderedOptions, urgency: Urgency) => Promise<Uint8Array>;
  /** Returns the PDF of an Encapsulated PDF object. @throws DicomProblem 'image-unsupported', 'truncated', 'too-large' */
  readonly encapsulatedPdf: (file: FileToRead, urgency: Urgency) => Promise<Uint8Array>;
  /** Decodes a picture to verify it. @throws DicomProblem 'picture-damaged', 'picture-unsupported', 'too-large' */
  readonly inspectPicture: (file: FileToRead) => Promise<PictureInspection>;
  /** Makes a DICOM file of a picture. @throws DicomProblem 'picture-damaged', 'picture-unsupported', 'too-large', 'decode-failed' */
  readonly pictureToDicom: (file: FileToRead, identity: PictureIdentity) => Promise<Uint8Array>;
  /** Makes a DICOM file that holds a PDF. @throws DicomProblem 'too-large' */
  readonly pdfToDicom: (file: FileToRead, identity: PictureIdentity) => Promise<Uint8Array>;
  /** Copies a video to verify it. @throws DicomProblem 'video-unsupported', 'malformed', 'truncated', 'too-large' */
  readonly inspectVideo: (file: FileToRead) => Promise<VideoInspection>;
  /** Makes a DICOM file of a video. @throws DicomProblem as `inspectVideo` */
  readonly videoToDicom: (file: FileToRead, identity: PictureIdentity) => Promise<Uint8Array>;
  /** Returns the video of a DICOM file as MP4. @throws DicomProblem as `inspectVideo`, 'image-unsupported' */
  readonly storedVideo: (file: FileToRead, urgency: Urgency) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

const defaults = (): PoolOptions => ({
  // All cores but one, which the main thread needs; both of two, because the main thread is mostly idle.
  workers: Math.max(Math.min(2, os.availableParallelism()), os.availableParallelism() - 1),
  timeLimitMs: 60_000,
  maxFileBytes: 2 ** 30,
  maxHeapMb: 1024,
  maxBytesAtOnce: 2 ** 27,
  idleMs: 30_000,
  crashMarksFolder: null,
});

/** Creates the imaging pool. Threads start with the first job. `close` ends running jobs and rejects waiting ones. */
export const createImaging = (options: Partial<PoolOptions> = {}): Imaging => {
  const pool = createPool({ ...defaults(), ...options });
  const run = async <Name extends JobName>(
    name: Name,
    input: Jobs[Name]['input'],
    urgency: Urgency = 'usual',
  ): Promise<Jobs[Name]['output']> => {
    const { size } = await stat(input.path);
    return await pool.run(name, input, size, urgency);
  };
  return {
    inspect: async (file) => {
      try {
        return await run('inspect', file);
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
    thumbnail: async (file, options, urgency) => await run('thumbnail', { ...file, ...options }, urgency),
    pictureThumbnail: async (file, options, urgency) => await run('pictureThumbnail', { ...file, ...options }, urgency),
    rendition: async (file, options, urgency) => await run('rendition', { ...file, ...options }, urgency),
    frame: async (file, options, urgency) => (await run('frame', { ...file, ...options }, urgency)).bytes,
    renderedFrame: async (file, options, urgency) =>
      (await run('renderedFrame', { ...file, ...options }, urgency)).bytes,
    encapsulatedPdf: async (file, urgency) => (await run('encapsulatedPdf', file, urgency)).bytes,
    inspectPicture: async (file) => await run('inspectPicture', file),
    inspectVideo: (file) => run('inspectVideo', file),
    videoToDicom: async (file, identity) => (await run('videoToDicom', { ...file, identity })).bytes,
    storedVideo: async (file, urgency) => (await run('storedVideo', file, urgency)).bytes,
    pdfToDicom: async (file, identity) => (await run('pdfToDicom', { ...file, identity })).bytes,
    pictureToDicom: async (file, identity) => (await run('pictureToDicom', { ...file, identity })).bytes,
    close: pool.close,
  };
};
