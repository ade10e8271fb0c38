import { branchesOf, linesTo, type Tree } from './actor-section.ts';
import { anchorOf, html, Markup } from './html.ts';
import { delaySection, eventSection, guardSection, portSection, testSection } from './part-sections.ts';
import { pathSection } from './path-section.ts';
import { stateSection } from './state-section.ts';
import { type Setting, type Subject, section } from './subject.ts';
import { drawn } from './svg.ts';

const drawingSection = ({ modelled: { id, machine } }: Subject, { words, said }: Setting): Markup | null => {
  const { width, height, markup } = drawn(machine, (state) => ({
    href: `#${anchorOf('state', state)}`,
    meaning: said.state(state) ?? state,
  }));
  const svg = html`<svg class="drawing" role="group" aria-label="${words.drawing}: ${said.name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
${new Markup(markup)}
</svg>`;
  return section(
    'drawing',
    words.drawing,
    html`<p>${words.drawingHelp}</p>
<div class="tools"><button type="button" id="canvas-size" aria-pressed="false">${words.wholeDrawing}</button></div>
<div id="canvas" class="canvas" role="region" aria-label="${words.drawing}: ${id}" tabindex="0">
${svg}
</div>`,
  );
};

const actorSection = ({ modelled: { id } }: Subject, tree: Tree): Markup | null => {
  const parents = linesTo(id, tree.children);
  const branches = branchesOf(id, tree);
  if (parents.length === 0 && !branches) return html`<p class="quiet">${tree.words.byPage}</p>`;
  const way = parents.map((one) => html`<a href="${one}.html">${tree.nameOf(one)}</a> › `);
  return html`<p>${way}<strong>${tree.nameOf(id)}</strong></p>${branches}`;
};

const count = (id: string, label: string, number: number): Markup | null =>
  number > 0 ? html`<li><a href="#${id}">${label}</a> ${number}</li>` : null;

/** What the page of a machine says between its heads and its feet. */
export const machineMarkup = (subject: Subject, setting: Setting, tree: Tree): Markup => {
  const { words, said, addressOf } = setting;
  const { modelled, states, paths, delays } = subject;
  const folder = `src/machines/${modelled.id}`;
  const sections = [
    section('actors', words.actorTree, actorSection(subject, tree)),
    drawingSection(subject, setting),
    stateSection(subject, setting),
    eventSection(subject, setting),
    guardSection(subject, setting),
    delaySection(subject, setting),
    portSection(subject, setting),
    pathSection(subject, setting),
    testSection(subject, setting),
  ];
  return html`<h1>${said.name}</h1>
${said.meaning ? html`<p>${said.meaning}</p>` : null}
<p class="quiet">${words.source}: <a href="${addressOf(`${folder}/${modelled.id}.machine.ts`)}">${folder}</a></p>
<ul class="contents" aria-label="${words.contents}">
${count('states', words.states, states.length)}${count('delays', words.delays, delays.length)}${count('paths', words.paths, paths.length)}${count('tests', words.tests, subject.tests.length)}
</ul>
${sections}`;
};
