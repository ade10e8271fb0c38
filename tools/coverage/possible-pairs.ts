import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { isForbidden, nameOf, nodesOf } from '../../tests/paths.ts';
import { pairOf } from './record.ts';

/** Returns a node and its ancestors. */
const withAncestors = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.parent ? [node, ...withAncestors(node.parent)] : [node];

const isWithin = (node: AnyStateNode, other: AnyStateNode): boolean => withAncestors(node).includes(other);

/** Returns whether both can be active at once: one contains the other, or they are in different regions. */
const areCompatible = (one: AnyStateNode, other: AnyStateNode): boolean => {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  return withAncestors(one).find((node) => isWithin(other, node))?.type === 'parallel';
};

/** Returns the states that are active after a node is entered. */
const leavesOf = (node: AnyStateNode): readonly AnyStateNode[] => {
  if (node.type === 'parallel') return Object.values(node.states).flatMap(leavesOf);
  if (node.type === 'compound') return node.initial.target.flatMap(leavesOf);
  return [node];
};

const isHistory = ({ type }: AnyStateNode) => type === 'history';
const isEnd = (node: AnyStateNode): boolean => node.type === 'final' && node.parent?.parent === undefined;

const transitionsFrom = (node: AnyStateNode): readonly AnyTransitionDefinition[] =>
  [...[...node.transitions.values()].flat(), ...(node.always ?? [])].filter((transition) => !isForbidden(transition));

/** Returns the `always` transitions that a state takes at once; null when it can rest. */
const forcedOf = (leaf: AnyStateNode): readonly AnyTransitionDefinition[] | null => {
  const always = leaf.always ?? [];
  const unguarded = always.findIndex(({ guard }) => guard === undefined);
  return unguarded === -1 ? null : always.slice(0, unguarded + 1);
};

const mayFollow = (first: AnyTransitionDefinition, second: AnyTransitionDefinition): boolean => {
  const targets = first.target;
  if (!targets) return areCompatible(first.source, second.source);
  // A history state can lead to any state of its parent.
  const places = targets.flatMap((target) => (isHistory(target) ? [target.parent ?? target] : leavesOf(target)));
  if (places.some(isEnd)) return false;
  const forced = places.flatMap((place) => forcedOf(place) ?? []);
  if (forced.length > 0) return forced.includes(second);
  return places.every((place) => areCompatible(place, second.source));
};

/**
 * Returns every two transitions that the chart allows one after the other. Guards and context are ignored, so some pairs cannot occur and
 * the measured coverage is never too high.
 */
export const possiblePairs = (machine: AnyStateMachine): readonly string[] => {
  const transitions = nodesOf(machine).flatMap(transitionsFrom);
  return transitions.flatMap((first) =>
    transitions.filter((second) => mayFollow(first, second)).map((second) => pairOf(nameOf(first), nameOf(second))),
  );
};
