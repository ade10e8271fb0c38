import { z } from 'zod';
import { languages } from '../../../src/views/language/languages.ts';
import { covers } from './goals.ts';

const expected = z.strictObject({
  value: z.unknown().describe('The value of the state, as XState writes it'),
  states: z
    .array(z.strictObject({ id: z.string(), text: z.string().describe('From the outermost state to this one') }))
    .describe('Where the machine stands; several where parts of it go on side by side'),
  facts: z.unknown().describe('What of the context matters'),
});

const step = z.strictObject({
  event: z.strictObject({
    type: z.string(),
    text: z.string(),
    data: z.record(z.string(), z.unknown()).describe('The data to use; empty where none is needed'),
  }),
  expected,
});

const path = z.strictObject({
  number: z.string().describe('Made from the steps: stays the same as long as they do'),
  kind: z.enum(['cover', 'walk']),
  model: z.string().describe('Which beginning of the machine it walks from'),
  start: z.string(),
  goals: z
    .array(z.strictObject({ id: z.string(), text: z.string() }))
    .describe('What it was made for, the one that its last step reaches first; none for a walk at random'),
  begins: expected,
  steps: z.array(step),
});

const machine = z.strictObject({
  id: z.string(),
  name: z.string(),
  about: z.string(),
  goals: z.number().int().describe('How many there are to reach'),
  unreached: z.array(z.string()).describe('Those that no path reaches'),
  paths: z.array(path),
});

/** Test paths as they are written to files. */
export const testPaths = z.strictObject({
  format: z.literal('dentarium-test-paths'),
  version: z.literal(1),
  language: z.enum(languages),
  cover: z.enum(covers),
  walks: z.number().int(),
  seed: z.number().int(),
  machines: z.array(machine),
});

export type TestPaths = z.infer<typeof testPaths>;
export type PathsOfMachine = z.infer<typeof machine>;
export type WrittenPath = z.infer<typeof path>;
export type Expected = z.infer<typeof expected>;

/** The same as a JSON Schema, for the tools of testers. */
export const testPathsSchema = (): object => z.toJSONSchema(testPaths, { target: 'draft-2020-12' });
