import type { Child } from './actors.ts';
import { anchorOf, html, type Markup } from './html.ts';
import type { PageWords } from './page-words.ts';

export interface Tree {
  readonly words: PageWords;
  readonly children: ReadonlyMap<string, readonly Child[]>;
  readonly nameOf: (machine: string) => string;
}

const conditionOf = (parent: string, { state }: Child, { words }: Tree): Markup => {
  if (state === null) return html` <span class="quiet">${words.spawned}</span>`;
  if (state === parent) return html``;
  const short = state.split('.').slice(1).join('.');
  return html` <a class="quiet" href="${parent}.html#${anchorOf('state', state)}"><code>${short}</code></a>`;
};

const linkTo = (machine: string, tree: Tree): Markup =>
  html`<a href="${machine}.html">${tree.nameOf(machine)}</a> <code>${machine}</code>`;

/** Whom a machine starts, and whom those start. */
export const branchesOf = (machine: string, tree: Tree): Markup | null => {
  const children = tree.children.get(machine) ?? [];
  if (children.length === 0) return null;
  return html`<ul>
${children.map(
  (child) =>
    html`<li>${linkTo(child.machine, tree)}${conditionOf(machine, child, tree)}${branchesOf(child.machine, tree)}</li>
`,
)}</ul>`;
};

/** All actors, from those that nobody starts. */
export const treeOf = (roots: readonly string[], tree: Tree): Markup =>
  html`<ul class="tree">
${roots.map((root) => {
  const branches = branchesOf(root, tree);
  const word = branches ? null : html` <span class="quiet">${tree.words.byPage}</span>`;
  return html`<li>${linkTo(root, tree)}${word}${branches}</li>
`;
})}</ul>`;

/** From the root of the tree to a machine: those that start it, one after the other. */
export const linesTo = (machine: string, children: Tree['children']): readonly string[] => {
  const parent = [...children].find(([, some]) => some.some((child) => child.machine === machine))?.[0];
  return parent ? [...linesTo(parent, children), parent] : [];
};
