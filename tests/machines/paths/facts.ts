import type { WrittenPath } from './document.ts';
import type { Words } from './words.ts';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Named values as a person reads them. */
export const factsOf = (value: unknown, { valueText }: Words): readonly Fact[] =>
  isRecord(value) ? Object.entries(value).map(([name, one]) => ({ name, value: valueText(one) })) : [];

/** What a step changes of the facts: the rest is as it was. `index` counts the steps from 0. */
export const changedFacts = ({ begins, steps }: WrittenPath, index: number, words: Words): readonly Fact[] => {
  const before = factsOf(steps[index - 1]?.expected.facts ?? begins.facts, words);
  const after = factsOf(steps[index]?.expected.facts, words);
  const gone = before.filter(({ name }) => after.every((fact) => fact.name !== name));
  return [
    ...after.filter(({ name, value }) => before.find((fact) => fact.name === name)?.value !== value),
    ...gone.map(({ name }) => ({ name, value: words.valueText(null) })),
  ];
};

export const listed = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }) => `${name}: ${value}`).join('; ');

/** What a path is called in a list. */
export const titleOf = ({ number, goals }: WrittenPath, { text }: Words): string =>
  `${number} ${goals[0]?.text ?? text('paths.walk')}`;
