import { z } from 'zod';
import { ScimError } from './scim-error.ts';
import { type PatchDefinition, type PatchOperation, patched } from './scim-patch.ts';

const operationsAtMost = 1_000;

const key = (name: string, body: Readonly<Record<string, unknown>>): unknown =>
  body[Object.keys(body).find((one) => one.toLowerCase() === name.toLowerCase()) ?? ''];

const operation = z.object({ op: z.string(), path: z.string().max(2_000).nullish(), value: z.unknown().optional() });

/** Returns the operations of a PATCH. @throws ScimError 'invalidSyntax' */
export const operationsIn = (body: unknown): readonly PatchOperation[] => {
  const given = z.record(z.string(), z.unknown()).safeParse(body);
  const parsed = z
    .array(operation)
    .min(1)
    .max(operationsAtMost)
    .safeParse(given.data && key('operations', given.data));
  if (!parsed.success) throw new ScimError(400, 'The request needs Operations with op and value', 'invalidSyntax');
  return parsed.data.map(({ op, path, value }) => ({ op, value, path: path ?? undefined }));
};

/** Returns the known attributes of a POST or PUT, by names in any case, over those that it need not have. @throws ScimError 'invalidSyntax' */
export const resourceIn = (body: unknown, definition: PatchDefinition): Record<string, unknown> => {
  const given = z.record(z.string(), z.unknown()).safeParse(body);
  if (!given.success) throw new ScimError(400, 'The request needs a resource', 'invalidSyntax');
  const known = Object.entries(given.data).filter(([name]) =>
    Object.keys(definition.attributes).some((one) => one.toLowerCase() === name.toLowerCase()),
  );
  if (known.length === 0) return {};
  return patched({}, [{ op: 'add', value: Object.fromEntries(known) }], definition);
};
