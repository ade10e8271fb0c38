import { type Tree, treeOf } from './actor-section.ts';
import { rootsOf } from './actors.ts';
import { html, type Markup } from './html.ts';
import type { PageWords } from './page-words.ts';
import { type Setting, type Subject, section } from './subject.ts';

const cardOf = (subject: Subject, { said, words }: Setting): Markup => {
  const { modelled, states, paths } = subject;
  const transitions = states.flatMap((state) => state.transitions.filter(({ isRefused }) => !isRefused));
  const counts = [
    [words.states, states.length],
    [words.transitions, transitions.length],
    [words.paths, paths.length],
  ] as const;
  return html`<li><article>
<h3><a href="${modelled.id}.html">${said.name}</a></h3>
${said.meaning ? html`<p>${said.meaning}</p>` : null}
<ul class="counts">${counts.map(([label, number]) => html`<li><span class="quiet">${label}</span> ${number}</li>`)}</ul>
</article></li>
`;
};

/** What the first page of a language says. */
export const indexMarkup = (
  told: readonly { readonly subject: Subject; readonly setting: Setting }[],
  words: PageWords,
  tree: Tree,
): Markup => html`<h1>${words.title}</h1>
<p>${words.intro}</p>
${section(
  'machines',
  words.allMachines,
  html`<ul class="cards">
${told.map(({ subject, setting }) => cardOf(subject, setting))}</ul>`,
)}
${section('actors', words.actorTree, html`<p>${words.actorTreeHelp}</p>${treeOf(rootsOf(tree.children), tree)}`)}`;
