import type { PathsOfMachine, TestPaths, WrittenPath } from './document.ts';
import { changedFacts, type Fact, factsOf, titleOf } from './facts.ts';
import type { Words } from './words.ts';

/** Text that Markdown leaves alone, also in a table. */
export const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|#]/g, '\\$&').replaceAll(/\r\n|[\r\n]/g, ' ');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const lines = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }) => escaped(`${name}: ${value}`)).join('<br>');

const pathText = (path: WrittenPath, words: Words): readonly string[] => {
  const { text } = words;
  const stands = (states: WrittenPath['begins']['states']) => states.map((state) => escaped(state.text)).join('<br>');
  const [, ...others] = path.goals;
  return [
    `### ${escaped(titleOf(path, words))}`,
    '',
    `${text('paths.start')}: ${escaped(path.start)}`,
    '',
    row(['step', 'happens', 'data', 'expected', 'changedContext', 'result'].map((name) => text(`paths.${name}`))),
    row(['---:', '---', '---', '---', '---', '---']),
    row([
      '0',
      escaped(text('paths.begins')),
      '',
      stands(path.begins.states),
      lines(factsOf(path.begins.facts, words)),
      '☐',
    ]),
    ...path.steps.map(({ event, expected }, index) =>
      row([
        String(index + 1),
        escaped(event.text),
        lines(factsOf(event.data, words)),
        stands(expected.states),
        lines(changedFacts(path, index, words)),
        '☐',
      ]),
    ),
    '',
    ...(others.length > 0
      ? [`${text('paths.also')}:`, '', ...others.map((goal) => `- ${escaped(goal.text)}`), '']
      : []),
  ];
};

const machineText = (machine: PathsOfMachine, words: Words): readonly string[] => [
  `## ${escaped(machine.name)}`,
  '',
  escaped(machine.about),
  '',
  ...(machine.unreached.length > 0
    ? [
        `${words.text('paths.unreached')}:`,
        '',
        ...machine.unreached.map((goal) => `- ${escaped(words.goalText(goal))}`),
        '',
      ]
    : []),
  ...machine.paths.flatMap((path) => pathText(path, words)),
];

/** For reading, printing and ticking off. */
export const markdownOf = ({ machines, cover, walks, seed }: TestPaths, words: Words): string =>
  [
    `# ${words.text('paths.title')}`,
    '',
    [words.text(`paths.cover.${cover}`), ...(walks > 0 ? [words.text('paths.walks', { seed })] : [])].join('. '),
    '',
    words.text('paths.time'),
    '',
    ...machines.flatMap((machine) => machineText(machine, words)),
  ].join('\n');
