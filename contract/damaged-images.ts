import { z } from 'zod';
import { moment, page, uuid } from './bounds.ts';
import { fileError } from './images.ts';
import { needs, route } from './route.ts';

/** An image whose stored file is damaged or missing: only ids, no patient data. */
export const damagedImage = z.object({
  uid: uuid,
  customerId: uuid,
  customerName: z.string(),
  patientId: uuid,
  studyId: uuid,
  studyDate: z.string().nullable(),
  seriesUid: z.string(),
  seriesModalityValue: z.string(),
  kind: fileError.shape.kind,
  since: moment,
});
export type DamagedImage = z.infer<typeof damagedImage>;

/** Images whose files are damaged or missing, most recently detected first. Without `customer.get_byid` those of the own clinic. */
export const damagedImages = route({
  method: 'GET',
  path: '/resource/image/damaged',
  query: page.extend({ customerId: uuid.optional() }),
  access: needs('user.get'),
  reply: z.object({ data: z.array(damagedImage), totalCount: z.number().int() }),
});
