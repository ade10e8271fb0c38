import { z } from 'zod';
import { bounds, dateOnly, page, paged, recordVersion, uuid } from './bounds.ts';
import { imageInfo } from './images.ts';
import { listed } from './lists.ts';
import { protectedIdentity, recordSearch } from './patients.ts';
import { idReply, route, signedIn, unless } from './route.ts';
import { mountedSlot } from './viewsets.ts';

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
      /** Empty also from a server that does not send it yet. */
      mounted: z.array(mountedSlot).default([]),
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

/** A study in a search result. */
export const foundStudy = z.object({
  id: uuid,
  uid: z.string(),
  customerId: uuid,
  patientId: uuid,
  patient: z.object({
    firstName: z.string(),
    lastName: z.string(),
    birthDate: z.string().nullable(),
    personalNumber: z.string(),
    protectedIdentity,
  }),
  description: z.string(),
  /** `YYYY-MM-DD` */
  studyDate: z.string().nullable(),
  creationDate: z.string(),
  accessionNumber: z.string().nullable(),
  totalImages: z.number().int(),
  /** Of its series, by name. */
  modalities: z.array(z.string()),
});
export type FoundStudy = z.infer<typeof foundStudy>;

const ofSearch = { path: '/resource/study/search', access: signedIn, reply: listed(foundStudy) } as const;

/**
 * Studies of a clinic, newest first, for which every search word is a prefix of a word of the description, the accession number, the
 * patient's name or personal number. `from` and `to` limit the study date. For very frequent words not all matches are counted: then
 * `totalCount` is a lower bound, and `isTotalExact` is false.
 */
export const studySearch = route({ method: 'GET', query: recordSearch, ...ofSearch });

/** The same search with the text in the body, so that no personal number is in a URL. The browser uses this one. */
export const studySearchPrivate = route({ method: 'POST', body: recordSearch, ...ofSearch });

export const studyUpdate = route({
  method: 'PUT',
  path: '/resource/study/update',
  access: signedIn,
  body: z.strictObject({
    id: uuid,
    version: recordVersion,
    description: z.string().trim().min(bounds.description[0]).max(bounds.description[1]),
    studyDate: dateOnly.nullable(),
    accessionNumber: z.string().trim().max(16).nullable(),
  }),
  reply: study,
});

const oneId = { params: z.object({ id: uuid }), reply: idReply };

/** Moves a study with its content to the recycle bin. */
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
