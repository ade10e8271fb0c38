import type { Child } from './actors.ts';
import { anchorOf, html, type Markup } from './html.ts';

export interface Tree {
  readonly children: ReadonlyMap<string, readonly Child[]>;
  readonly nameOf: (machine: string) => string;
}

const conditionOf = (parent: string, { state }: Child): Markup => {
  if (state === null) return html` <span class="dimmed">spawned, one for each</span>`;
  if (state === parent) return html``;
  const short = state.split('.').slice(1).join('.');
  return html` <a class="dimmed" href="${parent}.html#${anchorOf('state', state)}"><code>${short}</code></a>`;
};

const linkTo = (machine: string, tree: Tree): Markup =>
  html`<a href="${machine}.html">${tree.nameOf(machine)}</a> <code>${machine}</code>`;

/** Returns the machines that a machine starts, and their children. */
export const branchesOf = (machine: string, tree: Tree): Markup | null => {
  const children = tree.children.get(machine) ?? [];
  if (children.length === 0) return null;
  return html`<ul>
${children.map(
  (child) =>
    html`<li>${linkTo(child.machine, tree)}${conditionOf(machine, child)}${branchesOf(child.machine, tree)}</li>
`,
)}</ul>`;
};

/** Returns the tree of all machines. */
export const treeOf = (roots: readonly string[], tree: Tree): Markup =>
  html`<ul class="tree">
${roots.map((root) => {
  const branches = branchesOf(root, tree);
  const note = branches ? null : html` <span class="dimmed">started by no other machine</span>`;
  return html`<li>${linkTo(root, tree)}${note}${branches}</li>
`;
})}</ul>`;

/** Returns the ancestors of a machine, from the root of the tree. */
export const ancestorsOf = (machine: string, children: Tree['children']): readonly string[] => {
  const parent = [...children].find(([, some]) => some.some((child) => child.machine === machine))?.[0];
  return parent ? [...ancestorsOf(parent, children), parent] : [];
};
