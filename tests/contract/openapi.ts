import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { problem } from '../../contract/problem.ts';
import type { Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';
import { tokenReply } from '../../contract/sign-in.ts';
import { component, isBytes, type Json, modules, pascal, schemaOf, usedSchemas } from './openapi-schemas.ts';
import { tokenPaths, tokenResponses } from './openapi-token-paths.ts';

const operations = Object.entries(routes) as [string, Route][];

type Named = readonly [name: string, part: Json];

/** Parts that several operations have in the same form become components, named as the first of them. */
const shared = (kind: 'parameters' | 'requestBodies' | 'responses', parts: readonly Named[]) => {
  const components: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, [first, second]] of Map.groupBy(parts, ([, part]) => JSON.stringify(part))) {
    if (!first || !second) continue;
    let [name] = first;
    for (let next = 2; name in components; next++) name = `${first[0]}${next}`;
    components[name] = first[1];
    references.set(text, { $ref: `#/components/${kind}/${name}` });
  }
  return { components, referred: (part: Json): Json => references.get(JSON.stringify(part)) ?? part };
};

const parametersIn = (location: 'path' | 'query', schema: z.ZodType | undefined): readonly Named[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, part]) => {
        const isRequired = location === 'path' || !part.safeParse(undefined).success;
        return [
          name,
          { name, in: location, ...(isRequired ? { required: true } : {}), schema: schemaOf(part, 'input') },
        ];
      })
    : [];

const parametersOf = ({ params, query }: Route): readonly Named[] => [
  ...parametersIn('path', params),
  ...parametersIn('query', query),
];

const file = { type: 'string', format: 'binary' };

const multipartOf = (body: z.ZodType, multipart: 'file' | 'files'): Json => {
  const { properties = {}, required = [] } = schemaOf(body, 'input') as { properties?: Json; required?: string[] };
  const part = multipart === 'files' ? { type: 'array', items: file, minItems: 1 } : file;
  return { type: 'object', properties: { ...properties, [multipart]: part }, required: [...required, multipart] };
};

const content = (type: string, schema: Json): Json => ({ [type]: { schema } });

/** Clients take defaults of components as given, so bodies with defaults are none. */
const bodySchema = (name: string, body: z.ZodType): Json => {
  const schema = schemaOf(body, 'input');
  return JSON.stringify(schema).includes('"default":') ? schema : component(`${pascal(name)}Body`, schema);
};

const contentOf = (name: string, { body, multipart, bytes, dicom }: Route): Json | null => {
  if (dicom) return { ...content('application/dicom', file), ...content('multipart/related', file) };
  if (bytes) return content('application/octet-stream', file);
  if (!body) return null;
  return multipart
    ? content('multipart/form-data', multipartOf(body, multipart))
    : content('application/json', bodySchema(name, body));
};

/** The last part of a reference: `#/components/schemas/Patient` -> `Patient`. */
const nameOf = ({ $ref }: Json): string | undefined => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined);

const bodiesOf = ([name, route]: [string, Route]): readonly Named[] => {
  const found = contentOf(name, route);
  const schemaName = route.body && nameOf(schemaOf(route.body, 'input'));
  return found ? [[schemaName ?? `${pascal(name)}Body`, { required: true, content: found }]] : [];
};

const responseOf = ([name, { reply }]: [string, Route]): Named => {
  const schema = schemaOf(reply, 'output');
  if (isBytes(reply)) return ['Bytes', { description: 'Done', content: content('application/octet-stream', schema) }];
  const named = component(`${pascal(name)}Reply`, schema);
  return [
    nameOf(named) ?? `${pascal(name)}Reply`,
    { description: 'Done', content: content('application/json', named) },
  ];
};

const parameters = shared(
  'parameters',
  operations.flatMap(([, route]) => parametersOf(route)),
);
const requestBodies = shared('requestBodies', operations.flatMap(bodiesOf));
const responses = shared('responses', operations.map(responseOf));

const accessText = ({ access, service }: Pick<Route, 'access' | 'service'>) => {
  if (access === 'anyone') return 'No sign-in needed.';
  const parts = ['Signed in'];
  if (access.anyOf) parts.push(`with ${access.anyOf.join(' or ')}`);
  if (access.unless) parts.push(`and without ${access.unless}`);
  return `${parts.join(' ')}.${service ? ` Service accounts with ${service}.` : ''}`;
};

const tagOf = (route: Route): string =>
  [...modules].find(([, exported]) => Object.values(exported).includes(route))?.[0] ?? 'other';

const sentence = (name: string) => pascal(name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());

const operationOf = ([name, route]: [string, Route]) => {
  const own = parametersOf(route).map(([, part]) => parameters.referred(part));
  const [body] = bodiesOf([name, route]);
  return {
    operationId: name,
    summary: `${sentence(name)}. ${accessText(route)}`,
    tags: [tagOf(route)],
    ...(route.access === 'anyone' ? { security: [] } : {}),
    ...(own.length > 0 ? { parameters: own } : {}),
    ...(body ? { requestBody: requestBodies.referred(body[1]) } : {}),
    responses: {
      200: responses.referred(responseOf([name, route])[1]),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
};

/** Returns the contract as an OpenAPI 3.1 document. */
export const openapi = () => {
  const problemReply = { description: 'Problem', content: content('application/json', schemaOf(problem, 'output')) };
  schemaOf(tokenReply, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of operations) {
    const place = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[place] = { ...paths[place], [route.method.toLowerCase()]: operationOf([name, route]) };
  }
  const tags = [...new Set(operations.map(([, route]) => tagOf(route))), 'tokens'].sort();
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
      parameters: parameters.components,
      requestBodies: requestBodies.components,
      responses: { Problem: problemReply, ...tokenResponses, ...responses.components },
      schemas: usedSchemas(),
    },
  };
};

const root = path.join(import.meta.dirname, '..', '..');
const biome = path.join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** Returns the document as text, formatted as the other files of the repository. */
export const openapiText = (): string =>
  execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=contract/openapi.json'], {
    cwd: root,
    input: JSON.stringify(openapi()),
    encoding: 'utf8',
  });
