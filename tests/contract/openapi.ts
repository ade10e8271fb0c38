import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { problem } from '../../contract/problem.ts';
import { type Access, bytes, type Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { tokenReply } from '../../contract/sign-in.ts';
import { tokenPaths } from './openapi-token-paths.ts';

type Json = { readonly [key: string]: unknown };
type Direction = 'input' | 'output';

const isBytes = (schema: z.ZodType) => schema === bytes;
const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const refTo = (id: string) => `#/components/schemas/${id}`;
const folder = path.join(import.meta.dirname, '..', '..', 'contract');

/** Modules of the contract: `patients` -> its exports. */
const modules = new Map<string, Readonly<Record<string, unknown>>>();
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

const options = (io: Direction) => ({
  io,
  unrepresentable: 'any' as const,
  target: 'draft-2020-12' as const,
  metadata: registry,
  // Replies may gain fields.
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
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
const schemaOf = (schema: z.ZodType, io: Direction): Json => {
  if (isBytes(schema)) return { type: 'string', format: 'binary' };
  const id = registry.get(schema)?.id;
  const { $schema: _schema, $defs: _defs, ...inline } = id ? { $ref: refTo(id) } : z.toJSONSchema(schema, options(io));
  const found = directed(inline, io);
  use(found, io);
  return found;
};

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Json;
}

const parametersOf = (schema: z.ZodType | undefined, location: 'path' | 'query'): readonly Parameter[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, part]) => ({
        name,
        in: location,
        required: location === 'path' || !part.safeParse(undefined).success,
        schema: schemaOf(part, 'input'),
      }))
    : [];

const accessText = (access: Access) => {
  if (access === 'anyone') return 'No sign-in needed.';
  const parts = ['Signed in'];
  if (access.anyOf) parts.push(`with ${access.anyOf.join(' or ')}`);
  if (access.unless) parts.push(`and without ${access.unless}`);
  return `${parts.join(' ')}.`;
};

const file = { type: 'string', format: 'binary' };

const bodyOf = ({ body, multipart, bytes: isOctets }: Route) => {
  if (isOctets) return { required: true, content: { 'application/octet-stream': { schema: file } } };
  if (!body) return null;
  if (!multipart) return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } };
  const { properties = {}, required = [] } = schemaOf(body, 'input') as { properties?: Json; required?: string[] };
  const part = multipart === 'files' ? { type: 'array', items: file, minItems: 1 } : file;
  const schema = {
    type: 'object',
    properties: { ...properties, [multipart]: part },
    required: [...required, multipart],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
};

const tagOf = (route: Route): string =>
  [...modules].find(([, exported]) => Object.values(exported).includes(route))?.[0] ?? 'other';

const ownParametersOf = (route: Route): readonly Parameter[] => [
  ...parametersOf(route.params, 'path'),
  ...parametersOf(route.query, 'query'),
];

/** Parameters that several operations have in the same form: component name -> parameter. */
const sharedParameters = new Map<string, Parameter>();
{
  const count = new Map<string, number>();
  for (const one of (Object.values(routes) as Route[]).flatMap(ownParametersOf))
    count.set(JSON.stringify(one), (count.get(JSON.stringify(one)) ?? 0) + 1);
  for (const [text, times] of count) {
    const parameter: Parameter = JSON.parse(text);
    if (times < 2) continue;
    let name = parameter.name;
    for (let next = 2; sharedParameters.has(name); next++) name = `${parameter.name}${next}`;
    sharedParameters.set(name, parameter);
  }
}

const parameterNames = new Map([...sharedParameters].map(([name, parameter]) => [JSON.stringify(parameter), name]));
const referred = (parameter: Parameter): Json => {
  const name = parameterNames.get(JSON.stringify(parameter));
  return name === undefined ? { ...parameter } : { $ref: `#/components/parameters/${name}` };
};

const sentence = (name: string) => {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return pascal(words);
};

const replies = new Map<string, { readonly name: string; times: number }>();
for (const [name, { reply }] of Object.entries(routes) as [string, Route][]) {
  const text = JSON.stringify(schemaOf(reply, 'output'));
  const known = replies.get(text) ?? { name: `${pascal(name)}Reply`, times: 0 };
  replies.set(text, { ...known, times: known.times + 1 });
}

/** The reply of a route; an object that several routes reply becomes a component named after the first of them. */
const replyOf = ({ reply }: Route): Json => {
  const schema = schemaOf(reply, 'output');
  const same = replies.get(JSON.stringify(schema));
  if (!same || same.times < 2 || schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0)
    return schema;
  used.set(same.name, schema);
  return { $ref: refTo(same.name) };
};

const operationOf = (name: string, route: Route) => {
  const requestBody = bodyOf(route);
  const contentType = isBytes(route.reply) ? 'application/octet-stream' : 'application/json';
  return {
    operationId: name,
    summary: sentence(name),
    description: accessText(route.access),
    tags: [tagOf(route)],
    ...(route.access === 'anyone' ? { security: [] } : {}),
    parameters: ownParametersOf(route).map(referred),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      200: { description: 'Done', content: { [contentType]: { schema: replyOf(route) } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
};

/** Returns the contract as an OpenAPI 3.1 document. */
export const openapi = () => {
  const problemSchema = schemaOf(problem, 'output');
  schemaOf(tokenReply, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const place = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[place] = { ...paths[place], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  const schemas = Object.fromEntries([...used].sort(([one], [other]) => one.localeCompare(other)));
  const tags = [...new Set((Object.values(routes) as Route[]).map(tagOf)), 'tokens'].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dentarium',
      version: '1',
      description: 'Calls between browser and archive. Generated from contract/.',
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/', description: 'The archive that serves this document' }],
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name, description: `Calls of contract/${name}.ts` })),
    paths: { ...paths, ...tokenPaths },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of /connect/token' },
      },
      responses: {
        Problem: { description: 'Problem', content: { 'application/json': { schema: problemSchema } } },
      },
      parameters: Object.fromEntries(sharedParameters),
      schemas,
    },
  };
};

/** Returns the document as text, lists of words on one line each. */
export const openapiText = (): string =>
  `${JSON.stringify(openapi(), null, 2).replaceAll(/\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/g, (_, list: string) => `[${list.replaceAll(/,\n\s+/g, ', ')}]`)}\n`;
