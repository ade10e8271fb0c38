import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { isForbidden, nameOf } from '../paths.ts';

/** In which way an actor was led: along generated paths, by a test's own steps, under a view, or in the browser. */
export const kinds = ['paths', 'rules', 'views', 'journeys'] as const;
export type Kind = (typeof kinds)[number];

/** Where an actor of a machine has been. */
export interface Walked {
  readonly states: readonly string[];
  readonly transitions: readonly string[];
  /** Two transitions, the second of which was the next one that the same actor took. */
  readonly pairs: readonly string[];
}

/** What one test file says of the machines by their ids. */
export interface WalkedFile {
  readonly file: string;
  readonly kind: Kind;
  readonly machines: Readonly<Record<string, Walked>>;
}

export const pairOf = (first: string, second: string): string => `${first} -> ${second}`;

/** One step of an actor: what it took, and where that led. */
export interface Step {
  readonly transitions: readonly AnyTransitionDefinition[];
  readonly nodes: readonly AnyStateNode[];
}

const withAncestors = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent ? [node, ...withAncestors(node.parent)] : [node];

/** Takes down the steps of many actors. An actor is only told from others; nothing of it is kept. */
export const createRecord = () => {
  const machines = new Map<string, { states: Set<string>; transitions: Set<string>; pairs: Set<string> }>();
  const last = new WeakMap<object, readonly string[]>();
  const walkedOf = (machine: string) => {
    const walked = machines.get(machine) ?? { states: new Set(), transitions: new Set(), pairs: new Set() };
    machines.set(machine, walked);
    return walked;
  };
  return {
    step: (actor: object, machine: string, { transitions, nodes }: Step): void => {
      const taken = transitions.filter((transition) => !isForbidden(transition));
      if (taken.length === 0) return;
      const walked = walkedOf(machine);
      const names = taken.map(nameOf);
      // What was left was there, also where it was never at rest.
      for (const node of [...taken.flatMap(({ source }) => withAncestors(source)), ...nodes])
        walked.states.add(node.id);
      for (const name of names) walked.transitions.add(name);
      for (const before of last.get(actor) ?? []) for (const name of names) walked.pairs.add(pairOf(before, name));
      last.set(actor, names);
    },
    walked: (): WalkedFile['machines'] =>
      Object.fromEntries(
        [...machines].map(([machine, { states, transitions, pairs }]) => [
          machine,
          { states: [...states].sort(), transitions: [...transitions].sort(), pairs: [...pairs].sort() },
        ]),
      ),
  };
};

export type WalkRecord = ReturnType<typeof createRecord>;
