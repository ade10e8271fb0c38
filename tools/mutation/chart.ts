import {
  argumentOf,
  below,
  calledName,
  isSyntax,
  nameOf,
  type Piece,
  propertiesOf,
  propertyOf,
  type Source,
  type Syntax,
  spreadInto,
} from './source.ts';

/** A state in the source: its own object, and objects that are spread into it. */
export interface WrittenState {
  /** Keys from the root; empty for the root itself. */
  readonly path: readonly string[];
  readonly pieces: readonly Piece[];
  readonly states: readonly WrittenState[];
}

/** A machine in the source. */
export interface Written {
  readonly root: WrittenState;
  /** The argument of `setup`. */
  readonly setup: Piece;
}

const callsOf = (sources: readonly Source[], name: string): readonly Piece[] =>
  sources.flatMap((source) =>
    below(source.program)
      .filter((node) => calledName(node) === name)
      .flatMap((node) => argumentOf({ source, node }) ?? []),
  );

/** Returns states that are created by `createStateConfig`, by their names. */
const partsOf = (sources: readonly Source[]): ReadonlyMap<string, Piece> =>
  new Map(
    sources.flatMap((source) =>
      below(source.program)
        .filter(({ type, init }) => type === 'VariableDeclarator' && isSyntax(init))
        .filter(({ init }) => calledName(init as Syntax) === 'createStateConfig')
        .flatMap((node) => {
          const piece = argumentOf({ source, node: node.init as Syntax });
          return piece ? [[nameOf(node.id), piece] as const] : [];
        }),
    ),
  );

const only = (pieces: readonly Piece[], what: string): Piece => {
  const [piece, ...others] = pieces;
  if (!piece || others.length > 0) throw new Error(`${pieces.length} calls of ${what}, instead of one`);
  return piece;
};

/** Reads the files of one machine. */
export const writtenOf = (sources: readonly Source[]): Written => {
  const parts = partsOf(sources);
  const named = (name: string): Piece => {
    const piece = parts.get(name);
    if (!piece) throw new Error(`There is no state "${name}"`);
    return piece;
  };
  const stateOf = (piece: Piece, path: readonly string[]): WrittenState => {
    const own = piece.node.type === 'Identifier' ? named(nameOf(piece.node)) : piece;
    const pieces = [
      own,
      ...spreadInto(own)
        .filter((name) => parts.has(name))
        .map(named),
    ];
    const states = pieces
      .flatMap((one) => propertyOf(one, 'states') ?? [])
      .flatMap(({ value }) => propertiesOf(value))
      .map(({ name, value }) => stateOf(value, [...path, name]));
    return { path, pieces, states };
  };
  return {
    root: stateOf(only(callsOf(sources, 'createMachine'), 'createMachine'), []),
    setup: only(callsOf(sources, 'setup'), 'setup'),
  };
};

/** A state and all within it. */
export const statesOf = (state: WrittenState): readonly WrittenState[] => [state, ...state.states.flatMap(statesOf)];

/** Returns the path of a target that is written in a state. */
export const targetOf = (from: readonly string[], target: string): readonly string[] => {
  if (target.startsWith('#')) return target.split('.').slice(1);
  if (target.startsWith('.')) return [...from, ...target.slice(1).split('.')];
  return [...from.slice(0, -1), ...target.split('.')];
};
