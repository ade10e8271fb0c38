import type { Point } from '../scene/camera.ts';
import { lineHeight, textHeight } from '../scene/mark-text.ts';
import type { ImageMarks, MarkDrawing } from './mark-drawing.ts';

/** Measurements as SVG over the canvas: sharp at every pixel ratio, and accessible. */
export interface MarksLayer {
  readonly show: (images: readonly ImageMarks[]) => void;
  readonly dispose: () => void;
}

const plainColour = '#f5f5f5';
const chosenColour = 'oklch(0.8 0.13 195)';
const halo = 'rgba(0, 0, 0, 0.85)';
const arcRadius = 18;

const element = <Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
};

const towards = (from: Point, to: Point, length: number): Point => {
  const distance = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / distance) * length, y: from.y + ((to.y - from.y) / distance) * length };
};

/** Returns the arc of an angle, from one arm to the other. */
const arcOf = ([from, vertex, to]: readonly Point[]): string => {
  if (!from || !vertex || !to) return '';
  const one = towards(vertex, from, arcRadius);
  const other = towards(vertex, to, arcRadius);
  const cross = (from.x - vertex.x) * (to.y - vertex.y) - (from.y - vertex.y) * (to.x - vertex.x);
  return ` M ${one.x} ${one.y} A ${arcRadius} ${arcRadius} 0 0 ${cross > 0 ? 1 : 0} ${other.x} ${other.y}`;
};

/** Length of the barbs of an arrow in CSS pixels, and their angle to the shaft in radians. */
const barbLength = 13;
const barbAngle = 0.45;

const barbsOf = ([tail, head]: readonly Point[]): string => {
  if (!tail || !head) return '';
  const back = Math.atan2(tail.y - head.y, tail.x - head.x);
  const barb = (turn: number) =>
    `${head.x + barbLength * Math.cos(back + turn)} ${head.y + barbLength * Math.sin(back + turn)}`;
  return ` M ${barb(barbAngle)} L ${head.x} ${head.y} L ${barb(-barbAngle)}`;
};

const pathOf = ({ kind, points, closed }: MarkDrawing): string => {
  if (kind === 'text') return '';
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'} ${x} ${y}`).join(' ');
  if (kind === 'arrow') return line + barbsOf(points);
  return closed ? `${line} Z` : kind === 'angle' ? line + arcOf(points) : line;
};

const textOf = (drawing: MarkDrawing, colour: string): SVGTextElement => {
  const { lines, author, at } = drawing;
  const label = element('text', {
    x: at.x,
    y: at.y,
    fill: colour,
    stroke: halo,
    'stroke-width': 3.5,
    'stroke-linejoin': 'round',
    'paint-order': 'stroke',
    'font-size': textHeight,
    'font-weight': 500,
    'font-family': 'inherit',
  });
  // A style attribute would violate the Content-Security-Policy.
  label.style.fontVariantNumeric = 'tabular-nums';
  const noted = author === '' ? [] : [author];
  for (const [index, text] of [...lines, ...noted].entries()) {
    const isAuthor = index === lines.length;
    const line = element('tspan', { x: at.x, y: at.y + index * lineHeight, ...(isAuthor && { 'font-size': 12 }) });
    line.textContent = text;
    label.append(line);
  }
  return label;
};

const groupOf = (drawing: MarkDrawing): SVGGElement => {
  const { key, kind, handles, chosen, name } = drawing;
  const group = element('g', { 'data-mark': key, role: 'img', 'aria-label': name });
  const colour = chosen ? chosenColour : plainColour;
  const d = pathOf(drawing);
  const dashes: Readonly<Record<string, string>> = kind === 'region' ? { 'stroke-dasharray': '6 4' } : {};
  const joined = { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  group.append(
    element('path', { ...joined, stroke: halo, 'stroke-width': 4 }),
    element('path', { ...joined, stroke: colour, 'stroke-width': 1.5, ...dashes }),
  );
  if (kind === 'region') {
    group.setAttribute('role', 'presentation');
    group.removeAttribute('aria-label');
    return group;
  }
  for (const { x, y } of handles) {
    const size = { cx: x, cy: y, r: chosen ? 5 : 3 };
    group.append(element('circle', { ...size, r: size.r + 2, fill: halo }));
    group.append(element('circle', { ...size, fill: chosen ? halo : colour, stroke: colour, 'stroke-width': 1.5 }));
  }
  group.append(textOf(drawing, colour));
  return group;
};

interface Shown {
  readonly holder: SVGSVGElement;
  content: string;
}

/** Creates the layer. `name` is the accessible name of the group. */
export const createMarksLayer = (host: HTMLElement, name: string): MarksLayer => {
  const root = element('svg', { role: 'group', 'aria-label': name });
  root.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:hidden';
  host.append(root);
  const shown = new Map<string, Shown>();
  return {
    show: (images) => {
      const marked = images.filter(({ drawings }) => drawings.length > 0);
      for (const [id, { holder }] of shown) {
        if (marked.some((image) => image.id === id)) continue;
        holder.remove();
        shown.delete(id);
      }
      for (const image of marked) {
        const content = JSON.stringify(image);
        const one = shown.get(image.id) ?? { holder: root.appendChild(element('svg', {})), content: '' };
        shown.set(image.id, one);
        if (one.content === content) continue;
        one.content = content;
        for (const [key, value] of Object.entries(image.box)) one.holder.setAttribute(key, String(value));
        one.holder.setAttribute('overflow', 'hidden');
        one.holder.replaceChildren(...image.drawings.map(groupOf));
      }
    },
    dispose: () => root.remove(),
  };
};
