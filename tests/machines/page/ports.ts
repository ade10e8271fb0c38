import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';
import { filesBelow } from '../../imports-of.ts';

/** What fills a slot of a machine: a piece of our own source. */
export interface Filling {
  /** Folder of the machine, `import-study`. */
  readonly machine: string;
  readonly port: string;
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

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

const below = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(below)];

const nodeOf = (value: unknown, type: string): Node | null => (isNode(value) && value.type === type ? value : null);

const nameIn = (value: unknown): string | null => {
  if (!isNode(value)) return null;
  if (value.type === 'Identifier') return String(value.name);
  return value.type === 'Literal' ? String(value.value) : null;
};

const propertiesOf = (value: unknown): ReadonlyMap<string, Node> => {
  const object = nodeOf(value, 'ObjectExpression');
  const properties = object && Array.isArray(object.properties) ? object.properties.filter(isNode) : [];
  return new Map(properties.map((property) => [nameIn(property.key) ?? '', property.value as Node]));
};

/** `bankIdMachine` -> `bank-id`. */
const folderOf = (name: string): string =>
  name.replace(/Machine$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The indentation that a piece of source has from where it stood is taken off. */
const dedented = (source: string): string => {
  const [first = '', ...others] = source.split('\n');
  const indent = Math.min(...others.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
  return [first, ...others.map((line) => line.slice(Number.isFinite(indent) ? Math.min(indent, line.length) : 0))].join(
    '\n',
  );
};

const lineOf = (source: string, at: number) => source.slice(0, at).split('\n').length;

const fillingsIn = (root: string, file: string): readonly Filling[] => {
  const source = readFileSync(path.join(root, file), 'utf8');
  if (!source.includes('.provide(')) return [];
  const program: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  return (isNode(program) ? below(program) : []).flatMap((call) => {
    const callee = call.type === 'CallExpression' ? nodeOf(call.callee, 'MemberExpression') : null;
    const machine = nameIn(callee?.object);
    if (!machine?.endsWith('Machine') || nameIn(callee?.property) !== 'provide') return [];
    const [given] = Array.isArray(call.arguments) ? call.arguments : [];
    const actors = propertiesOf(propertiesOf(given).get('actors'));
    return [...actors].map(([port, value]) => ({
      ...{ machine: folderOf(machine), port, file },
      source: dedented(source.slice(value.start, value.end)),
      line: lineOf(source, value.start),
    }));
  });
};

/** Everything that the product puts into the slots of its machines, read from its own source. */
export const fillingsOf = (root: string): readonly Filling[] =>
  filesBelow(root, 'src').flatMap((file) => fillingsIn(root, file));
