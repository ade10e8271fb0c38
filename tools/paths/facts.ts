import type { PathDocument } from './document.ts';
import { valueText } from './texts.ts';

/** A name and a value of a context or of event data. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the properties of an object as texts. */
export const factsOf = (value: unknown): readonly Fact[] =>
  isRecord(value) ? Object.entries(value).map(([name, one]) => ({ name, value: valueText(one) })) : [];

/** Returns the facts that a step changes. `index` counts the steps from 0. */
export const changedFacts = ({ initial, steps }: PathDocument, index: number): readonly Fact[] => {
  const before = factsOf(steps[index - 1]?.expected.facts ?? initial.facts);
  const after = factsOf(steps[index]?.expected.facts);
  const removed = before.filter(({ name }) => after.every((fact) => fact.name !== name));
  return [
    ...after.filter(({ name, value }) => before.find((fact) => fact.name === name)?.value !== value),
    ...removed.map(({ name }) => ({ name, value: valueText(null) })),
  ];
};

export const listed = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }) => `${name}: ${value}`).join('; ');

/** Returns the title of a path in a list. */
export const titleOf = ({ number, goals }: PathDocument): string => `${number} ${goals[0]?.text ?? 'Random walk'}`;

/** Returns the text of the column "By hand or tool". */
export const toolText = (tool: string | null): string => (tool === null ? 'by hand' : `needs ${tool}`);
