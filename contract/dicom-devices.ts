import { z } from 'zod';
import { moment, uuid } from './bounds.ts';
import { emptyReply, needs, route } from './route.ts';

/** DICOM devices that a clinic may have at once. */
export const dicomDevicesAtMost = 100;

/** An AE title (PS3.5 6.2): printable ASCII without a backslash, no spaces at its ends, which are insignificant. */
export const aeTitle = z
  .string()
  .trim()
  .regex(/^(?!.*\\)[\x20-\x7e]{1,16}$/);

/** How the last contact went: the device connected; it answered C-ECHO; it rejected the association; it did not answer. */
export const dicomContact = z.enum(['connected', 'answered', 'rejected', 'unreachable']);
export type DicomContact = z.infer<typeof dicomContact>;

/** A device or program that speaks DICOM with the archive, known by its AE title and its address together. */
export const dicomDevice = z.object({
  id: uuid,
  name: z.string(),
  aeTitle: z.string(),
  address: z.string(),
  /** On which it accepts associations; null for one that only connects. */
  port: z.number().int().nullable(),
  /** Whether the archive calls it by TLS; absent from a server that cannot yet. */
  tls: z.boolean().default(false),
  /** Whether it may search and fetch the images of the clinic. */
  canRetrieve: z.boolean(),
  /** Whether it may send images to the clinic. */
  canStore: z.boolean(),
  /** Images that it sends are imported without a user where they are those of exactly one patient. */
  atOnce: z.boolean(),
  /** Whether it may ask for the worklist and report its steps. An older server does not send it. */
  seesWorklist: z.boolean().default(false),
  /** Whether it is asked to confirm what the archive has sent to it (storage commitment). An older server does not send it. */
  asksCommitment: z.boolean().default(false),
  createdAt: moment,
  /** Null before the first contact. */
  contactAt: moment.nullable(),
  contact: dicomContact.nullable(),
});
export type DicomDevice = z.infer<typeof dicomDevice>;

/** Lists the DICOM devices of a clinic by name, and the AE title by which they call the archive. */
export const dicomDevices = route({
  method: 'GET',
  path: '/api/DicomDevices/:customerId',
  params: z.object({ customerId: uuid }),
  access: needs('customer.update'),
  reply: z.object({ aeTitle: z.string(), devices: z.array(dicomDevice) }),
});

/** IPv4 or IPv6. */
export const networkAddress = z.union([z.ipv4(), z.ipv6()]);

export const newDicomDevice = z.strictObject({
  customerId: uuid,
  name: z.string().trim().min(2).max(100),
  aeTitle,
  address: networkAddress,
  port: z.number().int().min(1).max(65_535).nullable(),
  tls: z.boolean().default(false),
  canRetrieve: z.boolean(),
  canStore: z.boolean(),
  atOnce: z.boolean(),
  seesWorklist: z.boolean().default(false),
  asksCommitment: z.boolean().default(false),
});

/**
 * Adds a device. Fails with `own-rank` or `no-right` for a caller who could not give the role of clinic administrators, and with `device-taken` when the
 * clinic has the AE title already, or any clinic has it at this address.
 */
export const dicomDeviceCreate = route({
  method: 'POST',
  path: '/api/DicomDevices/create',
  access: needs('customer.update'),
  body: newDicomDevice,
  reply: dicomDevice,
});

/**
 * Changes a device; the rules are those of adding one. Fails with `not-found` for one that is removed, else as `dicomDeviceCreate`. A device that is
 * connected goes on only when title, address and rights are the same.
 */
export const dicomDeviceUpdate = route({
  method: 'POST',
  path: '/api/DicomDevices/update',
  access: needs('customer.update'),
  body: newDicomDevice.extend({ id: uuid }),
  reply: dicomDevice,
});

const named = z.strictObject({ customerId: uuid, id: uuid });

/** Removes a device: it is not admitted any more. */
export const dicomDeviceRemove = route({
  method: 'POST',
  path: '/api/DicomDevices/remove',
  access: needs('customer.update'),
  body: named,
  reply: emptyReply,
});

/** Verifies the connection to a device (C-ECHO) and returns it with the result. Fails with `invalid-request` for one without a port. */
export const dicomDeviceEcho = route({
  method: 'POST',
  path: '/api/DicomDevices/echo',
  access: needs('customer.update'),
  body: named,
  reply: dicomDevice,
});
