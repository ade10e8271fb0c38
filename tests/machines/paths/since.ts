import { tableOf } from './csv.ts';
import type { PathsOfMachine, TestPaths, WrittenPath } from './document.ts';
import { titleOf } from './facts.ts';
import { escaped } from './markdown.ts';
import type { Words } from './words.ts';

/** One path that is another than before. */
export interface Change {
  readonly kind: 'came' | 'went' | 'changed';
  readonly machine: string;
  readonly number: string;
  readonly title: string;
  /** The number that it had. */
  readonly was: string | null;
  readonly why: readonly ('otherSteps' | 'otherExpectation')[];
  /** A path of now that reaches what this one was made for, or one of before that did. */
  readonly elsewhere: string | null;
}

/** Something to reach that is new, or is no longer there; by which path it is reached is another matter. */
export interface GoalChange {
  readonly kind: 'came' | 'went';
  readonly machine: string;
  readonly goal: string;
  readonly text: string;
}

export interface Changes {
  readonly since: string;
  readonly goals: readonly GoalChange[];
  readonly same: number;
  readonly changes: readonly Change[];
}

const coverPaths = (machine: PathsOfMachine | undefined): readonly WrittenPath[] =>
  machine?.paths.filter(({ kind }) => kind === 'cover') ?? [];

const goalOf = ({ goals }: WrittenPath): string => goals[0]?.id ?? '';
const reaching = (paths: readonly WrittenPath[], goal: string): string | null =>
  paths.find(({ goals }) => goals.some(({ id }) => id === goal))?.number ?? null;

/** What somebody expects along a path; words may change without a change of behaviour. */
const expectationOf = ({ begins, steps }: WrittenPath): string =>
  JSON.stringify([begins, ...steps.map(({ expected }) => expected)].map(({ value, facts }) => [value, facts]));

const changesOf = (
  id: string,
  before: readonly WrittenPath[],
  now: readonly WrittenPath[],
  words: Words,
): readonly Change[] => {
  const isNew = (path: WrittenPath) => !before.some((other) => goalOf(other) === goalOf(path));
  const of = (path: WrittenPath) => ({ machine: id, number: path.number, title: titleOf(path, words), why: [] });
  const came = now
    .filter(isNew)
    .map((path) => ({ ...of(path), kind: 'came' as const, was: null, elsewhere: reaching(before, goalOf(path)) }));
  const went = before
    .filter((path) => !now.some((other) => goalOf(other) === goalOf(path)))
    .map((path) => ({ ...of(path), kind: 'went' as const, was: null, elsewhere: reaching(now, goalOf(path)) }));
  const changed = now.flatMap((path) => {
    const other = before.find((one) => goalOf(one) === goalOf(path));
    if (!other) return [];
    const why = [
      ...(other.number === path.number ? [] : (['otherSteps'] as const)),
      ...(expectationOf(other) === expectationOf(path) ? [] : (['otherExpectation'] as const)),
    ];
    return why.length === 0 ? [] : [{ ...of(path), kind: 'changed' as const, was: other.number, why, elsewhere: null }];
  });
  return [...came, ...went, ...changed];
};

const goalsOnlyIn = (
  kind: GoalChange['kind'],
  machine: string,
  here: readonly WrittenPath[],
  there: readonly WrittenPath[],
): readonly GoalChange[] => {
  const others = new Set(there.flatMap(({ goals }) => goals.map(({ id }) => id)));
  return here
    .flatMap(({ goals }) => goals)
    .filter(({ id }) => !others.has(id))
    .map(({ id, text }) => ({ kind, machine, goal: id, text }));
};

/** Which goals came and went; and which paths came, went or changed: the same goal by other steps, or with another expectation. Walks at random are left out. */
export const changesSince = (since: string, before: TestPaths, now: TestPaths, words: Words): Changes => {
  const machines = now.machines.map((machine) => ({
    id: machine.id,
    before: coverPaths(before.machines.find(({ id }) => id === machine.id)),
    now: coverPaths(machine),
  }));
  const changes = machines.flatMap((one) => changesOf(one.id, one.before, one.now, words));
  const goals = machines.flatMap((one) => [
    ...goalsOnlyIn('came', one.id, one.now, one.before),
    ...goalsOnlyIn('went', one.id, one.before, one.now),
  ]);
  const count = machines.reduce((sum, one) => sum + one.now.length, 0);
  return { since, goals, same: count - changes.filter(({ kind }) => kind !== 'went').length, changes };
};

const noteOf = ({ kind, was, why, elsewhere, number }: Change, { text }: Words): string =>
  [
    ...(was !== null && was !== number ? [text('paths.was', { number: was })] : []),
    ...why.map((reason) => text(`paths.${reason}`)),
    ...(elsewhere !== null ? [text(kind === 'went' ? 'paths.nowIn' : 'paths.wasIn', { number: elsewhere })] : []),
  ].join('; ');

const kinds = ['came', 'went', 'changed'] as const;

const section = (title: string, lines: readonly string[]): readonly string[] => [
  `## ${title}: ${lines.length}`,
  '',
  ...(lines.length > 0 ? [...lines.map((line) => `- ${line}`), ''] : []),
];

export const changesAsMarkdown = ({ since, goals, same, changes }: Changes, words: Words): string => {
  const { text } = words;
  const goalLines = (kind: GoalChange['kind']) =>
    goals.filter((goal) => goal.kind === kind).map((goal) => escaped(`${goal.machine}: ${goal.text}`));
  const pathLines = (kind: Change['kind']) =>
    changes
      .filter((change) => change.kind === kind)
      .map((change) => {
        const note = noteOf(change, words);
        return escaped(note === '' ? change.title : `${change.title}: ${note}`);
      });
  return [
    `# ${escaped(text('paths.since', { revision: since }))}`,
    '',
    ...section(text('paths.goalsCame'), goalLines('came')),
    ...section(text('paths.goalsWent'), goalLines('went')),
    ...kinds.flatMap((kind) => section(text(`paths.${kind}`), pathLines(kind))),
    `${text('paths.same')}: ${same}`,
    '',
  ].join('\n');
};

/** A row for each goal, then one for each path. */
export const changesAsCsv = ({ goals, changes }: Changes, words: Words): string =>
  tableOf([
    ['machine', 'result', 'number', 'goal', 'reason'].map((name) => words.text(`paths.${name}`)),
    ...goals.map(({ machine, kind, text }) => [
      ...[machine, words.text(kind === 'came' ? 'paths.goalsCame' : 'paths.goalsWent'), '', text, ''],
    ]),
    ...changes.map((change) => [
      ...[change.machine, words.text(`paths.${change.kind}`), change.number, change.title, noteOf(change, words)],
    ]),
  ]);
