import { z } from 'zod';
import { dateOnly, moment, uuid } from './bounds.ts';
import { writtenPatient } from './imports.ts';
import { emptyReply, idBody, route, unless } from './route.ts';

/** Studies of one search, and of one fetch. */
export const foundStudiesAtMost = 100;

/** Why a search has no result: see `fetchFailures`; `timed-out`: no answer in time. */
export const searchFailures = ['unreachable', 'timed-out', 'rejected', 'not-supported', 'refused'] as const;

/**
 * Why a fetch stopped: the device does not answer, or the connection was lost; it rejects the archive; it has no resources now; it does not offer
 * what is needed (C-FIND, and C-GET or C-MOVE); it does not know the archive as a destination; what it sent did not arrive; it refused with a
 * status; the archive has no space now; the clinic does not list the device, or the patient is deleted; the user may not import into a new study
 * of the clinic any more.
 */
export const fetchFailures = [
  'unreachable',
  'rejected',
  'busy',
  'not-supported',
  'destination-unknown',
  'not-delivered',
  'refused',
  'full',
  'removed',
  'not-allowed',
] as const;
export type FetchFailure = (typeof fetchFailures)[number];

/**
 * How it went with an image: the import has it; the patient has the same already; the device did not send it, or not as it
 * announced it; it is of another study than asked; it is too large; the import has as many files as it can.
 */
export const fetchOutcomes = ['fetched', 'known', 'not-sent', 'other-study', 'too-large', 'too-many'] as const;
export type FetchOutcome = (typeof fetchOutcomes)[number];

/**
 * A study of a fetch. `undecided`: its files contradict the patient, so it waits under Import; `known`: nothing of it is new; `empty`: the device has no
 * image of it; `failed`: none of its images could be taken.
 */
export const fetchedStudyStates = [
  'waiting',
  'fetching',
  'importing',
  'imported',
  'undecided',
  'known',
  'empty',
  'failed',
] as const;

export const patientDifference = z.enum(['number', 'name', 'birthDate']);
export type PatientDifference = z.infer<typeof patientDifference>;

const description = z.string().max(64);
const studyUid = z.string().regex(/^[0-9.]{1,64}$/);

/** The patient as the other archive has it. */
export const foreignPatient = writtenPatient.omit({ sex: true }).extend({
  name: z.string().max(400).nullable(),
  patientId: z.string().max(100).nullable(),
  birthDate: dateOnly.nullable(),
});
export type ForeignPatient = z.infer<typeof foreignPatient>;

const foundStudy = z.object({
  studyUid,
  description,
  studyDate: dateOnly.nullable(),
  modalities: z.array(z.string()),
  /** Null: the device does not say. */
  images: z.number().int().nullable(),
  patient: foreignPatient,
  /** Values that are others than those of the patient here. */
  differences: z.array(patientDifference),
  /** The user must confirm that it is the same patient: values differ, or are too few to tell. */
  needsConfirmation: z.boolean(),
  /** Images that the patient has of this study; null: none of the study. */
  imagesHere: z.number().int().nullable(),
  /** Another patient of the clinic has this study. */
  isOfAnotherPatient: z.boolean(),
});
export type FoundStudy = z.infer<typeof foundStudy>;

const fetchedStudy = z.object({
  studyUid,
  description,
  studyDate: dateOnly.nullable(),
  state: z.enum(fetchedStudyStates),
  /** Images that the device has. */
  found: z.number().int(),
  fetched: z.number().int(),
});

/** Studies of a patient on the way from a device. */
export const dicomFetch = z.object({
  id: uuid,
  customerId: uuid,
  patientId: uuid,
  deviceName: z.string(),
  createdAt: moment,
  state: z.enum(['waiting', 'fetching', 'done', 'failed', 'cancelled']),
  /** Of the last attempt; also while the next one is waited for. */
  failure: z.enum(fetchFailures).nullable(),
  studies: z.array(fetchedStudy),
  /** Images that were not fetched, or that the import refused, by reason. */
  refusals: z.array(
    z.object({ reason: z.enum([...fetchOutcomes, 'import']).exclude(['fetched']), images: z.number().int() }),
  ),
});
export type DicomFetch = z.infer<typeof dicomFetch>;

const ofClinic = z.object({ customerId: uuid });
/** As an import that may make a study. */
const access = unless('disable.new_study');

/** The devices of a clinic that accept associations, by name. */
export const dicomFetchSources = route({
  method: 'GET',
  path: '/resource/dicom-fetch/sources/:customerId',
  params: ofClinic,
  access,
  reply: z.object({ devices: z.array(z.object({ id: uuid, name: z.string(), aeTitle: z.string() })) }),
});

/**
 * Searches the studies of a patient at a device of the clinic (C-FIND): by each form of the personal number, or by name and birth date. The search is
 * logged before it leaves. `not-found` without the device or patient.
 */
export const dicomFetchSearch = route({
  method: 'POST',
  path: '/resource/dicom-fetch/search',
  access,
  body: z.strictObject({ deviceId: uuid, patientId: uuid, by: z.enum(['number', 'name']) }),
  reply: z.object({
    failure: z.enum(searchFailures).nullable(),
    /** False: the device has more. */
    isComplete: z.boolean(),
    studies: z.array(foundStudy),
  }),
});

/**
 * Begins to fetch studies of a device into a patient, in the background. `patient` is what the search said, and what the user confirmed with
 * `isSamePatient`; `mismatch-not-confirmed` without, where it is needed. Files that name yet another patient wait under Import.
 */
export const dicomFetchCreate = route({
  method: 'POST',
  path: '/resource/dicom-fetch/create',
  access,
  body: z.strictObject({
    deviceId: uuid,
    patientId: uuid,
    studies: z
      .array(
        z.strictObject({
          studyUid,
          description,
          studyDate: dateOnly.nullable(),
          patient: foreignPatient.strict(),
          isSamePatient: z.boolean(),
        }),
      )
      .min(1)
      .max(foundStudiesAtMost)
      .refine((studies) => new Set(studies.map((study) => study.studyUid)).size === studies.length, {
        message: 'has a study twice',
      }),
  }),
  reply: dicomFetch,
});

/** The fetches of the caller in a clinic that were not removed, the newest first. */
export const dicomFetches = route({
  method: 'GET',
  path: '/resource/dicom-fetch/list/:customerId',
  params: ofClinic,
  access,
  reply: z.object({ fetches: z.array(dicomFetch) }),
});

/** Ends a fetch of the caller. Studies that are imported stay; of the others nothing is imported. */
export const dicomFetchCancel = route({
  method: 'POST',
  path: '/resource/dicom-fetch/cancel',
  access,
  body: idBody,
  reply: emptyReply,
});

/** Removes an ended fetch from the list. Fails with `conflict` for one that has not ended. */
export const dicomFetchRemove = route({
  method: 'POST',
  path: '/resource/dicom-fetch/remove',
  access,
  body: idBody,
  reply: emptyReply,
});
