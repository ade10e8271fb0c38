import type { AnyStateMachine } from 'xstate';
import { type Box, boxesIn, boxesOf, type Card, lineOf, titleOf } from './boxes.ts';
import { chartOf } from './chart.ts';
import { escaped } from './html.ts';
import { huesOf } from './hues.ts';
import { type Line, linesOf } from './lines.ts';

const pathOf = ({ points }: Line): string =>
  points
    .map(([x, y], index) => {
      const [before, next] = [points[index - 1], points[index + 1]];
      if (!before) return `M${x} ${y}`;
      if (!next) return `L${x} ${y}`;
      const from = [x - Math.sign(x - before[0]) * 4, y - Math.sign(y - before[1]) * 4];
      const to = [x - Math.sign(x - next[0]) * 4, y - Math.sign(y - next[1]) * 4];
      return `L${from.join(' ')}Q${x} ${y} ${to.join(' ')}`;
    })
    .join('');

const headOf = ({ points }: Line): string => {
  const [x, y] = points.at(-1) ?? [0, 0];
  const [formerX, formerY] = points.at(-2) ?? [0, 0];
  const [right, down] = [Math.sign(x - formerX), Math.sign(y - formerY)];
  const corner = (side: number) => `${x - right * 7 - down * side} ${y - down * 7 + right * side}`;
  return `M${x} ${y}L${corner(4)}L${corner(-4)}Z`;
};

const lineMarkup = (line: Line, hue: number): string => {
  const [x, y] = line.points.at(-1) ?? [0, 0];
  const end = line.hasArrow
    ? `<path class="head" d="${headOf(line)}"/>`
    : `<circle class="head" cx="${x}" cy="${y}" r="2.5"/>`;
  const facts = `data-from="${escaped(line.from)}" data-to="${escaped(line.to)}"`;
  return `<g class="line hue-${hue}" ${facts}><path d="${pathOf(line)}"/>${end}</g>`;
};

const rowsMarkup = ({ rows, x, y, width }: Card): string =>
  rows
    .map(({ text, target, kind }, index) => {
      const base = y + lineOf(index) + 4;
      const goal = target && `${kind === 'rejected' ? '' : '→ '}${escaped(target)}`;
      const end = goal
        ? `<text class="goal ${kind}" x="${x + width - 8}" y="${base}" text-anchor="end">${goal}</text>`
        : '';
      return `<text class="row ${kind}" x="${x + 10}" y="${base}" xml:space="preserve">${escaped(text)}</text>${end}`;
    })
    .join('');

/** Returns the link and the meaning of a state; null for a drawing without links. */
export type LinkOf = (stateId: string) => { readonly href: string; readonly meaning: string } | null;

const boxMarkup = ({ state, x, y, width, height, card, boxes }: Box, linkOf: LinkOf): string => {
  const kind = boxes.length === 0 ? state.kind : `around ${state.kind}`;
  const frame = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
  const name = `<text class="name" x="${card.x + 10}" y="${card.y + 15}">${escaped(titleOf(state))}</text>`;
  const link = linkOf(state.id);
  const head = link
    ? `<title>${escaped(link.meaning)}</title><a href="${escaped(link.href)}">${frame}${name}</a>`
    : `${frame}${name}`;
  return `<g class="state" data-state="${escaped(state.id)}">${head}${rowsMarkup(card)}</g>`;
};

/** Gaps between boxes, tried until all lines fit. */
const gaps = [24, 32, 40, 48, 64, 80, 104];

/** Returns the layout of a machine: boxes and lines. */
export const layoutOf = (machine: AnyStateMachine) => {
  const chart = chartOf(machine);
  for (const gap of gaps) {
    const root = boxesOf(chart, machine.implementations.delays, gap);
    const lines = linesOf(root);
    if (lines) return { chart, root, lines };
  }
  throw new Error(`The lines of ${machine.id} do not fit`);
};

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Content of `<svg>`. */
  readonly markup: string;
}

/** Draws a machine. The same machine always gives the same drawing. */
export const drawingOf = (machine: AnyStateMachine, linkOf: LinkOf = () => null): Drawing => {
  const { root, lines } = layoutOf(machine);
  const boxes = boxesIn(root);
  const hueOf = huesOf(lines);
  const markup = [
    ...boxes.map((box) => boxMarkup(box, linkOf)),
    ...lines.map((line) => lineMarkup(line, hueOf.get(line.to) ?? 0)),
  ].join('\n');
  return { width: root.x * 2 + root.width, height: root.y * 2 + root.height, markup };
};

/** Returns a drawing as an SVG file. */
export const fileOf = (machine: AnyStateMachine, style: string): string => {
  const { width, height, markup } = drawingOf(machine);
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" ${size}>
<title>${escaped(machine.id)}</title>
<style>
${style}</style>
${markup}
</svg>
`;
};
