import { z } from 'zod';
import { moment, reference, uuid } from './bounds.ts';
import { idReply, needs, route } from './route.ts';

export const deletedClinic = z.object({
  id: uuid,
  name: z.string(),
  city: z.string().nullable(),
  deletedAt: moment,
  /** Null: deleted by a version that did not note it. */
  deletedBy: reference.nullable(),
  /** The last moment at which it can be restored. */
  restorableUntil: moment,
  /** `open`: its destruction is proposed or approved; `begun`: it can no longer be restored. */
  destruction: z.enum(['none', 'open', 'begun']),
});
export type DeletedClinic = z.infer<typeof deletedClinic>;

/** Deleted clinics, the last deleted first; none without customer.get_byid. */
export const deletedClinicsGet = route({
  method: 'GET',
  path: '/api/Customer/deleted',
  access: needs('customer.delete'),
  reply: z.object({ data: z.array(deletedClinic) }),
});

/**
 * Restores a clinic with its users and records; restoring one that is not deleted changes nothing. Fails with `not-found` without customer.get_byid, with
 * `restore-expired` after `restorableUntil`, and when its destruction has begun; an order to destroy it lapses. Sessions and imports that ended with the clinic stay ended.
 */
export const customerRestore = route({
  method: 'POST',
  path: '/api/Customer/restore/:id',
  params: z.object({ id: uuid }),
  access: needs('customer.delete'),
  reply: idReply,
});
