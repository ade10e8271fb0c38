import { type MachineSource, type StateSource, statesOf, targetOf } from './chart.ts';
import { type Mutation, negated, without } from './mutation.ts';
import {
  argumentOf,
  calledName,
  childrenOf,
  itemsOf,
  propertiesOf,
  propertyOf,
  type SourceNode,
  stringOf,
  textOf,
} from './source.ts';

const guardMutations = (transition: SourceNode, where: string): readonly Mutation[] => {
  const guard = propertyOf(transition, 'guard');
  if (!guard) return [];
  const parts = ['and', 'or'].includes(calledName(guard.value.node)) ? argumentOf(guard.value) : null;
  return [
    { kind: 'guard removed', where, ...without(guard) },
    { kind: 'guard negated', where, sourceNode: guard.value, replacement: negated(textOf(guard.value)) },
    ...(parts ? itemsOf(parts) : []).map((part): Mutation => ({ kind: 'condition dropped', where, ...without(part) })),
  ];
};

/** Returns mutations of each action of a list, and of each property of an inline assignment. */
const actionMutations = (owner: SourceNode, name: string, where: string): readonly Mutation[] => {
  const actions = propertyOf(owner, name);
  if (!actions) return [];
  const items = itemsOf(actions.value);
  const place = `${where}.${name}`;
  return [
    ...(items.length === 1 && items[0]?.node === actions.value.node
      ? [{ kind: 'action dropped', where: place, ...without(actions) } as const]
      : items.map((item): Mutation => ({ kind: 'action dropped', where: place, ...without(item) }))),
    ...items
      .filter(({ node }) => calledName(node) === 'assign')
      .flatMap((item) => argumentOf(item) ?? [])
      .map((facts) => propertiesOf(facts))
      .filter((facts) => facts.length > 1)
      .flat()
      .map((fact): Mutation => ({ kind: 'assignment dropped', where: place, ...without(fact) })),
  ];
};

/** Returns the next sibling of a state, in the order of the source. */
const siblingOf = (root: StateSource, goal: readonly string[]): string | null => {
  const parent = statesOf(root).find(({ path }) => path.join('.') === goal.slice(0, -1).join('.'));
  const siblings = parent?.states.map(({ path }) => path.at(-1) ?? '') ?? [];
  const place = siblings.indexOf(goal.at(-1) ?? '');
  const sibling = siblings[(place + 1) % siblings.length];
  return place < 0 || siblings.length < 2 || sibling === undefined ? null : sibling;
};

const retarget = (root: StateSource, from: StateSource, target: SourceNode, where: string): readonly Mutation[] => {
  const written = stringOf(target.node);
  if (written === null) return [];
  const sibling = siblingOf(root, targetOf(from.path, written));
  if (sibling === null) return [];
  const replacement = `'${written.replace(/[^.#]+$/, () => sibling)}'`;
  return [{ kind: 'retargeted', where, sourceNode: target, replacement }];
};

const transitionMutations = (
  root: StateSource,
  from: StateSource,
  one: SourceNode,
  where: string,
): readonly Mutation[] => {
  if (stringOf(one.node) !== null) return retarget(root, from, one, where);
  const target = propertyOf(one, 'target');
  const reentry = propertyOf(one, 'reenter');
  return [
    ...guardMutations(one, where),
    ...actionMutations(one, 'actions', where),
    ...(target ? retarget(root, from, target.value, where) : []),
    ...(target ? [{ kind: 'target removed', where, ...without(target) } as const] : []),
    ...(reentry ? [{ kind: 'reentry removed', where, ...without(reentry) } as const] : []),
  ];
};

/** Returns mutations of the handler of an event, a delay or a reply: as a whole, and of each transition. */
const handlerMutations = (
  root: StateSource,
  from: StateSource,
  handler: SourceNode,
  where: string,
): readonly Mutation[] => {
  const candidates = itemsOf(handler);
  const several = candidates.length > 1;
  return candidates.flatMap((one, place) => [
    ...(several ? [{ kind: 'handler removed', where: `${where}.${place}`, ...without(one) } as const] : []),
    ...transitionMutations(root, from, one, several ? `${where}.${place}` : where),
  ]);
};

const invokeMutations = (
  root: StateSource,
  from: StateSource,
  sourceNode: SourceNode,
  where: string,
): readonly Mutation[] => {
  const invoke = propertyOf(sourceNode, 'invoke');
  if (!invoke) return [];
  const items = itemsOf(invoke.value);
  return items.flatMap((item) => {
    const place = `${where}.${stringOf(propertyOf(item, 'id')?.value.node ?? item.node) ?? 'invoke'}`;
    const input = propertyOf(item, 'input');
    return [
      { kind: 'invoke dropped', where: place, ...without(items.length > 1 ? item : invoke) } as const,
      ...(input ? [{ kind: 'input dropped', where: place, ...without(input) } as const] : []),
      ...['onDone', 'onError'].flatMap((name) => {
        const handler = propertyOf(item, name);
        if (!handler) return [];
        return [
          { kind: 'handler removed', where: `${place}.${name}`, ...without(handler) } as const,
          ...handlerMutations(root, from, handler.value, `${place}.${name}`),
        ];
      }),
    ];
  });
};

const stateMutations = (root: StateSource, from: StateSource, sourceNode: SourceNode): readonly Mutation[] => {
  const where = from.path.join('.') || '(root)';
  const always = propertyOf(sourceNode, 'always');
  const [initial, type] = [propertyOf(sourceNode, 'initial'), propertyOf(sourceNode, 'type')];
  const done = propertyOf(sourceNode, 'onDone');
  const handlers = ['on', 'after'].flatMap((name) => childrenOf(sourceNode, name).map((one) => [name, one] as const));
  const first = initial ? siblingOf(root, [...from.path, stringOf(initial.value.node) ?? '']) : null;
  return [
    ...actionMutations(sourceNode, 'entry', where),
    ...actionMutations(sourceNode, 'exit', where),
    ...handlers.flatMap(([name, handler]) => [
      { kind: 'handler removed', where: `${where}.${name}.${handler.name}`, ...without(handler) } as const,
      ...handlerMutations(root, from, handler.value, `${where}.${name}.${handler.name}`),
    ]),
    ...(always ? [{ kind: 'handler removed', where: `${where}.always`, ...without(always) } as const] : []),
    ...(always ? handlerMutations(root, from, always.value, `${where}.always`) : []),
    ...(done ? [{ kind: 'handler removed', where: `${where}.onDone`, ...without(done) } as const] : []),
    ...(done ? handlerMutations(root, from, done.value, `${where}.onDone`) : []),
    ...invokeMutations(root, from, sourceNode, where),
    ...(initial && first !== null
      ? [{ kind: 'initial changed', where, sourceNode: initial.value, replacement: `'${first}'` } as const]
      : []),
    ...(type && stringOf(type.value.node) === 'final'
      ? [{ kind: 'final removed', where, ...without(type) } as const]
      : []),
  ];
};

/** Returns the mutations of a chart. An object that several states share is mutated once. */
export const chartMutations = ({ root }: MachineSource): readonly Mutation[] => {
  const seen = new Set<unknown>();
  return statesOf(root).flatMap((state) =>
    state.nodes
      .filter(({ node }) => !seen.has(node) && seen.add(node))
      .flatMap((sourceNode) => stateMutations(root, state, sourceNode)),
  );
};
