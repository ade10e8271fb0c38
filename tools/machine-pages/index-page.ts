import { type Tree, treeOf } from './actor-section.ts';
import { rootsOf } from './actors.ts';
import { html, type Markup } from './html.ts';
import { type PageContext, type Subject, section } from './subject.ts';

const cardOf = (subject: Subject, { texts }: PageContext): Markup => {
  const { modelled, states, paths } = subject;
  const transitions = states.flatMap((state) => state.transitions.filter(({ isRejected }) => !isRejected));
  const counts = [
    ['States', states.length],
    ['Transitions', transitions.length],
    ['Paths', paths.length],
  ] as const;
  return html`<li><article>
<h3><a href="${modelled.id}.html">${texts.name}</a></h3>
${texts.about ? html`<p>${texts.about}</p>` : null}
<ul class="counts">${counts.map(([label, number]) => html`<li><span class="dimmed">${label}</span> ${number}</li>`)}</ul>
</article></li>
`;
};

/** Returns the content of the start page. */
export const indexMarkup = (
  machines: readonly { readonly subject: Subject; readonly page: PageContext }[],
  tree: Tree,
): Markup => html`<h1>State machines of Dentarium</h1>
<p>A state machine defines which events are possible in which state. These pages are generated from the source code: diagram, states, events, guards, delays, ports, and the test paths.</p>
${section(
  'machines',
  'All machines',
  html`<ul class="cards">
${machines.map(({ subject, page }) => cardOf(subject, page))}</ul>`,
)}
${section('actors', 'Actor tree', html`<p>A machine runs while its parent is in the state beside its name.</p>${treeOf(rootsOf(tree.children), tree)}`)}`;
