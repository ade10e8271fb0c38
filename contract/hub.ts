import { z } from 'zod';
import { uuid } from './bounds.ts';
import { thumbLink } from './images.ts';
import { importStep } from './imports.ts';

export const hubPath = '/resource/importImageHub';

const outcome = z.object({ succeeded: z.boolean(), result: z.object({ taskId: uuid }) });
const picture = z.object({
  patientId: uuid,
  viewsetId: uuid.nullable(),
  item: z.object({ imageUid: uuid, activeImageThumbLink: thumbLink }),
});

/** Hub events and their single argument. They only notify; clients fetch the data. */
export const hubEvents = {
  preparing: z.object({ taskId: uuid }),
  progress: z.object({ taskId: uuid, percent: z.number().int(), step: importStep }),
  parsed: outcome,
  imported: outcome,
  ImageProcessed: picture,
  ImageProcessedFailed: picture,
  DetachImageProcessed: picture,
  DetachedImageProcessedFailed: picture,
  /** The placement of images in a viewset has changed; with `imagesChanged` only the images or their display, at the same version. */
  ViewsetChanged: z.object({
    patientId: uuid,
    viewsetId: uuid,
    version: z.number().int(),
    imagesChanged: z.literal(true).optional(),
  }),
  /** The data of a patient, or the list of studies, series and images, has changed. */
  PatientChanged: z.object({ patientId: uuid }),
  /** An order of images of a patient was made, changed or cancelled, or a device has reported on it. */
  OrdersChanged: z.object({ patientId: uuid }),
} as const;

export type HubEventName = keyof typeof hubEvents;
export type HubEvent = {
  [Name in HubEventName]: { name: Name; body: z.infer<(typeof hubEvents)[Name]> };
}[HubEventName];
