import { z } from 'zod';
import { bounded, dateOnly, moment, recordVersion, reference, uuid } from './bounds.ts';
import { patientMainInfo } from './patients.ts';
import { emptyReply, idBody, route, signedIn, unless } from './route.ts';

/** Modalities that an order asks for, most frequent first. */
export const orderModalities = ['PX', 'IO', 'DX', 'CT', 'XC', 'CR'] as const;

/** Scheduled; the device has begun, or an image has come; the device has finished; it was stopped after it had begun; or before. */
export const orderStatus = z.enum(['scheduled', 'in-progress', 'completed', 'discontinued', 'cancelled']);
export type OrderStatus = z.infer<typeof orderStatus>;

/** Returns whether devices see an order in the worklist, and a user can cancel it. */
export const isOpenOrder = (status: OrderStatus): boolean => status === 'scheduled' || status === 'in-progress';

/** Characters of a procedure (LO, PS3.5 6.2). */
export const maxProcedure = 64;
export const maxOrderComment = 500;

/** One line without a backslash, which separates values in DICOM. */
const procedure = z
  .string()
  .trim()
  .min(2)
  .max(maxProcedure)
  .regex(/^[^\\\p{Cc}]*$/u);
const comment = z
  .string()
  .trim()
  .max(maxOrderComment)
  .regex(/^[^\p{Cc}]*$/u);

const fields = {
  procedure,
  modality: z.enum(orderModalities),
  /** When images are to be taken, in the time of the clinic. */
  day: dateOnly,
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  comment,
};

/** A device on which images can be ordered: it may ask for the worklist. */
export const orderStation = z.object({ id: uuid, name: z.string(), aeTitle: z.string() });
export type OrderStation = z.infer<typeof orderStation>;

/** Images of a patient that are to be taken: one study. */
export const order = z.object({
  ...fields,
  id: uuid,
  patientId: uuid,
  procedure: z.string(),
  comment: z.string(),
  /** Null: any device. */
  station: reference.nullable(),
  status: orderStatus,
  studyUid: z.string(),
  /** Also the id of the requested procedure and of the scheduled procedure step. */
  accessionNumber: z.string(),
  createdAt: moment,
  /** Counts the edits. An older server does not send it. */
  version: z.number().int().default(1),
  /** Whether a device has reported a step of it, also of a cancelled one. An older server does not send it. */
  isReported: z.boolean().default(false),
});
export type Order = z.infer<typeof order>;

/** Orders of a patient that are listed. */
export const ordersAtMost = 100;

const listReply = z.object({ orders: z.array(order), stations: z.array(orderStation) });

/** The newest orders of the patient with this id, and the devices of the clinic on which images can be ordered. */
export const orderList = route({
  method: 'GET',
  path: '/resource/orders/:id',
  params: z.object({ id: uuid }),
  access: signedIn,
  reply: listReply,
});

/** Orders images. Needs what importing into a new study needs. Fails with `invalid-request` for a device that cannot ask for the worklist. */
export const orderCreate = route({
  method: 'POST',
  path: '/resource/orders/create',
  access: unless('disable.new_study'),
  body: z.strictObject({ ...fields, patientId: uuid, stationId: uuid.nullable() }),
  reply: order,
});

/**
 * Changes an order that is scheduled; devices see the new values when they ask again. Fails with `order-not-scheduled` when it has begun or ended, and with
 * `conflict` when another user has changed it since `version`.
 */
export const orderUpdate = route({
  method: 'POST',
  path: '/resource/orders/update',
  access: unless('disable.new_study'),
  body: z.strictObject({ ...fields, id: uuid, version: recordVersion, stationId: uuid.nullable() }),
  reply: order,
});

/** Takes an order out of the worklist: cancelled, or discontinued when it has begun. Fails with `conflict` when it has ended. */
export const orderCancel = route({
  method: 'POST',
  path: '/resource/orders/cancel',
  access: unless('disable.new_study'),
  body: idBody,
  reply: emptyReply,
});

/** The patient of an order in a list. */
export const orderPatient = patientMainInfo
  .pick({ firstName: true, lastName: true, personalNumber: true, protectedIdentity: true })
  .extend({ id: uuid });
export type OrderPatient = z.infer<typeof orderPatient>;

/** Orders of a day that are listed. */
export const dayOrdersAtMost = 500;

/**
 * The orders of a clinic for a day in the order of their time, without those of patients that the caller's lists leave out; their patients, and the devices
 * of the clinic.
 */
export const orderDay = route({
  method: 'GET',
  path: '/resource/orders/day/:customerId',
  params: z.object({ customerId: uuid }),
  query: z.object({ day: dateOnly }),
  access: unless('disable.new_study'),
  reply: z.object({ orders: z.array(order), patients: z.array(orderPatient), stations: z.array(orderStation) }),
});

/** A patient as another program has them. All must be as the clinic has them: one mistyped digit is another patient. */
export const namedForOrder = z.strictObject({
  personalNumber: bounded('personalNumber'),
  lastName: bounded('lastName'),
  firstName: bounded('firstName'),
  /** Null: the clinic has none. */
  birthDate: dateOnly.nullable(),
});

const ofClinic = { method: 'POST', params: z.object({ clinic: uuid }), service: 'orders.write' } as const;
const ordering = { ...ofClinic, access: unless('disable.new_study') } as const;

/**
 * `orderList` for programs such as the journal of a clinic, which know the patient by personal number. Fails with `not-found` for an unknown number, and
 * with `conflict` and the field when the clinic has another name or birth date. So does `clinicOrderCreate`.
 */
export const clinicOrderList = route({
  ...ofClinic,
  path: '/resource/clinics/:clinic/orders/list',
  access: signedIn,
  body: z.strictObject({ patient: namedForOrder }),
  reply: listReply,
});

/** `orderCreate` for other programs. */
export const clinicOrderCreate = route({
  ...ordering,
  path: '/resource/clinics/:clinic/orders/create',
  body: z.strictObject({ ...fields, patient: namedForOrder, stationId: uuid.nullable().default(null) }),
  reply: order,
});

/** `orderCancel` for other programs. */
export const clinicOrderCancel = route({
  ...ordering,
  path: '/resource/clinics/:clinic/orders/cancel',
  body: idBody,
  reply: emptyReply,
});
