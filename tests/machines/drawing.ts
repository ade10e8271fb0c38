import type { AnyStateMachine } from 'xstate';
import { type DirectedGraphEdge, type DirectedGraphNode, toDirectedGraph } from 'xstate/graph';

const identifier = (id: string) => id.replaceAll(/[^A-Za-z0-9]/g, '_');

const guardOf = ({ transition }: DirectedGraphEdge): string => {
  const guard: unknown = transition.guard;
  if (typeof guard === 'string') return ` [${guard}]`;
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return ` [${String(guard.type)}]`;
  return guard ? ' [if]' : '';
};

/** `xstate.done.actor.signIn` -> `signIn done`; `xstate.after.retryDelay.x` -> `after retryDelay`. */
const eventOf = (type: string): string => {
  const [, answer, port] = /^xstate\.(done|error)\.(?:actor|state)\.(.+)$/.exec(type) ?? [];
  if (answer) return answer === 'done' ? `${port} done` : `${port} failed`;
  const delay = /^xstate\.after\.([^.]+)\./.exec(type)?.[1];
  if (delay) return `after ${delay}`;
  return type === '' ? 'always' : type;
};

const alwaysOf = ({ stateNode }: DirectedGraphNode): readonly string[] =>
  (stateNode.always ?? []).flatMap(({ target, guard }) =>
    (target ?? []).map((one) => {
      const edge = { transition: { guard } } as unknown as DirectedGraphEdge;
      return `${identifier(stateNode.id)} --> ${identifier(one.id)} : always${guardOf(edge)}`;
    }),
  );

const linesOf = (node: DirectedGraphNode, depth: number): readonly string[] => {
  const indent = '  '.repeat(depth);
  const { stateNode, children } = node;
  const name = identifier(stateNode.id);
  const regions = stateNode.type === 'parallel';
  const inside = children.flatMap((child, index) => [
    ...(regions && index > 0 ? [`${indent}  --`] : []),
    ...linesOf(child, depth + 1),
  ]);
  const initial = regions
    ? []
    : stateNode.initial.target.map((target) => `${indent}  [*] --> ${identifier(target.id)}`);
  if (children.length === 0)
    return [
      `${indent}state "${stateNode.key}" as ${name}`,
      ...(stateNode.type === 'final' ? [`${indent}${name} --> [*]`] : []),
    ];
  return [`${indent}state "${stateNode.key}" as ${name} {`, ...initial, ...inside, `${indent}}`];
};

const edgesOf = (node: DirectedGraphNode): readonly string[] => [
  ...alwaysOf(node),
  ...node.edges.map(
    (edge) =>
      `${identifier(edge.source.id)} --> ${identifier(edge.target.id)} : ${eventOf(edge.label.text)}${guardOf(edge)}`,
  ),
  ...node.children.flatMap(edgesOf),
];

/** Returns a machine as a Mermaid state diagram. */
export const drawingOf = (machine: AnyStateMachine): string => {
  const graph = toDirectedGraph(machine);
  return `${['stateDiagram-v2', ...linesOf(graph, 1), ...edgesOf(graph).map((edge) => `  ${edge}`)].join('\n')}\n`;
};
