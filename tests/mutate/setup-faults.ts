import { type Draft, without } from './draft.ts';
import {
  argumentOf,
  below,
  calledName,
  childrenOf,
  isSyntax,
  type Piece,
  propertiesOf,
  type Syntax,
  textOf,
} from './source.ts';

/** In a guard: one side of each "and" and "or". */
const conditionFaults = ({ source, node }: Piece, where: string): readonly Draft[] =>
  below(node)
    .filter(({ type, operator }) => type === 'LogicalExpression' && operator !== '??')
    .flatMap((whole) =>
      [whole.left, whole.right].filter(isSyntax).map(
        (side): Draft => ({
          ...{ kind: 'condition dropped', where },
          piece: { source, node: whole },
          instead: `(${textOf({ source, node: side })})`,
        }),
      ),
    );

/** What a function answers with: its body, or what it returns; both ends of a choice. */
const answersOf = (given: Syntax): readonly Syntax[] => {
  const choice = ({ type, consequent, alternate, ...node }: Syntax): readonly Syntax[] =>
    type === 'ConditionalExpression' ? [consequent, alternate].filter(isSyntax) : [{ ...node, type }];
  if (given.type !== 'ArrowFunctionExpression') return [given];
  return below(given)
    .map(({ type, body, argument }) => (type === 'ReturnStatement' ? argument : body))
    .filter(isSyntax)
    .flatMap((node) => choice(node.type === 'ParenthesizedExpression' ? (node.expression as Syntax) : node));
};

/** In an action: each of several facts that it remembers, each thing that it enqueues. */
const actionFaults = ({ source, node: action }: Piece, where: string): readonly Draft[] => {
  const facts = below(action)
    .filter((node) => calledName(node) === 'assign')
    .flatMap((node) => argumentOf({ source, node }) ?? [])
    .flatMap(({ node }) => answersOf(node))
    .map((node) => propertiesOf({ source, node }))
    .filter((several) => several.length > 1)
    .flat();
  const enqueued = below(action).filter(
    (node) => node.type === 'ExpressionStatement' && textOf({ source, node }).startsWith('enqueue.'),
  );
  return [
    ...facts.map((fact): Draft => ({ kind: 'assignment dropped', where, ...without(fact) })),
    ...enqueued.map((node): Draft => ({ kind: 'action dropped', where, piece: { source, node }, instead: ';' })),
  ];
};

const delayFaults = (piece: Piece, where: string): readonly Draft[] => {
  const written = `(${textOf(piece)})`;
  const times = (factor: string) =>
    piece.node.type === 'ArrowFunctionExpression' ? `(args) => ${written}(args) * ${factor}` : `${written} * ${factor}`;
  return [
    { kind: 'delay halved', where, piece, instead: times('0.5') },
    { kind: 'delay doubled', where, piece, instead: times('2') },
  ];
};

/** Faults in what a chart uses: guards, actions, delays. */
export const faultsOfSetup = (setup: Piece): readonly Draft[] => {
  const each = (name: string, find: (piece: Piece, where: string) => readonly Draft[]): readonly Draft[] =>
    childrenOf(setup, name).flatMap((one) => find(one.value, `${name}.${one.name}`));
  return [...each('guards', conditionFaults), ...each('actions', actionFaults), ...each('delays', delayFaults)];
};
