import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

export const root = path.join(import.meta.dirname, '..', '..');

/** A node of the syntax tree (ESTree with TypeScript). */
export interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A parsed file. */
export interface Source {
  /** From the repository's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  readonly program: Syntax;
}

/** A node with the file that contains it. */
export interface SourceNode {
  readonly source: Source;
  readonly node: Syntax;
}

export const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childNodesOf = (node: Syntax): readonly Syntax[] => Object.values(node).flat().filter(isSyntax);

/** Returns a node and all nodes below it. */
export const selfAndDescendants = (node: Syntax): readonly Syntax[] => [
  node,
  ...childNodesOf(node).flatMap(selfAndDescendants),
];

const wrappers = ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'];

/** Returns an expression without the types around it. */
export const bare = (node: Syntax): Syntax =>
  wrappers.includes(node.type) && isSyntax(node.expression) ? bare(node.expression) : node;

export const textOf = ({ source, node }: SourceNode): string => source.text.slice(node.start, node.end);

export const stringOf = (node: Syntax): string | null =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

export const nameOf = (node: unknown): string => {
  if (!isSyntax(node)) return '';
  if (typeof node.name === 'string') return node.name;
  return typeof node.value === 'string' ? node.value : '';
};

/** Returns the items of an array, or a single value as the only item. */
export const itemsOf = ({ source, node }: SourceNode): readonly SourceNode[] =>
  (node.type === 'ArrayExpression' ? childNodesOf(node) : [node]).map((item) => ({ source, node: bare(item) }));

export interface Property extends SourceNode {
  readonly name: string;
  readonly value: SourceNode;
}

/** Returns the properties of an object literal; none for another node. */
export const propertiesOf = ({ source, node }: SourceNode): readonly Property[] =>
  node.type === 'ObjectExpression'
    ? childNodesOf(node)
        .filter(({ type }) => type === 'Property')
        .map((one) => ({
          source,
          node: one,
          name: nameOf(one.key),
          value: { source, node: bare(one.value as Syntax) },
        }))
    : [];

export const propertyOf = (sourceNode: SourceNode, name: string): Property | null =>
  propertiesOf(sourceNode).find((one) => one.name === name) ?? null;

/** Returns the properties of the object in a property; none without one. */
export const childrenOf = (sourceNode: SourceNode, name: string): readonly Property[] => {
  const property = propertyOf(sourceNode, name);
  return property ? propertiesOf(property.value) : [];
};

/** Returns the names that are spread into an object. */
export const spreadInto = ({ node }: SourceNode): readonly string[] =>
  node.type === 'ObjectExpression'
    ? childNodesOf(node)
        .filter(({ type }) => type === 'SpreadElement')
        .map(({ argument }) => nameOf(argument))
    : [];

/** Returns the name of the called function or method. */
export const calledName = (node: Syntax): string => {
  if (node.type !== 'CallExpression' || !isSyntax(node.callee)) return '';
  return nameOf(node.callee.type === 'MemberExpression' ? node.callee.property : node.callee);
};

export const argumentOf = ({ source, node }: SourceNode, place = 0): SourceNode | null => {
  const given = (node.arguments as readonly Syntax[] | undefined)?.[place];
  return given ? { source, node: bare(given) } : null;
};

/** Machines that are not of the browser. */
const serverFolders: Readonly<Record<string, string>> = { association: 'server/dimse/association' };

/** Returns the folder of a machine, from the root of the repository. */
export const folderOf = (machine: string): string => serverFolders[machine] ?? `src/machines/${machine}`;

export const machineIds: readonly string[] = readdirSync(path.join(root, 'src', 'machines'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .concat(Object.keys(serverFolders))
  .sort();

/** Reads a file of the repository. */
export const read = (file: string): Source => {
  const text = readFileSync(path.join(root, file), 'utf8');
  return { file, text, program: parseSync(file, text).program as unknown as Syntax };
};

/** Returns the files of a machine with its chart, without rules and events. */
export const sourcesOf = (machine: string): readonly Source[] => {
  const folder = folderOf(machine);
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.rules.ts') && !name.endsWith('.events.ts'))
    .sort()
    .map((name) => read(path.posix.join(folder, name)));
};
