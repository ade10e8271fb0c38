import { type Compare, type Filter, parse } from 'scim2-parse-filter';
import { ScimError } from './scim-error.ts';

const lengthAtMost = 2_000;
/** Compared with case; all others without (RFC 7643 section 7, `caseExact`). */
const caseExact: ReadonlySet<string> = new Set(['id', 'externalid', 'groups.value', 'members.value']);

/** @throws ScimError 'invalidFilter' */
export const parseFilter = (text: string): Filter => {
  if (text.length > lengthAtMost) throw new ScimError(400, 'The filter is too long', 'invalidFilter');
  try {
    return parse(text);
  } catch {
    // A filter that is nested too deeply exceeds the stack.
    throw new ScimError(400, 'The filter cannot be read', 'invalidFilter');
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `urn:...:User:name.familyName` -> `name`, `familyname`. */
const namesIn = (path: string): readonly string[] =>
  path
    .slice(path.lastIndexOf(':') + 1)
    .toLowerCase()
    .split('.');

/** Returns the values at a path; those of a multi-valued attribute one by one. */
const valuesAt = (value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  if (!isObject(value)) return [];
  const key = Object.keys(value).find((one) => one.toLowerCase() === name);
  return key === undefined ? [] : valuesAt(value[key], rest);
};

/** `emails eq "x"` compares `emails.value`. */
const comparable = (value: unknown): unknown => (isObject(value) ? value.value : value);

type Operator = Compare['op'];
const orders: Readonly<Record<Exclude<Operator, 'ne'>, (a: string, b: string) => boolean>> = {
  eq: (a, b) => a === b,
  co: (a, b) => a.includes(b),
  sw: (a, b) => a.startsWith(b),
  ew: (a, b) => a.endsWith(b),
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

const compares = (filter: Compare, resource: unknown, inside: string): boolean => {
  const names = namesIn(filter.attrPath);
  const path = [inside, ...names].filter(Boolean).join('.');
  const textOf = (value: unknown) => {
    // A value inside of a PATCH may be any JSON.
    const text = typeof value === 'object' ? '' : String(value);
    return caseExact.has(path) ? text : text.toLowerCase();
  };
  const values = valuesAt(resource, names).map(comparable);
  const { op, compValue } = filter;
  if (compValue === null) return (op === 'eq') === (values.length === 0);
  const holds = (by: Exclude<Operator, 'ne'>) => values.some((value) => orders[by](textOf(value), textOf(compValue)));
  return op === 'ne' ? !holds('eq') : holds(op);
};

/** Returns whether a resource, or one value of the multi-valued attribute `inside`, matches. */
export const matches = (filter: Filter, resource: unknown, inside = ''): boolean => {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matches(one, resource, inside));
    case 'or':
      return filter.filters.some((one) => matches(one, resource, inside));
    case 'not':
      return !matches(filter.filter, resource, inside);
    case '[]': {
      const names = namesIn(filter.attrPath);
      return valuesAt(resource, names).some((value) => matches(filter.valFilter, value, names.join('.')));
    }
    case 'pr':
      return valuesAt(resource, namesIn(filter.attrPath)).some((value) => value !== '');
    default:
      return compares(filter, resource, inside);
  }
};

/** Returns the values that a filter of `eq` and `and` demands: `type eq "work"` -> `{ type: 'work' }`. */
export const demanded = (filter: Filter): Readonly<Record<string, unknown>> => {
  if (filter.op === 'and') return Object.assign({}, ...filter.filters.map(demanded));
  return filter.op === 'eq' ? { [filter.attrPath]: filter.compValue } : {};
};
