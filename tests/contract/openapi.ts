import { z } from 'zod';
import { problem } from '../../contract/problem.ts';
import type { Access, Route } from '../../contract/route.ts';
import { routes } from '../../contract/routes.ts';

const isBytes = (schema: z.ZodType) => schema instanceof z.ZodCustom;

/** zod -> JSON Schema; bytes become a binary string. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  if (isBytes(schema)) return { type: 'string', format: 'binary' };
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'openapi-3.0',
  }) as Record<string, unknown>;
  return rest;
};

const propertiesOf = (schema: z.ZodType | undefined, place: 'path' | 'query') => {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || !part.safeParse(undefined).success,
    schema: schemaOf(part, 'input'),
  }));
};

const accessText = (access: Access) => {
  if (access === 'anyone') return 'Anyone.';
  const parts = ['Signed in'];
  if (access.anyOf) parts.push(`with ${access.anyOf.join(' or ')}`);
  if (access.unless) parts.push(`and without ${access.unless}`);
  return `${parts.join(' ')}.`;
};

const operationOf = (name: string, route: Route) => ({
  operationId: name,
  description: accessText(route.access),
  ...(route.access === 'anyone' ? { security: [] } : {}),
  parameters: [...propertiesOf(route.params, 'path'), ...propertiesOf(route.query, 'query')],
  ...(route.body
    ? {
        requestBody: {
          required: true,
          content: {
            [route.multipart ? 'multipart/form-data' : 'application/json']: { schema: schemaOf(route.body, 'input') },
          },
        },
      }
    : {}),
  responses: {
    200: {
      description: 'Done',
      content: {
        [isBytes(route.reply) ? 'application/octet-stream' : 'application/json']: {
          schema: schemaOf(route.reply, 'output'),
        },
      },
    },
    default: { description: 'Refused', content: { 'application/json': { schema: schemaOf(problem, 'output') } } },
  },
});

/** The contract as an OpenAPI 3.0 document. */
export const openapi = () => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Dentarium',
      version: '1',
      description: 'What browser and archive say to each other. Generated from contract/.',
    },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{ bearer: [] }],
    paths,
  };
};
