import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { isForbidden, nameOf, nodesOf } from '../paths.ts';
import { pairOf } from './record.ts';

/** From a node up to the root. */
const lineOf = (node: AnyStateNode): readonly AnyStateNode[] => (node.parent ? [node, ...lineOf(node.parent)] : [node]);

const isWithin = (node: AnyStateNode, other: AnyStateNode): boolean => lineOf(node).includes(other);

/** Can both be active at once? One holds the other, or they lie in different regions. */
const areCompatible = (one: AnyStateNode, other: AnyStateNode): boolean => {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  return lineOf(one).find((node) => isWithin(other, node))?.type === 'parallel';
};

/** Where one stands when a node is entered. */
const leavesOf = (node: AnyStateNode): readonly AnyStateNode[] => {
  if (node.type === 'parallel') return Object.values(node.states).flatMap(leavesOf);
  if (node.type === 'compound') return node.initial.target.flatMap(leavesOf);
  return [node];
};

const isHistory = ({ type }: AnyStateNode) => type === 'history';
const isEnd = (node: AnyStateNode): boolean => node.type === 'final' && node.parent?.parent === undefined;

const transitionsFrom = (node: AnyStateNode): readonly AnyTransitionDefinition[] =>
  [...[...node.transitions.values()].flat(), ...(node.always ?? [])].filter((transition) => !isForbidden(transition));

/** What a state does at once and without asking: nothing else can come next. */
const forcedOf = (leaf: AnyStateNode): readonly AnyTransitionDefinition[] | null => {
  const always = leaf.always ?? [];
  const unasked = always.findIndex(({ guard }) => guard === undefined);
  return unasked === -1 ? null : always.slice(0, unasked + 1);
};

const mayFollow = (first: AnyTransitionDefinition, second: AnyTransitionDefinition): boolean => {
  const targets = first.target;
  if (!targets) return areCompatible(first.source, second.source);
  // Where a history leads is not written in the chart: its parent, and anything in it.
  const places = targets.flatMap((target) => (isHistory(target) ? [target.parent ?? target] : leavesOf(target)));
  if (places.some(isEnd)) return false;
  const forced = places.flatMap((place) => forcedOf(place) ?? []);
  if (forced.length > 0) return forced.includes(second);
  return places.every((place) => areCompatible(place, second.source));
};

/**
 * Every two transitions that the chart allows one directly after the other. Guards and contexts are not asked, so that some of them can
 * never happen: what is measured by this number is never flattered.
 */
export const possiblePairs = (machine: AnyStateMachine): readonly string[] => {
  const transitions = nodesOf(machine).flatMap(transitionsFrom);
  return transitions.flatMap((first) =>
    transitions.filter((second) => mayFollow(first, second)).map((second) => pairOf(nameOf(first), nameOf(second))),
  );
};
