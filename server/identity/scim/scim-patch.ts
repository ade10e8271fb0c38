import { ScimError } from './scim-error.ts';
import { demanded, matches, parseFilter } from './scim-filter.ts';

type Json = Record<string, unknown>;

/**
 * The attributes that PATCH can change: `leaf`; a complex attribute by its sub-attributes; a multi-valued one by those of its values. Others of the
 * core schema are ignored, as directories send many that the archive does not store.
 */
export type Attribute = 'leaf' | { readonly of: readonly string[] } | { readonly manyOf: readonly string[] };

export interface PatchDefinition {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly ignored: readonly string[];
  readonly readOnly: readonly string[];
  /** Attributes that are never removed, and whose absence in a resource leaves them as they are. */
  readonly required: readonly string[];
}

export interface PatchOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

type Op = 'add' | 'replace' | 'remove';

interface Target {
  readonly name: string;
  readonly filter: string | undefined;
  readonly sub: string | undefined;
}

const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(user|group)(:|$)/i;
const pathPattern = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/i;
const invalidPath = (): ScimError =>
  new ScimError(400, 'The path names no attribute that can be changed', 'invalidPath');

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};
const nameIn = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase());

/** @throws ScimError 'invalidPath' */
const targetOf = (path: string): Target => {
  const [, name, filter, sub] = pathPattern.exec(path.trim()) ?? [];
  if (name === undefined) throw invalidPath();
  return { name, filter, sub };
};

/** Keeps the known sub-attributes of a value, under their own names. */
const knownOf = (names: readonly string[], value: unknown): Json => {
  // A value without sub-attributes is the `value` of a multi-valued attribute.
  const given = isObject(value) ? value : { value };
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, inner]) => {
      const name = nameIn(names, key);
      return name === undefined ? [] : [[name, inner] as const];
    }),
  );
};

const patchComplex = (
  state: Json,
  name: string,
  of: readonly string[],
  { op, sub }: { op: Op; sub: string | undefined },
  value: unknown,
) => {
  const before = isObject(state[name]) ? state[name] : {};
  if (sub === undefined) {
    state[name] = op === 'remove' ? {} : { ...before, ...knownOf(of, value) };
    return;
  }
  const known = nameIn(of, sub);
  if (known === undefined) return;
  const { [known]: _, ...rest } = before;
  state[name] = op === 'remove' ? rest : { ...rest, [known]: value };
};

const sameValue = (a: Json, b: Json): boolean =>
  typeof a.value === 'string' && typeof b.value === 'string' && a.value.toLowerCase() === b.value.toLowerCase();

const patchMany = (state: Json, { name, filter, sub }: Target, of: readonly string[], op: Op, value: unknown) => {
  const before = listOf(state[name]).filter(isObject);
  const parsed = filter === undefined ? undefined : parseFilter(filter);
  const isMeant = (one: Json) => parsed === undefined || matches(parsed, one, name.toLowerCase());
  const known = sub === undefined ? undefined : nameIn(of, sub);
  if (sub !== undefined && known === undefined) return before;
  if (op === 'remove') {
    if (known !== undefined) return before.map((one) => (isMeant(one) ? { ...one, [known]: undefined } : one));
    const named = listOf(value).map((one) => knownOf(of, one));
    return before.filter((one) => !isMeant(one) || (named.length > 0 && !named.some((other) => sameValue(one, other))));
  }
  const values = listOf(value).map((one) => knownOf(of, one));
  if (parsed === undefined && known === undefined) {
    if (op === 'replace') return values;
    return [...before, ...values.filter((one) => !before.some((other) => sameValue(one, other)))];
  }
  const change = known === undefined ? (values[0] ?? {}) : { [known]: value };
  // Microsoft Entra ID expects a value that does not exist yet to be added, where RFC 7644 has `noTarget`.
  if (!before.some(isMeant)) return [...before, { ...(parsed && knownOf(of, demanded(parsed))), ...change }];
  return before.map((one) => (isMeant(one) ? { ...one, ...change } : one));
};

const patchAt = (state: Json, definition: PatchDefinition, op: Op, path: string, value: unknown): void => {
  const plain = path.replace(coreUrn, '');
  if (plain === '') {
    patchEach(state, definition, op, value);
    return;
  }
  // Extensions, such as that of enterprises.
  if (/^urn:/i.test(plain)) return;
  const target = targetOf(plain);
  const name = nameIn(Object.keys(definition.attributes), target.name);
  const attribute = name === undefined ? undefined : definition.attributes[name];
  if (name === undefined || attribute === undefined) {
    if (nameIn(definition.readOnly, target.name)) throw new ScimError(400, 'The attribute is read-only', 'mutability');
    if (nameIn(definition.ignored, target.name)) return;
    throw invalidPath();
  }
  if (attribute === 'leaf') {
    if (target.sub !== undefined || target.filter !== undefined) throw invalidPath();
    if (op === 'remove' && definition.required.includes(name))
      throw new ScimError(400, 'The attribute is required', 'mutability');
    state[name] = op === 'remove' ? undefined : value;
  } else if ('of' in attribute) {
    if (target.filter !== undefined) throw invalidPath();
    patchComplex(state, name, attribute.of, { op, sub: target.sub }, value);
  } else state[name] = patchMany(state, { ...target, name }, attribute.manyOf, op, value);
};

/** Without a path the value has the attributes, whose names may be paths. */
const patchEach = (state: Json, definition: PatchDefinition, op: Op, value: unknown): void => {
  if (op === 'remove') throw new ScimError(400, 'A removal needs a path', 'noTarget');
  if (!isObject(value)) throw new ScimError(400, 'The value needs attributes', 'invalidValue');
  for (const [key, inner] of Object.entries(value)) patchAt(state, definition, op, key, inner);
};

const opOf = (text: string): Op => {
  const op = (['add', 'replace', 'remove'] as const).find((one) => one === text.toLowerCase());
  if (!op) throw new ScimError(400, 'The operation is not add, replace or remove', 'invalidSyntax');
  return op;
};

/** Returns a resource after the operations of PATCH (RFC 7644 section 3.5.2), with names and operations in any case. @throws ScimError */
export const patched = (
  resource: Readonly<Json>,
  operations: readonly PatchOperation[],
  definition: PatchDefinition,
): Json => {
  const state: Json = { ...resource };
  for (const { op, path, value } of operations) {
    if (path === undefined || path === '') patchEach(state, definition, opOf(op), value);
    else patchAt(state, definition, opOf(op), path, value);
  }
  return state;
};
