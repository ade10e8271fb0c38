import { z } from 'zod';
import { unstorableIn } from '../../web/storable-text.ts';
import { ScimError } from './scim-error.ts';
import { matches, parseFilter } from './scim-filter.ts';

export const countAtMost = 500;
const usualCount = 100;

/** Names of attributes: of a query with commas, of a search request as a list. */
const names = z
  .union([z.string().max(2_000), z.array(z.string().max(200)).max(100)])
  .transform((given) =>
    [given]
      .flat()
      .flatMap((text) => text.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  .optional();
const projectionQuery = z.object({ attributes: names, excludedAttributes: names });
const listQuery = z.object({
  filter: z.string().optional(),
  startIndex: z.coerce.number().int().default(1),
  count: z.coerce.number().int().default(usualCount),
});

type Resource = Readonly<Record<string, unknown>>;

const parsed = <T extends z.ZodType>(schema: T, query: unknown): z.output<T> => {
  const result = schema.safeParse(query);
  if (result.success && !unstorableIn(result.data)) return result.data;
  throw new ScimError(400, 'A parameter of the query is invalid', 'invalidValue');
};

/** Always returned (RFC 7643 section 7, `returned`). */
const always: ReadonlySet<string> = new Set(['schemas', 'id']);

/** Applies the parameters `attributes` and `excludedAttributes`, by whole attributes. @throws ScimError */
export const projectionOf = (query: unknown): ((resource: Resource) => Resource) => {
  const { attributes, excludedAttributes } = parsed(projectionQuery, query ?? {});
  const rootOf = (path: string) => path.slice(path.lastIndexOf(':') + 1).split('.')[0];
  const [only, without] = [attributes?.map(rootOf), excludedAttributes?.filter((path) => !path.includes('.'))];
  const isShown = (name: string): boolean => {
    if (always.has(name)) return true;
    return only ? only.includes(name.toLowerCase()) : !without?.map(rootOf).includes(name.toLowerCase());
  };
  return (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name)));
};

/** Returns the list response of the resources that match (RFC 7644 section 3.4.2). @throws ScimError */
export const listOf = (resources: readonly Resource[], query: unknown) => {
  const { filter, startIndex, count } = parsed(listQuery, query ?? {});
  const parsedFilter = filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter);
  const found = parsedFilter ? resources.filter((resource) => matches(parsedFilter, resource)) : resources;
  const first = Math.max(1, startIndex);
  const size = Math.min(Math.max(0, count), countAtMost);
  const page = found.slice(first - 1, first - 1 + size).map(projectionOf(query));
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: found.length,
    startIndex: first,
    itemsPerPage: page.length,
    Resources: page,
  };
};
