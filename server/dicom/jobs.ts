import type { DicomProblemCode } from '../../dicom/problem.ts';
import type { Inspection } from './inspect.ts';
import type { PictureInspection } from './inspect-picture.ts';
import type { VideoInspection } from './inspect-video.ts';
import type { MadeRendition, RenditionOptions } from './make-rendition.ts';
import type { PictureIdentity } from './picture-identity.ts';
import type { RenderedOptions } from './render-frame.ts';
import type { FrameOptions } from './stored-frame.ts';
import type { Thumbnail, ThumbnailOptions } from './thumbnail.ts';
import type { FileToRead } from './whole-file.ts';

/** Inputs and outputs of the worker jobs. */
export interface Jobs {
  readonly inspect: { readonly input: FileToRead; readonly output: Inspection };
  readonly thumbnail: { readonly input: FileToRead & ThumbnailOptions; readonly output: Thumbnail };
  readonly pictureThumbnail: { readonly input: FileToRead & ThumbnailOptions; readonly output: Thumbnail };
  readonly rendition: { readonly input: FileToRead & RenditionOptions; readonly output: MadeRendition };
  readonly frame: {
    readonly input: FileToRead & FrameOptions;
    readonly output: { readonly bytes: Uint8Array };
  };
  readonly renderedFrame: {
    readonly input: FileToRead & RenderedOptions;
    readonly output: { readonly bytes: Uint8Array };
  };
  readonly inspectPicture: { readonly input: FileToRead; readonly output: PictureInspection };
  readonly pdfToDicom: {
    readonly input: FileToRead & { readonly identity: PictureIdentity };
    readonly output: { readonly bytes: Uint8Array };
  };
  readonly encapsulatedPdf: { readonly input: FileToRead; readonly output: { readonly bytes: Uint8Array } };
  readonly inspectVideo: { readonly input: FileToRead; readonly output: VideoInspection };
  readonly videoToDicom: {
    readonly input: FileToRead & { readonly identity: PictureIdentity };
    readonly output: { readonly bytes: Uint8Array };
  };
  readonly storedVideo: { readonly input: FileToRead; readonly output: { readonly bytes: Uint8Array } };
  readonly pictureToDicom: {
    readonly input: FileToRead & { readonly identity: PictureIdentity };
    readonly output: { readonly bytes: Uint8Array };
  };
}

export type JobName = keyof Jobs;

export type JobRequest = { [Name in JobName]: { readonly name: Name; readonly input: Jobs[Name]['input'] } }[JobName];

/** `waited-for`: a user is waiting. `idle`: only when nothing else is queued. */
export type Urgency = 'waited-for' | 'usual' | 'idle';

/** Messages between the pool and a worker. */
export interface JobMessage {
  readonly id: number;
  readonly request: JobRequest;
  /** See `writeMark`. */
  readonly mark: string | null;
}

export type JobReply =
  | { readonly id: number; readonly output: Jobs[JobName]['output'] }
  | { readonly id: number; readonly problem: { readonly code: DicomProblemCode; readonly detail: string } }
  /** Message of a StorageError 'damaged'. */
  | { readonly id: number; readonly damaged: string }
  | { readonly id: number; readonly failure: string };
