import type { MachinePaths, PathDocument, TestPaths } from './document.ts';
import { changedFacts, type Fact, factsOf, titleOf, toolText } from './facts.ts';
import type { Cover } from './goals.ts';
import { goalText } from './texts.ts';

/** Escapes text for Markdown, also inside a table. */
export const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|#]/g, '\\$&').replaceAll(/\r\n|[\r\n]/g, ' ');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const lines = (facts: readonly Fact[]): string =>
  facts.map(({ name, value }) => escaped(`${name}: ${value}`)).join('<br>');

const columns = [
  'Step',
  'What happens',
  'How to make it happen',
  'By hand or tool',
  'Data to use',
  'Expected state',
  'Changed values',
  'Result',
];

const statesText = (states: PathDocument['initial']['states']) => states.map(({ text }) => escaped(text)).join('<br>');

const pathText = (path: PathDocument): readonly string[] => {
  const [, ...others] = path.goals;
  return [
    `### ${escaped(titleOf(path))}`,
    '',
    `Start: ${escaped(path.start)}`,
    '',
    row(columns),
    row(['---:', ...columns.slice(1).map(() => '---')]),
    row(['0', 'Start', '', '', '', statesText(path.initial.states), lines(factsOf(path.initial.facts)), '☐']),
    ...path.steps.map(({ event, expected }, index) =>
      row([
        String(index + 1),
        escaped(event.text),
        escaped(event.how),
        escaped(toolText(event.tool)),
        lines(factsOf(event.data)),
        statesText(expected.states),
        lines(changedFacts(path, index)),
        '☐',
      ]),
    ),
    '',
    ...(others.length > 0 ? ['Also tests:', '', ...others.map(({ text }) => `- ${escaped(text)}`), ''] : []),
  ];
};

const machineText = ({ name, about, unreached, paths }: MachinePaths): readonly string[] => [
  `## ${escaped(name)}`,
  '',
  escaped(about),
  '',
  ...(unreached.length > 0
    ? ['Never reached:', '', ...unreached.map((goal) => `- ${escaped(goalText(goal))}`), '']
    : []),
  ...paths.flatMap(pathText),
];

const coverTexts: Readonly<Record<Cover, string>> = {
  states: 'Every state is reached',
  transitions: 'Every transition is taken',
  pairs: 'Every two consecutive transitions are taken',
};

/** Returns test paths for reading, printing and ticking off. */
export const markdownOf = ({ machines, cover, walks, seed }: TestPaths): string =>
  [
    '# Test paths',
    '',
    [coverTexts[cover], ...(walks > 0 ? [`Random walks, seed ${seed}`] : [])].join('. '),
    '',
    'On the way to a goal, one delay elapses at a time. Other paths cover the other delays.',
    '',
    'Labels are quoted in English: choose English as the language of the program.',
    '',
    'Accounts, names and ids in the data are examples: use those of the demo clinic.',
    '',
    'Read the next step before you make one: it may need a preparation.',
    '',
    ...machines.flatMap(machineText),
  ].join('\n');
