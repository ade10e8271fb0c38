import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';

/** A snippet of source code and its place. */
export interface Snippet {
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

/** A call of a function: `setup`, `sessionMachine.provide`. */
export interface Call {
  readonly name: string;
  /** Returns the properties of the object at these keys of the first argument; empty without one. */
  readonly given: (...keys: readonly string[]) => ReadonlyMap<string, Snippet>;
  /** Returns a property of the first argument. */
  readonly whole: (key: string) => Snippet | null;
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

/** Returns a snippet without the indentation of its first line. */
const dedented = (source: string, { start, end }: Node): string => {
  const line = source.slice(source.lastIndexOf('\n', start) + 1, start);
  const indent = line.length - line.trimStart().length;
  return source
    .slice(start, end)
    .split('\n')
    .map((one, index) => (index === 0 ? one : one.slice(Math.min(indent, one.length - one.trimStart().length))))
    .join('\n');
};

/** Returns every call of `name`, or of a method with that name, in a file. */
export const callsIn = (root: string, file: string, name: string): readonly Call[] => {
  const source = readFileSync(path.join(root, file), 'utf8');
  if (!source.includes(`${name}(`)) return [];
  const program: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const snippetOf = (node: Node): Snippet => ({
    source: dedented(source, node),
    file,
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
        return new Map([...propertiesOf(at)].map(([key, node]) => [key, snippetOf(node)]));
      },
      whole: (key) => {
        const node = propertiesOf(argument).get(key);
        return node ? snippetOf(node) : null;
      },
    }));
};
