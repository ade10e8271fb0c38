import { z } from 'zod';
import { bounds, page } from './bounds.ts';

export const listOrder = z.enum(['asc', 'desc']);
export type ListOrder = z.infer<typeof listOrder>;

/** How many rows are counted one by one; of longer lists it is only said that they are longer. */
export const mostCounted = 10_000;

/**
 * What a long list is asked for: a search text, an order, and a page. `after` is the `next` of an earlier reply and, where it is given, says
 * where the page begins instead of its number: sealed by the archive, good for the same list in the same order only.
 */
export const listQuery = <const Keys extends readonly [string, ...string[]]>(keys: Keys) =>
  page.extend({
    q: z.string().trim().max(bounds.query[1]).optional(),
    sort: z.enum(keys).default(keys[0] as Keys[number]),
    order: listOrder.default('asc'),
    after: z.string().max(2_000).optional(),
  });

/** A page of a long list. */
export const listed = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    /** All rows that match; `mostCounted` where there are more than that. */
    totalCount: z.number().int(),
    isTotalExact: z.boolean(),
    /** Where the next page begins; null at the end. */
    next: z.string().nullable(),
  });
