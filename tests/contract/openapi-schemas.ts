import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { bytes } from '../../contract/route.ts';

export type Json = { readonly [key: string]: unknown };
export type Direction = 'input' | 'output';

export const isBytes = (schema: z.ZodType) => schema === bytes;
export const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const refTo = (id: string) => `#/components/schemas/${id}`;
const folder = path.join(import.meta.dirname, '..', '..', 'contract');

/** Modules of the contract: `patients` -> its exports. */
export const modules = new Map<string, Readonly<Record<string, unknown>>>();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts')))
  modules.set(file.replace(/\.ts$/, ''), await import(path.join(folder, file)));

/** Each exported schema becomes a component named as its export. */
const registry = z.registry<{ id: string }>();
for (const [module, exported] of modules)
  for (const [name, value] of Object.entries(exported)) {
    if (!(value instanceof z.ZodType) || isBytes(value) || registry.has(value)) continue;
    if (registry._idmap.has(pascal(name))) throw new Error(`Two schemas are called ${name}, one in ${module}`);
    registry.add(value, { id: pascal(name) });
  }

const isStrict = (schema: z.core.$ZodTypes) =>
  schema._zod.def.type === 'object' && schema._zod.def.catchall?._zod.def.type === 'never';

const options = (io: Direction) => ({
  io,
  unrepresentable: 'any' as const,
  target: 'draft-2020-12' as const,
  metadata: registry,
  // Replies may gain fields, except in objects that requests have too and that are strict there.
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (io === 'output' && jsonSchema.additionalProperties === false && !isStrict(zodSchema))
      delete jsonSchema.additionalProperties;
  },
});

const componentsOf = (io: Direction): Record<string, Json> => {
  const { schemas } = z.toJSONSchema(registry, { ...options(io), uri: refTo });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, id: _name, ...schema }]) => [id, schema]),
  );
};
const components = { input: componentsOf('input'), output: componentsOf('output') };

const refsIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, id]) => id ?? '');

/** Components whose request and reply forms differ (defaults, transforms), directly or by reference. */
const differing = new Set(
  Object.keys(components.output).filter(
    (id) => JSON.stringify(components.input[id]) !== JSON.stringify(components.output[id]),
  ),
);
for (let before = -1; before !== differing.size; ) {
  before = differing.size;
  for (const [id, schema] of Object.entries(components.output))
    if (refsIn(schema).some((ref) => differing.has(ref))) differing.add(id);
}

const named = (id: string, io: Direction) => (io === 'input' && differing.has(id) ? `${id}Input` : id);

/** Shortens what zod writes: `anyOf` of a plain type and null becomes one schema with two types, bounds of safe integers go. */
const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, ...rest } = value as Json;
  const [one, none, ...others] = Array.isArray(anyOf) ? (anyOf as Json[]) : [];
  if (one && none?.type === 'null' && others.length === 0 && typeof one.type === 'string' && !one.enum)
    return shortened({ ...rest, ...one, type: [one.type, 'null'] });
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== Number.MIN_SAFE_INTEGER && part !== Number.MAX_SAFE_INTEGER)
      .map(([key, part]) => [key, shortened(part)]),
  );
};

/** Refers to the component names of one direction. */
const directed = (schema: unknown, io: Direction): Json =>
  shortened(
    JSON.parse(
      JSON.stringify(schema).replaceAll(
        /"(?:#\/components\/schemas\/|#\/\$defs\/)([^"]+)"/g,
        (_, id: string) => `"${refTo(named(id, io))}"`,
      ),
    ),
  ) as Json;

const used = new Map<string, Json>();
/** The components that were referred to so far, by name. */
export const usedSchemas = (): Record<string, Json> =>
  Object.fromEntries([...used].sort(([one], [other]) => one.localeCompare(other)));

const use = (schema: Json, io: Direction): void => {
  const known = new Map(Object.keys(components[io]).map((id) => [named(id, io), id]));
  for (const name of refsIn(schema)) {
    const id = known.get(name);
    if (id === undefined || used.has(name)) continue;
    const component = directed(components[io][id], io);
    used.set(name, component);
    use(component, io);
  }
};

/** A schema as JSON Schema 2020-12, by reference where the contract exports it. */
export const schemaOf = (schema: z.ZodType, io: Direction): Json => {
  if (isBytes(schema)) return { type: 'string', format: 'binary' };
  const id = registry.get(schema)?.id;
  const { $schema: _schema, $defs: _defs, ...inline } = id ? { $ref: refTo(id) } : z.toJSONSchema(schema, options(io));
  const found = directed(inline, io);
  use(found, io);
  return found;
};

const ownNames = new Map<string, string>();
/** Makes a component of an object, or a choice of objects, that one body or reply has, or several alike; named as the first of them. */
export const component = (name: string, schema: Json): Json => {
  if (!('properties' in schema || 'anyOf' in schema)) return schema;
  const text = JSON.stringify(schema);
  const known = ownNames.get(text) ?? name;
  if (!ownNames.has(text) && used.has(name)) throw new Error(`Two schemas are called ${name}`);
  ownNames.set(text, known);
  used.set(known, schema);
  return { $ref: refTo(known) };
};
