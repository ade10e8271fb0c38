import { createHash } from 'node:crypto';
import { writtenOf } from './chart.ts';
import { faultsOfChart } from './chart-faults.ts';
import { type Draft, type Fault, importOfNegation } from './draft.ts';
import { faultsOfSetup } from './setup-faults.ts';
import { machineIds, sourcesOf } from './source.ts';

const named = (machine: string, drafts: readonly Draft[]): readonly Fault[] => {
  const counts = new Map<string, number>();
  return drafts.map(({ kind, where, piece: { source, node }, instead }) => {
    const original = source.text.slice(node.start, node.end);
    const content = [source.file, kind, where, original.replaceAll(/\s+/g, ' '), instead].join('\n');
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    const hash = createHash('sha256').update(`${content}\n${count}`).digest('hex').slice(0, 7);
    return {
      ...{ id: `${machine}-${hash}`, machine, kind, where, instead, original },
      file: source.file,
      line: source.text.slice(0, node.start).split('\n').length,
      ...{ start: node.start, end: node.end },
    };
  });
};

/** Every fault that can be put into a machine, in the order of its chart. */
export const faultsOf = (machine: string): readonly Fault[] => {
  const written = writtenOf(sourcesOf(machine));
  return named(machine, [...faultsOfChart(written), ...faultsOfSetup(written.setup)]);
};

export const allFaults = (): readonly Fault[] => machineIds.flatMap(faultsOf);

/** The file with the fault in it. */
export const withFault = (text: string, { start, end, original, instead, kind }: Fault): string => {
  if (text.slice(start, end) !== original) throw new Error('The file has changed since its faults were found');
  const faulty = `${text.slice(0, start)}${instead}${text.slice(end)}`;
  return kind === 'guard negated' ? `${importOfNegation}${faulty}` : faulty;
};
