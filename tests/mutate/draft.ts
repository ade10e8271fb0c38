import type { Piece } from './source.ts';

/** What can be wrong. */
export type FaultKind =
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
  | 'beginning changed'
  | 'end removed'
  | 'reentry removed';

/** One fault put into one machine: what is written at a place gives way to something else. */
export interface Draft {
  readonly kind: FaultKind;
  /** Where in the chart: keys from the root. */
  readonly where: string;
  readonly piece: Piece;
  readonly instead: string;
}

export interface Fault extends Omit<Draft, 'piece'> {
  /** Made from its content: the same fault keeps its name while other lines change. */
  readonly id: string;
  readonly machine: string;
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What is written. */
  readonly original: string;
}

/** Leaves a property or an item out, with the comma behind it. */
export const without = (piece: Piece): Pick<Draft, 'piece' | 'instead'> => {
  const { source, node } = piece;
  const comma = /^\s*,/.exec(source.text.slice(node.end))?.[0].length ?? 0;
  return { piece: { source, node: { ...node, end: node.end + comma } }, instead: '' };
};

const not = 'notInThisMutant';

/** Stands before a file in which a guard is negated. */
export const importOfNegation = `import { not as ${not} } from 'xstate';`;
export const negated = (guard: string): string => `${not}(${guard})`;
