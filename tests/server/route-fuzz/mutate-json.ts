import type { Random } from '../../dicom/mutate.ts';
import { hostileDay, hostileNumber, hostileText, hostileValue, withHostileCharacter } from './hostile-values.ts';

type Json = unknown;
type Key = string | number;
const isObject = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null;

const deepest = 8;

/** Returns the path of every value below `value`. */
const pathsOf = (value: Json, here: readonly Key[] = []): (readonly Key[])[] => {
  if (!isObject(value) || here.length > deepest) return [here];
  const keys: Key[] = Array.isArray(value) ? [...value.keys()].slice(0, 20) : Object.keys(value);
  return [here, ...keys.flatMap((key) => pathsOf((value as Record<Key, Json>)[key], [...here, key]))];
};

const at = (value: Json, path: readonly Key[]): Json =>
  path.reduce<Json>((part, key) => (isObject(part) ? (part as Record<Key, Json>)[key] : undefined), value);

/** Replaces the value at a path; `undefined` removes it. */
const withValue = (value: Json, path: readonly Key[], next: Json): Json => {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const changed = value.map((part, index) => (index === key ? withValue(part, rest, next) : part));
    return next === undefined && rest.length === 0 ? changed.filter((_, index) => index !== key) : changed;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    name === key ? withValue(part, rest, next) : part,
  ]);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
};

const otherType = (value: Json): Json => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return Number(value) || [value];
  if (typeof value === 'boolean') return value ? 'true' : 0;
  if (Array.isArray(value)) return { ...value };
  return isObject(value) ? Object.values(value) : {};
};

const names = ['extra', '__proto__x', 'customerId', 'id', 'version', 'role', 'permissions', 'deletedAt', '$where', ''];
const withField = (value: Json, name: string, field: Json): Json =>
  isObject(value) && !Array.isArray(value) ? { ...value, [name]: field } : [value, field];

/** What a mutation may use. */
export interface Supply {
  /** Ids of other records, of this clinic and of another one. */
  readonly ids: readonly string[];
  /** Names of all fields of the schema. */
  readonly fields: readonly string[];
}

type Change = (value: Json, random: Random, supply: Supply) => Json;

/** A value of the same type, which passes more checks than another one. */
const sameType: Change = (value, random) => {
  const isDay = value === null || (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value));
  if (isDay && random(2) === 0) return hostileDay(random);
  if (typeof value === 'string') return withHostileCharacter(value, random);
  if (typeof value === 'number') return hostileNumber(random);
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...value, ...value] : value;
};

const changes: readonly Change[] = [
  sameType,
  sameType,
  sameType,
  sameType,
  sameType,
  sameType,

  () => undefined,
  () => null,
  (value) => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : {}),
  otherType,
  (value) => [value],
  (value) => ({ value }),
  (_, random) => hostileValue(random),
  (_, random) => hostileValue(random),
  (_, random) => hostileText(random),
  (value, random) => (typeof value === 'string' ? value + hostileText(random) : hostileValue(random)),
  (value, random) => (typeof value === 'string' ? value.slice(random(value.length + 1)) : hostileNumber(random)),
  (value, random) => (Array.isArray(value) ? Array.from({ length: 1 + random(600) }, () => value[0]) : value),
  (_, random, { ids }) => ids[random(ids.length)],
  (_, random, { ids }) => ids[random(ids.length)]?.toUpperCase(),
  (value, random) => withField(value, names[random(names.length)] ?? 'extra', hostileValue(random)),
  (value, random, { fields }) => withField(value, fields[random(fields.length)] ?? 'extra', hostileValue(random)),
];

/** Returns a value with one to three changes. Deterministic for the same `random`. */
export const mutatedJson = (value: Json, random: Random, supply: Supply): Json => {
  let result = value;
  for (let count = Math.max(1, random(5) - 1); count > 0; count--) {
    const paths = pathsOf(result);
    // The value as a whole is replaced rarely: it is rejected at once.
    const path = paths[random(paths.length)] ?? [];
    const change = changes[random(changes.length)];
    if (change) result = withValue(result, path, change(at(result, path), random, supply));
  }
  return result;
};
