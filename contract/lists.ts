import { z } from 'zod';
import { bounds, page } from './bounds.ts';

export const listOrder = z.enum(['asc', 'desc']);
export type ListOrder = z.infer<typeof listOrder>;

/** Maximum number of rows that are counted exactly. */
export const countLimit = 10_000;

/**
 * Query of a long list: search text, sort order and page. `after` is the `next` cursor of an earlier reply and replaces the page
 * number: it is signed by the server and valid only for the same list in the same order.
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
    /** All rows that match; `countLimit` where there are more than that. */
    totalCount: z.number().int(),
    isTotalExact: z.boolean(),
    /** Cursor of the next page; null at the end. */
    next: z.string().nullable(),
  });
