import {
  argumentOf,
  calledName,
  isSyntax,
  nameOf,
  propertiesOf,
  propertyOf,
  type Source,
  type SourceNode,
  type Syntax,
  selfAndDescendants,
  spreadInto,
} from './source.ts';

/** A state in the source: its own object, and objects that are spread into it. */
export interface StateSource {
  /** Keys from the root; empty for the root itself. */
  readonly path: readonly string[];
  readonly nodes: readonly SourceNode[];
  readonly states: readonly StateSource[];
}

/** A machine in the source. */
export interface MachineSource {
  readonly root: StateSource;
  /** The argument of `setup`. */
  readonly setup: SourceNode;
}

const callsOf = (sources: readonly Source[], name: string): readonly SourceNode[] =>
  sources.flatMap((source) =>
    selfAndDescendants(source.program)
      .filter((node) => calledName(node) === name)
      .flatMap((node) => argumentOf({ source, node }) ?? []),
  );

/** Returns the configurations that are created by `createStateConfig`, by the names of their variables. */
const stateConfigsByName = (sources: readonly Source[]): ReadonlyMap<string, SourceNode> =>
  new Map(
    sources.flatMap((source) =>
      selfAndDescendants(source.program)
        .filter(({ type, init }) => type === 'VariableDeclarator' && isSyntax(init))
        .filter(({ init }) => calledName(init as Syntax) === 'createStateConfig')
        .flatMap((node) => {
          const sourceNode = argumentOf({ source, node: node.init as Syntax });
          return sourceNode ? [[nameOf(node.id), sourceNode] as const] : [];
        }),
    ),
  );

const exactlyOne = (nodes: readonly SourceNode[], what: string): SourceNode => {
  const [sourceNode, ...others] = nodes;
  if (!sourceNode || others.length > 0) throw new Error(`${nodes.length} calls of ${what}, instead of one`);
  return sourceNode;
};

/** Reads the files of one machine. */
export const readMachineSource = (sources: readonly Source[]): MachineSource => {
  const stateConfigs = stateConfigsByName(sources);
  const stateConfig = (name: string): SourceNode => {
    const sourceNode = stateConfigs.get(name);
    if (!sourceNode) throw new Error(`There is no state "${name}"`);
    return sourceNode;
  };
  const stateOf = (sourceNode: SourceNode, path: readonly string[]): StateSource => {
    const own = sourceNode.node.type === 'Identifier' ? stateConfig(nameOf(sourceNode.node)) : sourceNode;
    const nodes = [
      own,
      ...spreadInto(own)
        .filter((name) => stateConfigs.has(name))
        .map(stateConfig),
    ];
    const states = nodes
      .flatMap((one) => propertyOf(one, 'states') ?? [])
      .flatMap(({ value }) => propertiesOf(value))
      .map(({ name, value }) => stateOf(value, [...path, name]));
    return { path, nodes, states };
  };
  return {
    root: stateOf(exactlyOne(callsOf(sources, 'createMachine'), 'createMachine'), []),
    setup: exactlyOne(callsOf(sources, 'setup'), 'setup'),
  };
};

/** Returns a state and all states within it. */
export const statesOf = (state: StateSource): readonly StateSource[] => [state, ...state.states.flatMap(statesOf)];

/** Resolves a transition target as XState does: `#machine.a.b` from the root, `.a` from the state itself, `a` from its parent. */
export const targetOf = (from: readonly string[], target: string): readonly string[] => {
  if (target.startsWith('#')) return target.split('.').slice(1);
  if (target.startsWith('.')) return [...from, ...target.slice(1).split('.')];
  return [...from.slice(0, -1), ...target.split('.')];
};
