import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { isForbidden, nameOf } from '../../tests/paths.ts';

/** How an actor was driven: along generated paths, by the steps of a test, by a view, or in the browser. */
export const kinds = ['paths', 'rules', 'views', 'journeys'] as const;
export type Kind = (typeof kinds)[number];

/** What the actors of a machine covered. */
export interface Walked {
  readonly states: readonly string[];
  readonly transitions: readonly string[];
  /** Two transitions that the same actor took one after the other. */
  readonly pairs: readonly string[];
}

/** Record of a test file, by machine id. */
export interface WalkedFile {
  readonly file: string;
  readonly kind: Kind;
  readonly machines: Readonly<Record<string, Walked>>;
}

export const pairOf = (first: string, second: string): string => `${first} -> ${second}`;

/** A step of an actor: taken transitions and next states. */
export interface Step {
  readonly transitions: readonly AnyTransitionDefinition[];
  readonly nodes: readonly AnyStateNode[];
}

const withAncestors = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent ? [node, ...withAncestors(node.parent)] : [node];

/** Returns a recorder of the steps of many actors. Actors are only used as keys. */
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
      // A state that was left was active, even if the actor never rested in it.
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
