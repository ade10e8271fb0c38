import { goalOf, statesOf, type Written, type WrittenState } from './chart.ts';
import { type Draft, negated, without } from './draft.ts';
import {
  argumentOf,
  calledName,
  childrenOf,
  itemsOf,
  type Piece,
  propertiesOf,
  propertyOf,
  stringOf,
  textOf,
} from './source.ts';

const guardFaults = (transition: Piece, where: string): readonly Draft[] => {
  const guard = propertyOf(transition, 'guard');
  if (!guard) return [];
  const parts = ['and', 'or'].includes(calledName(guard.value.node)) ? argumentOf(guard.value) : null;
  return [
    { kind: 'guard removed', where, ...without(guard) },
    { kind: 'guard negated', where, piece: guard.value, instead: negated(textOf(guard.value)) },
    ...(parts ? itemsOf(parts) : []).map((part): Draft => ({ kind: 'condition dropped', where, ...without(part) })),
  ];
};

/** Each action of a list, and each fact of an assignment that is written in place. */
const actionFaults = (owner: Piece, name: string, where: string): readonly Draft[] => {
  const actions = propertyOf(owner, name);
  if (!actions) return [];
  const items = itemsOf(actions.value);
  const place = `${where}.${name}`;
  return [
    ...(items.length === 1 && items[0]?.node === actions.value.node
      ? [{ kind: 'action dropped', where: place, ...without(actions) } as const]
      : items.map((item): Draft => ({ kind: 'action dropped', where: place, ...without(item) }))),
    ...items
      .filter(({ node }) => calledName(node) === 'assign')
      .flatMap((item) => argumentOf(item) ?? [])
      .map((facts) => propertiesOf(facts))
      .filter((facts) => facts.length > 1)
      .flat()
      .map((fact): Draft => ({ kind: 'assignment dropped', where: place, ...without(fact) })),
  ];
};

/** The next of its sisters, in the order in which they are written. */
const sisterOf = (root: WrittenState, goal: readonly string[]): string | null => {
  const parent = statesOf(root).find(({ path }) => path.join('.') === goal.slice(0, -1).join('.'));
  const names = parent?.states.map(({ path }) => path.at(-1) ?? '') ?? [];
  const place = names.indexOf(goal.at(-1) ?? '');
  const sister = names[(place + 1) % names.length];
  return place < 0 || names.length < 2 || sister === undefined ? null : sister;
};

const retarget = (root: WrittenState, from: WrittenState, target: Piece, where: string): readonly Draft[] => {
  const written = stringOf(target.node);
  if (written === null) return [];
  const sister = sisterOf(root, goalOf(from.path, written));
  if (sister === null) return [];
  const instead = `'${written.replace(/[^.#]+$/, () => sister)}'`;
  return [{ kind: 'retargeted', where, piece: target, instead }];
};

const transitionFaults = (root: WrittenState, from: WrittenState, one: Piece, where: string): readonly Draft[] => {
  if (stringOf(one.node) !== null) return retarget(root, from, one, where);
  const target = propertyOf(one, 'target');
  const reentry = propertyOf(one, 'reenter');
  return [
    ...guardFaults(one, where),
    ...actionFaults(one, 'actions', where),
    ...(target ? retarget(root, from, target.value, where) : []),
    ...(target ? [{ kind: 'target removed', where, ...without(target) } as const] : []),
    ...(reentry ? [{ kind: 'reentry removed', where, ...without(reentry) } as const] : []),
  ];
};

/** Of an event, a delay, an answer: the handler as a whole, and each of its candidates. */
const handlerFaults = (root: WrittenState, from: WrittenState, handler: Piece, where: string): readonly Draft[] => {
  const candidates = itemsOf(handler);
  const several = candidates.length > 1;
  return candidates.flatMap((one, place) => [
    ...(several ? [{ kind: 'handler removed', where: `${where}.${place}`, ...without(one) } as const] : []),
    ...transitionFaults(root, from, one, several ? `${where}.${place}` : where),
  ]);
};

const invokeFaults = (root: WrittenState, from: WrittenState, piece: Piece, where: string): readonly Draft[] => {
  const invoke = propertyOf(piece, 'invoke');
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
          ...handlerFaults(root, from, handler.value, `${place}.${name}`),
        ];
      }),
    ];
  });
};

const pieceFaults = (root: WrittenState, from: WrittenState, piece: Piece): readonly Draft[] => {
  const where = from.path.join('.') || '(root)';
  const always = propertyOf(piece, 'always');
  const [initial, type] = [propertyOf(piece, 'initial'), propertyOf(piece, 'type')];
  const done = propertyOf(piece, 'onDone');
  const handlers = ['on', 'after'].flatMap((name) => childrenOf(piece, name).map((one) => [name, one] as const));
  const first = initial ? sisterOf(root, [...from.path, stringOf(initial.value.node) ?? '']) : null;
  return [
    ...actionFaults(piece, 'entry', where),
    ...actionFaults(piece, 'exit', where),
    ...handlers.flatMap(([name, handler]) => [
      { kind: 'handler removed', where: `${where}.${name}.${handler.name}`, ...without(handler) } as const,
      ...handlerFaults(root, from, handler.value, `${where}.${name}.${handler.name}`),
    ]),
    ...(always ? [{ kind: 'handler removed', where: `${where}.always`, ...without(always) } as const] : []),
    ...(always ? handlerFaults(root, from, always.value, `${where}.always`) : []),
    ...(done ? [{ kind: 'handler removed', where: `${where}.onDone`, ...without(done) } as const] : []),
    ...(done ? handlerFaults(root, from, done.value, `${where}.onDone`) : []),
    ...invokeFaults(root, from, piece, where),
    ...(initial && first !== null
      ? [{ kind: 'beginning changed', where, piece: initial.value, instead: `'${first}'` } as const]
      : []),
    ...(type && stringOf(type.value.node) === 'final'
      ? [{ kind: 'end removed', where, ...without(type) } as const]
      : []),
  ];
};

/** Each piece once, also when it is a part of several states. */
export const faultsOfChart = ({ root }: Written): readonly Draft[] => {
  const seen = new Set<unknown>();
  return statesOf(root).flatMap((state) =>
    state.pieces
      .filter(({ node }) => !seen.has(node) && seen.add(node))
      .flatMap((piece) => pieceFaults(root, state, piece)),
  );
};
