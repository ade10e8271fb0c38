import type { MachinePaths, PathDocument } from './document.ts';
import { changedFacts, type Fact, factsOf, titleOf, toolText } from './facts.ts';

const cell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r\n|[\r\n]/g, '\\n');

const table = (facts: readonly Fact[]): readonly string[] =>
  facts.map(({ name, value }) => `      | ${cell(name)} | ${cell(value)} |`);

const stateLines = (keyword: string, states: PathDocument['initial']['states']): readonly string[] =>
  states.map(({ text }, index) => `    ${index === 0 ? keyword : 'And'} ${text}`);

const scenarioText = (path: PathDocument): readonly string[] => [
  `  @${path.number}`,
  `  Scenario: ${titleOf(path)}`,
  `    Given ${path.start}`,
  ...stateLines('And', path.initial.states),
  ...table(factsOf(path.initial.facts)),
  ...path.steps.flatMap(({ event, expected }, index) => [
    `    # How to make it happen: ${event.how}`,
    `    # By hand or tool: ${toolText(event.tool)}`,
    `    When ${event.text}`,
    ...table(factsOf(event.data)),
    ...stateLines('Then', expected.states),
    ...table(changedFacts(path, index)),
  ]),
  '',
];

/** Returns one feature: a Gherkin file can hold no more. */
export const gherkinOf = ({ id, name, about, paths }: MachinePaths): string =>
  [`@${id}`, `Feature: ${name}`, `  ${about}`, '', ...paths.flatMap(scenarioText)].join('\n');
