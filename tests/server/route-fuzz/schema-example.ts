import { z } from 'zod';
import type { Random } from '../../dicom/mutate.ts';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

const known = new WeakMap<z.ZodType, JsonSchema>();
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const found = known.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  known.set(schema, found);
  return found;
};

/** Returns the names of all fields, nested ones too. */
export const fieldsOf = (schema: JsonSchema): readonly string[] => [
  ...new Set(
    [...JSON.stringify(schema).matchAll(/"([A-Za-z]\w*)":\{"/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => !['properties', 'items', 'default'].includes(name)),
  ),
];

const formats: Readonly<Record<string, string>> = {
  uuid: '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f',
  email: 'prov@prov.example',
  'date-time': '2026-05-04T10:00:00Z',
  uri: 'http://localhost/',
};

const textOf = ({ format = '', minLength = 0, maxLength = 40 }: JsonSchema, random: Random): string => {
  const known = formats[format];
  if (known) return known;
  const length = random(4) === 0 ? [minLength, maxLength][random(2)] : minLength + random(5);
  return 'Åsa-1 '.repeat(200).slice(0, Math.min(length ?? 0, 1_000));
};

const numberOf = ({ type, minimum = 0, maximum = 1_000 }: JsonSchema, random: Random): number => {
  const [least, most] = [Math.max(minimum, -1e9), Math.min(maximum, 1e9)];
  const kind = random(4);
  if (kind < 2) return kind === 0 ? least : most;
  return type === 'integer' ? least + random(10) : least + random(100) / 7;
};

/** Returns a value that a JSON schema allows; patterns and refinements may still reject it. */
export const exampleOf = (schema: JsonSchema, random: Random, root: JsonSchema = schema, depth = 0): unknown => {
  const next = (part: JsonSchema) => exampleOf(part, random, root, depth + 1);
  if (depth > 8) return null;
  if (schema.$ref) return next(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[random(schema.enum.length)];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return next(choices[random(choices.length)] ?? {});
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(next));
  const type = typeof schema.type === 'object' ? schema.type[random(schema.type.length)] : schema.type;
  if (type === 'string') return textOf(schema, random);
  if (type === 'number' || type === 'integer') return numberOf({ ...schema, type }, random);
  if (type === 'boolean') return random(2) === 0;
  if (type === 'array') {
    const length = Math.min(schema.maxItems ?? 50, (schema.minItems ?? 0) + random(3));
    return Array.from({ length }, () => next(schema.items ?? {}));
  }
  if (type !== 'object') return schema.default ?? null;
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random(2) === 0,
  );
  return Object.fromEntries(shown.map(([name, part]) => [name, next(part)]));
};
