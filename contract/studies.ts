import { z } from 'zod';
import { page, paged, uuid } from './bounds.ts';
import { imageInfo } from './images.ts';
import { route, signedIn } from './route.ts';

export const series = z.object({
  uid: z.string(),
  modality: z.string(),
  number: z.number().int().nullable(),
  description: z.string().nullable(),
  images: z.array(imageInfo),
});
export type Series = z.infer<typeof series>;

export const study = z.object({
  uid: z.string(),
  patientId: uuid,
  description: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  creationDate: z.string(),
  accessionNumber: z.string().nullable(),
  series: z.array(series),
  viewsets: z.array(
    z.object({
      viewSetUuid: uuid,
      name: z.string(),
      templateUUID: uuid.nullable(),
      filledSlots: z.number().int(),
      slots: z.number().int(),
    }),
  ),
});
export type Study = z.infer<typeof study>;

/** The studies of a patient, newest first, each with its series, images and viewsets. */
export const studiesByPatient = route({
  method: 'GET',
  path: '/resource/study/bypatient/:id',
  params: z.object({ id: uuid }),
  query: page,
  access: signedIn,
  reply: paged(study),
});
