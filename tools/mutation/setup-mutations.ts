import { type Mutation, without } from './mutation.ts';
import {
  argumentOf,
  calledName,
  childrenOf,
  isSyntax,
  propertiesOf,
  type SourceNode,
  type Syntax,
  selfAndDescendants,
  textOf,
} from './source.ts';

/** Returns mutations of a guard: only one side of each "and" and "or". */
const conditionMutations = ({ source, node }: SourceNode, where: string): readonly Mutation[] =>
  selfAndDescendants(node)
    .filter(({ type, operator }) => type === 'LogicalExpression' && operator !== '??')
    .flatMap((whole) =>
      [whole.left, whole.right].filter(isSyntax).map(
        (side): Mutation => ({
          kind: 'condition dropped',
          where,
          sourceNode: { source, node: whole },
          replacement: `(${textOf({ source, node: side })})`,
        }),
      ),
    );

/** Returns the results of a function: its body or what it returns, and both branches of a condition. */
const resultsOf = (given: Syntax): readonly Syntax[] => {
  const choice = ({ type, consequent, alternate, ...node }: Syntax): readonly Syntax[] =>
    type === 'ConditionalExpression' ? [consequent, alternate].filter(isSyntax) : [{ ...node, type }];
  if (given.type !== 'ArrowFunctionExpression') return [given];
  return selfAndDescendants(given)
    .map(({ type, body, argument }) => (type === 'ReturnStatement' ? argument : body))
    .filter(isSyntax)
    .flatMap((node) => choice(node.type === 'ParenthesizedExpression' ? (node.expression as Syntax) : node));
};

/** Returns mutations of an action: each of several assigned properties, each enqueued action. */
const actionMutations = ({ source, node: action }: SourceNode, where: string): readonly Mutation[] => {
  const facts = selfAndDescendants(action)
    .filter((node) => calledName(node) === 'assign')
    .flatMap((node) => argumentOf({ source, node }) ?? [])
    .flatMap(({ node }) => resultsOf(node))
    .map((node) => propertiesOf({ source, node }))
    .filter((several) => several.length > 1)
    .flat();
  const enqueued = selfAndDescendants(action).filter(
    (node) => node.type === 'ExpressionStatement' && textOf({ source, node }).startsWith('enqueue.'),
  );
  return [
    ...facts.map((fact): Mutation => ({ kind: 'assignment dropped', where, ...without(fact) })),
    ...enqueued.map(
      (node): Mutation => ({ kind: 'action dropped', where, sourceNode: { source, node }, replacement: ';' }),
    ),
  ];
};

const delayMutations = (sourceNode: SourceNode, where: string): readonly Mutation[] => {
  const written = `(${textOf(sourceNode)})`;
  const times = (factor: string) =>
    sourceNode.node.type === 'ArrowFunctionExpression'
      ? `(args) => ${written}(args) * ${factor}`
      : `${written} * ${factor}`;
  return [
    { kind: 'delay halved', where, sourceNode, replacement: times('0.5') },
    { kind: 'delay doubled', where, sourceNode, replacement: times('2') },
  ];
};

/** Returns the mutations of guards, actions and delays. */
export const setupMutations = (setup: SourceNode): readonly Mutation[] => {
  const each = (
    name: string,
    find: (sourceNode: SourceNode, where: string) => readonly Mutation[],
  ): readonly Mutation[] => childrenOf(setup, name).flatMap((one) => find(one.value, `${name}.${one.name}`));
  return [
    ...each('guards', conditionMutations),
    ...each('actions', actionMutations),
    ...each('delays', delayMutations),
  ];
};
