import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
import { emptyReply, idBody, route, unless } from './route.ts';

/** Images of a sending that are named because they were not sent; the others are counted. */
export const unsentImagesAtMost = 20;

/** `waiting`: for its turn, or to try again after a failure. */
export const sendingStates = ['waiting', 'sending', 'done', 'failed', 'cancelled'] as const;
export type SendingState = (typeof sendingStates)[number];

/**
 * Why a device got nothing: it does not answer, or the connection was lost; it rejects the archive; it has no space or time now; the clinic
 * does not list it any more; the user may not send images, or use the clinic, any more.
 */
export const sendingFailures = ['unreachable', 'rejected', 'busy', 'removed', 'not-allowed'] as const;
export type SendingFailure = (typeof sendingFailures)[number];

/**
 * How it went with an image: the device has it; it takes no images of this kind or encoding; it refused this one with a status; its file
 * cannot be read; it is deleted, or another patient's.
 */
export const imageOutcomes = ['sent', 'not-accepted', 'refused', 'unreadable', 'gone'] as const;
export type ImageOutcome = (typeof imageOutcomes)[number];

/**
 * Whether the device has for good what was sent to it (storage commitment): its report is waited for; it has everything; it has not, or did not say so of
 * each image; it does not give reports; it gave none within a day.
 */
export const commitmentStates = ['waiting', 'confirmed', 'not-confirmed', 'refused', 'no-answer'] as const;

/** Images of a patient on the way to a device. */
export const dicomSending = z.object({
  id: uuid,
  customerId: uuid,
  patientId: uuid,
  deviceName: z.string(),
  createdAt: moment,
  state: z.enum(sendingStates),
  /** Of the last attempt; also while the next one is waited for. */
  failure: z.enum(sendingFailures).nullable(),
  total: z.number().int(),
  sent: z.number().int(),
  notSent: z.number().int(),
  /** Null: the device is not asked, or not yet. An older server does not send it. */
  commitment: z.enum(commitmentStates).nullable().default(null),
  /** Sent images that the device has not confirmed; only meaningful with its report. */
  notConfirmed: z.number().int().default(0),
  /** At most `unsentImagesAtMost` of those not sent, in order. */
  unsent: z.array(
    z.object({
      imageUID: uuid,
      modality: z.string(),
      number: z.number().int().nullable(),
      reason: z.enum(imageOutcomes).exclude(['sent']),
      /** Status with which the device refused it (PS3.4 B.2.3); null for another reason. */
      status: z.number().int().nullable(),
    }),
  ),
});
export type DicomSending = z.infer<typeof dicomSending>;

const ofClinic = z.object({ customerId: uuid });
const access = unless('disable.open');

/** The devices of a clinic that accept associations, by name. */
export const dicomDestinations = route({
  method: 'GET',
  path: '/resource/dicom-sending/destinations/:customerId',
  params: ofClinic,
  access,
  reply: z.object({ devices: z.array(z.object({ id: uuid, name: z.string(), aeTitle: z.string() })) }),
});

/**
 * Begins to send the images of a study or patient to a device of the clinic, in the background. Each image is logged before it leaves. Fails with
 * `not-found` when there is no image or device, and with `too-many-files` for more than `maxImagesOfRecord`.
 */
export const dicomSendingCreate = route({
  method: 'POST',
  path: '/resource/dicom-sending/create',
  access,
  body: z
    .strictObject({ deviceId: uuid, studyId: uuid.optional(), patientId: uuid.optional() })
    .refine(({ studyId, patientId }) => (studyId === undefined) !== (patientId === undefined), {
      message: 'needs a study or a patient',
    }),
  reply: dicomSending,
});

/** The sendings of the caller in a clinic that were not removed, the newest first. */
export const dicomSendings = route({
  method: 'GET',
  path: '/resource/dicom-sending/list/:customerId',
  params: ofClinic,
  access,
  reply: z.object({ sendings: z.array(dicomSending) }),
});

/** Ends a sending of the caller; what the device has got stays there. */
export const dicomSendingCancel = route({
  method: 'POST',
  path: '/resource/dicom-sending/cancel',
  access,
  body: idBody,
  reply: emptyReply,
});

/** Removes an ended sending from the list. Fails with `conflict` for one that has not ended. */
export const dicomSendingRemove = route({
  method: 'POST',
  path: '/resource/dicom-sending/remove',
  access,
  body: idBody,
  reply: emptyReply,
});
