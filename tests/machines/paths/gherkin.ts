import type { Language } from '../../../src/views/language/languages.ts';
import type { PathsOfMachine, WrittenPath } from './document.ts';
import { changedFacts, type Fact, factsOf, titleOf } from './facts.ts';
import type { Words } from './words.ts';

/** The words of Gherkin itself, as its own list of languages has them. */
export const keywords: Readonly<
  Record<Language, Readonly<Record<'feature' | 'scenario' | 'start' | 'event' | 'outcome' | 'and', string>>>
> = {
  sv: { feature: 'Egenskap', scenario: 'Scenario', start: 'Givet', event: 'När', outcome: 'Så', and: 'Och' },
  en: { feature: 'Feature', scenario: 'Scenario', start: 'Given', event: 'When', outcome: 'Then', and: 'And' },
  da: { feature: 'Egenskab', scenario: 'Scenarie', start: 'Givet', event: 'Når', outcome: 'Så', and: 'Og' },
  no: { feature: 'Egenskap', scenario: 'Scenario', start: 'Gitt', event: 'Når', outcome: 'Så', and: 'Og' },
};

const cell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|[\r\n]/g, '\\n');

const table = (facts: readonly Fact[]): readonly string[] =>
  facts.map(({ name, value }) => `      | ${cell(name)} | ${cell(value)} |`);

const scenarioText = (path: WrittenPath, words: Words): readonly string[] => {
  const { scenario, start, event: happens, outcome, and } = keywords[words.language];
  const stands = (keyword: string, states: WrittenPath['begins']['states'], facts: readonly Fact[]) => [
    ...states.map(({ text }, index) => `    ${index === 0 ? keyword : and} ${text}`),
    ...table(facts),
  ];
  return [
    `  @${path.number}`,
    `  ${scenario}: ${titleOf(path, words)}`,
    `    ${start} ${path.start}`,
    ...stands(and, path.begins.states, factsOf(path.begins.facts, words)),
    ...path.steps.flatMap(({ event, expected }, index) => [
      `    ${happens} ${event.text}`,
      ...table(factsOf(event.data, words)),
      ...stands(outcome, expected.states, changedFacts(path, index, words)),
    ]),
    '',
  ];
};

/** One feature: a file of Gherkin holds no more. */
export const gherkinOf = (machine: PathsOfMachine, words: Words): string =>
  [
    `# language: ${words.language}`,
    `@${machine.id}`,
    `${keywords[words.language].feature}: ${machine.name}`,
    `  ${machine.about}`,
    '',
    ...machine.paths.flatMap((path) => scenarioText(path, words)),
  ].join('\n');
