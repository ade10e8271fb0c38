import { createHash } from 'node:crypto';
import { readMachineSource } from './chart.ts';
import { chartMutations } from './chart-mutations.ts';
import { importOfNegation, type Mutant, type Mutation } from './mutation.ts';
import { setupMutations } from './setup-mutations.ts';
import { machineIds, sourcesOf } from './source.ts';

const withIds = (machine: string, mutations: readonly Mutation[]): readonly Mutant[] => {
  const counts = new Map<string, number>();
  return mutations.map(({ kind, where, sourceNode: { source, node }, replacement }) => {
    const original = source.text.slice(node.start, node.end);
    const content = [source.file, kind, where, original.replaceAll(/\s+/g, ' '), replacement].join('\n');
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    const hash = createHash('sha256').update(`${content}\n${count}`).digest('hex').slice(0, 7);
    return {
      id: `${machine}-${hash}`,
      machine,
      kind,
      where,
      replacement,
      original,
      file: source.file,
      line: source.text.slice(0, node.start).split('\n').length,
      start: node.start,
      end: node.end,
    };
  });
};

/** Returns every mutant of a machine in the order of its chart. */
export const mutantsOf = (machine: string): readonly Mutant[] => {
  const machineSource = readMachineSource(sourcesOf(machine));
  return withIds(machine, [...chartMutations(machineSource), ...setupMutations(machineSource.setup)]);
};

export const allMutants = (): readonly Mutant[] => machineIds.flatMap(mutantsOf);

/** Applies a mutant to the text of its file. */
export const withMutation = (text: string, { start, end, original, replacement, kind }: Mutant): string => {
  if (text.slice(start, end) !== original) throw new Error('The file has changed since its mutants were computed');
  const mutated = `${text.slice(0, start)}${replacement}${text.slice(end)}`;
  return kind === 'guard negated' ? `${importOfNegation}${mutated}` : mutated;
};
