import { z } from 'zod';

/** Field lengths in characters, used by forms and the server. */
export const bounds = {
  firstName: [2, 100],
  lastName: [2, 100],
  address: [2, 200],
  city: [2, 100],
  zipcode: [2, 30],
  organisationName: [2, 200],
  organisationNumber: [2, 100],
  customerNumber: [2, 100],
  license: [2, 100],
  description: [2, 500],
  personalNumber: [10, 20],
  phone: [0, 30],
  avatarLink: [0, 300],
  azureUsername: [0, 100],
  tenantId: [36, 36],
  id: [36, 36],
  password: [6, 100],
  roleName: [3, 256],
  workstation: [1, 100],
  query: [0, 30],
} as const;

export const bounded = (name: keyof typeof bounds) => {
  const [min, max] = bounds[name];
  return z.string().trim().min(min).max(max);
};

/** Optional text: absent, empty and blank become null. */
export const orNothing = <T extends z.ZodType>(text: T) =>
  z
    .preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), text.nullable())
    .default(null);

/** A 36-character id. One in capitals is the same id, and is compared as text with those of the database. */
export const uuid = z.uuid().toLowerCase();
/** A record that another one names: its id, and its name to show. */
export const reference = z.object({ id: uuid, name: z.string() });
/** Version of a record that a change is based on, 0 before the first. The change adds one, which is an `integer` of the database too. */
export const recordVersion = z.int32().min(0).max(2_147_483_646);
export const email = z.email().max(320);
const isCalendarDate = (text: string): boolean => {
  const moment = new Date(`${text}T00:00:00Z`);
  // The database has no year 0.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text) && moment.getUTCFullYear() > 0;
};

/** A valid calendar date `YYYY-MM-DD`. */
export const dateOnly = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine(isCalendarDate, 'no such day');
/** Moment in ISO 8601, UTC. */
export const moment = z.iso.datetime();
/** DICOM unique identifier (PS3.5 section 9.1). */
export const dicomUid = z
  .string()
  .max(64)
  .regex(/^[0-2](\.\d+)+$/);

/** A digit, a lowercase letter, an uppercase letter and a non-alphanumeric character. */
export const password = z
  .string()
  .min(bounds.password[0])
  .max(bounds.password[1])
  .regex(/\d/, 'digit')
  .regex(/\p{Ll}/u, 'lowercase')
  .regex(/\p{Lu}/u, 'uppercase')
  .regex(/[^\p{L}\p{N}]/u, 'symbol');

export const searchMinimumCharacters = 3;
export const searchHits = 7;
export const searchDebounceMs = 500;

/** At least 3 characters, and at least one word longer than one character. */
export const isSearchable = (text: string): boolean =>
  text.trim().length >= searchMinimumCharacters &&
  text
    .trim()
    .split(/\s+/)
    .some((word) => word.length > 1);

const count = (max: number) => z.coerce.number().int().min(1).max(max);
export const pageNumber = count(1_000_000).default(1);
/** Rows of a page. */
export const pageSize = count(500).default(10);
export const page = z.object({ page: pageNumber, ppage: pageSize });
export const paged = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), totalCount: z.number().int() });
