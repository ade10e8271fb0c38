import { z } from 'zod';
import { covers } from './goals.ts';

const expected = z.strictObject({
  value: z.unknown().describe('Value of the state, as XState writes it'),
  states: z
    .array(z.strictObject({ id: z.string(), text: z.string().describe('From the outermost state to this one') }))
    .describe('Active states; several when the machine has parallel regions'),
  facts: z.unknown().describe('The part of the context that matters'),
});

const step = z.strictObject({
  event: z.strictObject({
    type: z.string(),
    text: z.string(),
    data: z.record(z.string(), z.unknown()).describe('Data to use; empty when none is needed'),
    how: z.string().describe('How a tester makes the event happen'),
    tool: z.string().nullable().describe('Tool that is needed; null when the step is made by hand'),
  }),
  expected,
});

const path = z.strictObject({
  number: z.string().describe('Computed from the steps; stays the same as long as they do'),
  kind: z.enum(['cover', 'walk']),
  model: z.string().describe('Model of the machine: the situation at the start'),
  start: z.string(),
  goals: z
    .array(z.strictObject({ id: z.string(), text: z.string() }))
    .describe('Goals; the last step reaches the first of them. None for a random walk'),
  initial: expected,
  steps: z.array(step),
});

const machine = z.strictObject({
  id: z.string(),
  name: z.string(),
  about: z.string(),
  goals: z.number().int().describe('Number of goals'),
  unreached: z.array(z.string()).describe('Goals that no path reaches'),
  paths: z.array(path),
});

/** Test paths as they are written to files. */
export const testPaths = z.strictObject({
  format: z.literal('dentarium-test-paths'),
  version: z.literal(2),
  cover: z.enum(covers),
  walks: z.number().int(),
  seed: z.number().int(),
  machines: z.array(machine),
});

export type TestPaths = z.infer<typeof testPaths>;
export type MachinePaths = z.infer<typeof machine>;
export type PathDocument = z.infer<typeof path>;
export type Expected = z.infer<typeof expected>;

/** Returns the same as a JSON Schema, for the tools of testers. */
export const testPathsSchema = (): object => z.toJSONSchema(testPaths, { target: 'draft-2020-12' });
