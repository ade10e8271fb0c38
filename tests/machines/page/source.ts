import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';

/** A piece of our own source, and where it stands. */
export interface Piece {
  readonly source: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A call, by the name that is called: `setup`, `sessionMachine.provide`. */
export interface Call {
  readonly name: string;
  /** What stands at a way of keys in its first argument: each key with its piece. Empty when nothing is there. */
  readonly given: (...keys: readonly string[]) => ReadonlyMap<string, Piece>;
  /** The whole of what stands under a key of its first argument. */
  readonly whole: (key: string) => Piece | null;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const below = (node: Node): readonly Node[] => [
  node,
  ...Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .flatMap(below),
];

const nameIn = (value: unknown): string => {
  if (!isNode(value)) return '';
  if (value.type === 'Identifier') return String(value.name);
  if (value.type === 'MemberExpression') return `${nameIn(value.object)}.${nameIn(value.property)}`;
  return value.type === 'Literal' ? String(value.value) : '';
};

const propertiesOf = (value: unknown): ReadonlyMap<string, Node> => {
  const properties = isNode(value) && Array.isArray(value.properties) ? value.properties.filter(isNode) : [];
  return new Map(properties.flatMap(({ key, value: given }) => (isNode(given) ? [[nameIn(key), given] as const] : [])));
};

/** A piece without the indentation of the line on which it begins. */
const dedented = (source: string, { start, end }: Node): string => {
  const line = source.slice(source.lastIndexOf('\n', start) + 1, start);
  const indent = line.length - line.trimStart().length;
  return source
    .slice(start, end)
    .split('\n')
    .map((one, index) => (index === 0 ? one : one.slice(Math.min(indent, one.length - one.trimStart().length))))
    .join('\n');
};

/** Every call of `name`, or of a method with that name, in a file of ours. */
export const callsIn = (root: string, file: string, name: string): readonly Call[] => {
  const source = readFileSync(path.join(root, file), 'utf8');
  if (!source.includes(`${name}(`)) return [];
  const program: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const pieceOf = (node: Node): Piece => ({
    ...{ source: dedented(source, node), file },
    line: source.slice(0, node.start).split('\n').length,
  });
  return (isNode(program) ? below(program) : [])
    .filter(({ type }) => type === 'CallExpression')
    .map((call) => ({
      called: nameIn(call.callee),
      argument: Array.isArray(call.arguments) ? call.arguments[0] : null,
    }))
    .filter(({ called }) => called === name || called.endsWith(`.${name}`))
    .map(({ called, argument }) => ({
      name: called,
      given: (...keys) => {
        const at = keys.reduce<unknown>((node, key) => propertiesOf(node).get(key), argument);
        return new Map([...propertiesOf(at)].map(([key, node]) => [key, pieceOf(node)]));
      },
      whole: (key) => {
        const node = propertiesOf(argument).get(key);
        return node ? pieceOf(node) : null;
      },
    }));
};
