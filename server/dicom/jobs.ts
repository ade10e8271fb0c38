import type { DicomProblemCode } from '../../dicom/problem.ts';
import type { Inspection } from './inspect.ts';
import type { PictureInspection } from './inspect-picture.ts';
import type { MadeRendition, RenditionOptions } from './make-rendition.ts';
import type { PictureIdentity } from './picture-identity.ts';
import type { Thumbnail, ThumbnailOptions } from './thumbnail.ts';

/** What the workers can be asked, and what they answer. */
export interface Jobs {
  readonly inspect: { readonly ask: { readonly path: string }; readonly answer: Inspection };
  readonly thumbnail: { readonly ask: { readonly path: string } & ThumbnailOptions; readonly answer: Thumbnail };
  readonly pictureThumbnail: { readonly ask: { readonly path: string } & ThumbnailOptions; readonly answer: Thumbnail };
  readonly rendition: { readonly ask: { readonly path: string } & RenditionOptions; readonly answer: MadeRendition };
  readonly inspectPicture: { readonly ask: { readonly path: string }; readonly answer: PictureInspection };
  readonly pictureToDicom: {
    readonly ask: { readonly path: string; readonly identity: PictureIdentity };
    readonly answer: { readonly bytes: Uint8Array };
  };
}

export type JobName = keyof Jobs;

export type JobRequest = { [Name in JobName]: { readonly name: Name; readonly ask: Jobs[Name]['ask'] } }[JobName];

/** `waited-for`: somebody sits before the screen. `idle`: when there is nothing else to do. */
export type Urgency = 'waited-for' | 'usual' | 'idle';

/** Messages between the pool and a worker. */
export interface JobMessage {
  readonly id: number;
  readonly request: JobRequest;
  /** See `takeInHand`. */
  readonly mark: string | null;
}

export type JobReply =
  | { readonly id: number; readonly answer: Jobs[JobName]['answer'] }
  | { readonly id: number; readonly problem: { readonly code: DicomProblemCode; readonly detail: string } }
  | { readonly id: number; readonly failure: string };
