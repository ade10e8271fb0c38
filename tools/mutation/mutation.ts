import type { SourceNode } from './source.ts';

export type MutationKind =
  | 'guard removed'
  | 'guard negated'
  | 'condition dropped'
  | 'retargeted'
  | 'target removed'
  | 'action dropped'
  | 'assignment dropped'
  | 'delay halved'
  | 'delay doubled'
  | 'handler removed'
  | 'invoke dropped'
  | 'input dropped'
  | 'initial changed'
  | 'final removed'
  | 'reentry removed';

/** One change of the source code. */
export interface Mutation {
  readonly kind: MutationKind;
  /** Where in the chart: keys from the root. */
  readonly where: string;
  readonly sourceNode: SourceNode;
  readonly replacement: string;
}

export interface Mutant extends Omit<Mutation, 'sourceNode'> {
  /** Computed from the content: stays the same while other lines change. */
  readonly id: string;
  readonly machine: string;
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Replaced source code. */
  readonly original: string;
}

/** Removes a property or an item, with the comma after it. */
export const without = (sourceNode: SourceNode): Pick<Mutation, 'sourceNode' | 'replacement'> => {
  const { source, node } = sourceNode;
  const comma = /^\s*,/.exec(source.text.slice(node.end))?.[0].length ?? 0;
  return { sourceNode: { source, node: { ...node, end: node.end + comma } }, replacement: '' };
};

const not = 'notInThisMutant';

/** Prepended to a file with a negated guard. */
export const importOfNegation = `import { not as ${not} } from 'xstate';`;
export const negated = (guard: string): string => `${not}(${guard})`;
