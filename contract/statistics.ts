import { z } from 'zod';
import { dateOnly, uuid } from './bounds.ts';
import { needs, route } from './route.ts';

const count = z.number().int().min(0);

export const statistics = z.object({
  /** 1 for the numbers of one clinic. */
  clinics: count,
  users: z.object({ active: count, inactive: count, total: count }),
  patients: count,
  studies: count,
  images: count,
  /** Additions by week (Europe/Stockholm), oldest first, including weeks with zeros. The last is the current one. */
  weekly: z.array(z.object({ /** Its Monday. */ week: dateOnly, patients: count, studies: count, images: count })),
});
export type Statistics = z.infer<typeof statistics>;

/** Number of weeks in `weekly`. */
export const statisticsWeeks = 26;

/** All clinics that are not deleted. Records in the recycle bin are not counted. */
export const statisticsGet = route({
  method: 'GET',
  path: '/api/statistics',
  access: needs('customer.get'),
  reply: statistics,
});

/** One clinic: the own, or with customer.get_byid any. */
export const statisticsOfCustomer = route({
  method: 'GET',
  path: '/api/statistics/:customerId',
  params: z.object({ customerId: uuid }),
  access: needs('user.get', 'customer.get'),
  reply: statistics,
});
