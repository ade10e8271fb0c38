import { z } from 'zod';
import { csvTable } from './csv.ts';
import { escaped } from './markdown.ts';

const expected = z.object({ value: z.unknown(), facts: z.unknown() });
const goal = z.object({ id: z.string(), text: z.string() });
const path = z.object({
  number: z.string(),
  kind: z.enum(['cover', 'walk']),
  goals: z.array(goal),
  // Until version 2 the initial state was called `begins`.
  initial: expected.optional(),
  begins: expected.optional(),
  steps: z.array(z.object({ expected })),
});

/** What a comparison needs of test paths; valid for every version of the format. */
export const comparablePaths = z.object({ machines: z.array(z.object({ id: z.string(), paths: z.array(path) })) });

export type ComparablePaths = z.infer<typeof comparablePaths>;
type ComparablePath = z.infer<typeof path>;

/** A path that differs from an earlier revision. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly machine: string;
  readonly number: string;
  readonly title: string;
  /** Number in the earlier revision. */
  readonly was: string | null;
  readonly why: readonly ('different steps' | 'different expectation')[];
  /** Current path to the goal of a removed path, or earlier path to the goal of an added one. */
  readonly elsewhere: string | null;
}

/** A goal that was added or removed, whichever path reaches it. */
export interface GoalChange {
  readonly kind: 'added' | 'removed';
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

const coverPathsOf = ({ machines }: ComparablePaths, machine: string): readonly ComparablePath[] =>
  machines.find(({ id }) => id === machine)?.paths.filter(({ kind }) => kind === 'cover') ?? [];

const goalOf = ({ goals }: ComparablePath): string => goals[0]?.id ?? '';
const reaching = (paths: readonly ComparablePath[], goal: string): string | null =>
  paths.find(({ goals }) => goals.some(({ id }) => id === goal))?.number ?? null;

/** Returns what is expected along a path, without texts: they may change without a change of behaviour. */
const expectationOf = ({ initial, begins, steps }: ComparablePath): string =>
  JSON.stringify([initial ?? begins, ...steps.map((one) => one.expected)].map((one) => [one?.value, one?.facts]));

const changesOf = (
  machine: string,
  before: readonly ComparablePath[],
  now: readonly ComparablePath[],
): readonly Change[] => {
  const changeOf = (one: ComparablePath, change: Pick<Change, 'kind'> & Partial<Change>): Change => ({
    machine,
    number: one.number,
    title: `${one.number} ${one.goals[0]?.text ?? ''}`,
    was: null,
    why: [],
    elsewhere: null,
    ...change,
  });
  const isIn = (paths: readonly ComparablePath[], one: ComparablePath) =>
    paths.some((other) => goalOf(other) === goalOf(one));
  const added = now.filter((one) => !isIn(before, one));
  const removed = before.filter((one) => !isIn(now, one));
  const changed = now.flatMap((one) => {
    const other = before.find((earlier) => goalOf(earlier) === goalOf(one));
    if (!other) return [];
    const why = [
      ...(other.number === one.number ? [] : (['different steps'] as const)),
      ...(expectationOf(other) === expectationOf(one) ? [] : (['different expectation'] as const)),
    ];
    return why.length === 0 ? [] : [changeOf(one, { kind: 'changed', was: other.number, why })];
  });
  return [
    ...added.map((one) => changeOf(one, { kind: 'added', elsewhere: reaching(before, goalOf(one)) })),
    ...removed.map((one) => changeOf(one, { kind: 'removed', elsewhere: reaching(now, goalOf(one)) })),
    ...changed,
  ];
};

const goalsOnlyIn = (
  kind: GoalChange['kind'],
  machine: string,
  here: readonly ComparablePath[],
  there: readonly ComparablePath[],
): readonly GoalChange[] => {
  const others = new Set(there.flatMap(({ goals }) => goals.map(({ id }) => id)));
  return here
    .flatMap(({ goals }) => goals)
    .filter(({ id }) => !others.has(id))
    .map(({ id, text }) => ({ kind, machine, goal: id, text }));
};

/** Compares goals and paths with an earlier revision. Random walks are left out. */
export const changesSince = (since: string, before: ComparablePaths, now: ComparablePaths): Changes => {
  const machines = now.machines.map(({ id }) => ({ id, before: coverPathsOf(before, id), now: coverPathsOf(now, id) }));
  const changes = machines.flatMap((one) => changesOf(one.id, one.before, one.now));
  const goals = machines.flatMap((one) => [
    ...goalsOnlyIn('added', one.id, one.now, one.before),
    ...goalsOnlyIn('removed', one.id, one.before, one.now),
  ]);
  const count = machines.reduce((sum, one) => sum + one.now.length, 0);
  return { since, goals, same: count - changes.filter(({ kind }) => kind !== 'removed').length, changes };
};

const noteOf = ({ kind, was, why, elsewhere, number }: Change): string =>
  [
    ...(was !== null && was !== number ? [`before ${was}`] : []),
    ...why,
    ...(elsewhere === null ? [] : [`the goal ${kind === 'removed' ? 'is now' : 'was'} reached in ${elsewhere}`]),
  ].join('; ');

const section = (title: string, lines: readonly string[]): readonly string[] => [
  `## ${title}: ${lines.length}`,
  '',
  ...(lines.length > 0 ? [...lines.map((line) => `- ${escaped(line)}`), ''] : []),
];

const goalTitles = { added: 'New goals', removed: 'Removed goals' } as const;
const pathTitles = { added: 'New paths', removed: 'Removed paths', changed: 'Changed paths' } as const;

export const changesAsMarkdown = ({ since, goals, same, changes }: Changes): string => {
  const goalLines = (kind: GoalChange['kind']) =>
    goals.filter((one) => one.kind === kind).map(({ machine, text }) => `${machine}: ${text}`);
  const pathLines = (kind: Change['kind']) =>
    changes
      .filter((change) => change.kind === kind)
      .map((change) => [change.title, noteOf(change)].filter((text) => text !== '').join(': '));
  return [
    `# ${escaped(`Changed since ${since}`)}`,
    '',
    ...(['added', 'removed'] as const).flatMap((kind) => section(goalTitles[kind], goalLines(kind))),
    ...(['added', 'removed', 'changed'] as const).flatMap((kind) => section(pathTitles[kind], pathLines(kind))),
    `Unchanged paths: ${same}`,
    '',
  ].join('\n');
};

/** Returns a row per goal, then a row per path. */
export const changesAsCsv = ({ goals, changes }: Changes): string =>
  csvTable([
    ['Machine', 'Change', 'Number', 'Goal', 'Note'],
    ...goals.map(({ machine, kind, text }) => [machine, goalTitles[kind], '', text, '']),
    ...changes.map((change) => [change.machine, pathTitles[change.kind], change.number, change.title, noteOf(change)]),
  ]);
