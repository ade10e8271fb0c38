import { ancestorsOf, branchesOf, type Tree } from './actor-section.ts';
import { anchorOf, html, Markup } from './html.ts';
import { delaySection, eventSection, guardSection, portSection, testSection } from './part-sections.ts';
import { pathSection } from './path-section.ts';
import { stateSection } from './state-section.ts';
import { type PageContext, type Subject, section } from './subject.ts';
import { drawingOf } from './svg.ts';

const drawingSection = ({ modelled: { id, machine } }: Subject, { texts }: PageContext): Markup | null => {
  const { width, height, markup } = drawingOf(machine, (state) => ({
    href: `#${anchorOf('state', state)}`,
    meaning: texts.state(state) ?? state,
  }));
  const svg = html`<svg class="drawing" role="group" aria-label="Diagram: ${texts.name}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
${new Markup(markup)}
</svg>`;
  return section(
    'drawing',
    'Diagram',
    html`<p>A box is a state. Each row in it is a transition, and the arrow leads to its target. ● marks an initial state, ◉ a final state. Guards are in square brackets; of several rows for one event, the first whose guard holds is taken.</p>
<div class="tools"><button type="button" id="canvas-size" aria-pressed="false">Fit to the page</button></div>
<div id="canvas" class="canvas" role="region" aria-label="Diagram: ${id}" tabindex="0">
${svg}
</div>`,
  );
};

const actorSection = ({ modelled: { id } }: Subject, tree: Tree): Markup | null => {
  const parents = ancestorsOf(id, tree.children);
  const branches = branchesOf(id, tree);
  if (parents.length === 0 && !branches) return html`<p class="dimmed">started by no other machine</p>`;
  const ancestors = parents.map((one) => html`<a href="${one}.html">${tree.nameOf(one)}</a> › `);
  return html`<p>${ancestors}<strong>${tree.nameOf(id)}</strong></p>${branches}`;
};

const count = (id: string, label: string, number: number): Markup | null =>
  number > 0 ? html`<li><a href="#${id}">${label}</a> ${number}</li>` : null;

/** Returns the content of the page of a machine. */
export const machineMarkup = (subject: Subject, page: PageContext, tree: Tree): Markup => {
  const { texts, addressOf } = page;
  const { modelled, states, paths, delays } = subject;
  const { folder } = modelled;
  const sections = [
    section('actors', 'Actor tree', actorSection(subject, tree)),
    drawingSection(subject, page),
    stateSection(subject, page),
    eventSection(subject, page),
    guardSection(subject, page),
    delaySection(subject, page),
    portSection(subject, page),
    pathSection(subject, page),
    testSection(subject, page),
  ];
  return html`<h1>${texts.name}</h1>
${texts.about ? html`<p>${texts.about}</p>` : null}
<p class="dimmed">Source: <a href="${addressOf(`${folder}/${modelled.id}.machine.ts`)}">${folder}</a></p>
<ul class="contents" aria-label="Contents">
${count('states', 'States', states.length)}${count('delays', 'Delays', delays.length)}${count('paths', 'Paths', paths.length)}${count('tests', 'Tests', subject.tests.length)}
</ul>
${sections}`;
};
