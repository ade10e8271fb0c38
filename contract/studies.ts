import { z } from 'zod';
import { bounds, dateOnly, page, paged, uuid } from './bounds.ts';
import { imageInfo } from './images.ts';
import { route, signedIn, unless } from './route.ts';

export const series = z.object({
  /** The archive's own id; `uid` is the Series Instance UID. */
  id: uuid,
  uid: z.string(),
  modality: z.string(),
  number: z.number().int().nullable(),
  description: z.string().nullable(),
  images: z.array(imageInfo),
});
export type Series = z.infer<typeof series>;

export const study = z.object({
  /** The archive's own id; `uid` is the Study Instance UID. */
  id: uuid,
  uid: z.string(),
  patientId: uuid,
  description: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  creationDate: z.string(),
  accessionNumber: z.string().nullable(),
  version: z.number().int(),
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

export const studyUpdate = route({
  method: 'PUT',
  path: '/resource/study/update',
  access: signedIn,
  body: z.strictObject({
    id: uuid,
    version: z.number().int(),
    description: z.string().trim().min(bounds.description[0]).max(bounds.description[1]),
    studyDate: dateOnly.nullable(),
    accessionNumber: z.string().trim().max(16).nullable(),
  }),
  reply: study,
});

const oneId = { params: z.object({ id: uuid }), reply: z.object({ id: uuid }) };

/** Into the recycle bin, with all that is in it. */
export const studyDelete = route({
  method: 'DELETE',
  path: '/resource/study/delete/:id',
  access: unless('disable.delete_study'),
  ...oneId,
});

export const studyRestore = route({
  method: 'PUT',
  path: '/resource/study/restore/:id',
  access: unless('disable.delete_study'),
  ...oneId,
});

export const seriesDelete = route({
  method: 'DELETE',
  path: '/resource/series/delete/:id',
  access: unless('disable.delete_study'),
  ...oneId,
});

export const seriesRestore = route({
  method: 'PUT',
  path: '/resource/series/restore/:id',
  access: unless('disable.delete_study'),
  ...oneId,
});
