import { lineHeight, textHeight } from '../scene/mark-text.ts';
import type { ImageMarks, MarkDrawing } from './mark-drawing.ts';
import { crossPath, markPath, markStyle } from './mark-style.ts';

/** Measurements as SVG over the canvas: sharp at every pixel ratio, and accessible. */
export interface MarksLayer {
  readonly show: (images: readonly ImageMarks[]) => void;
  readonly dispose: () => void;
}

const chosenColour = 'oklch(0.8 0.13 195)';

const element = <Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
};

const textOf = (drawing: MarkDrawing, colour: string): SVGTextElement => {
  const { textLines, author, at } = drawing;
  const label = element('text', {
    x: at.x,
    y: at.y,
    fill: colour,
    stroke: markStyle.halo,
    'stroke-width': markStyle.textHaloWidth,
    'stroke-linejoin': 'round',
    'paint-order': 'stroke',
    'font-size': textHeight,
    'font-weight': markStyle.textWeight,
    'font-family': 'inherit',
  });
  // A style attribute would violate the Content-Security-Policy.
  label.style.fontVariantNumeric = 'tabular-nums';
  const noted = author === '' ? [] : [author];
  for (const [index, text] of [...textLines, ...noted].entries()) {
    const isAuthor = index === textLines.length;
    const line = element('tspan', { x: at.x, y: at.y + index * lineHeight, ...(isAuthor && { 'font-size': 12 }) });
    line.textContent = text;
    label.append(line);
  }
  return label;
};

const groupOf = (drawing: MarkDrawing): SVGGElement => {
  const { key, kind, handles, cross, chosen, name } = drawing;
  const group = element('g', { 'data-mark': key, role: 'img', 'aria-label': name });
  const colour = chosen ? chosenColour : markStyle.plain;
  const d = [markPath(drawing), cross && crossPath(cross)].filter(Boolean).join(' ');
  const { halo, lineWidth } = markStyle;
  const dashes: Readonly<Record<string, string>> = kind === 'region' ? { 'stroke-dasharray': '6 4' } : {};
  const joined = { d, fill: 'none', 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  group.append(
    element('path', { ...joined, stroke: halo, 'stroke-width': markStyle.haloWidth }),
    element('path', { ...joined, stroke: colour, 'stroke-width': lineWidth, ...dashes }),
  );
  if (kind === 'region') {
    group.setAttribute('role', 'presentation');
    group.removeAttribute('aria-label');
    return group;
  }
  for (const { x, y } of handles) {
    const size = { cx: x, cy: y, r: chosen ? 5 : markStyle.handleRadius };
    group.append(element('circle', { ...size, r: size.r + 2, fill: halo }));
    group.append(
      element('circle', { ...size, fill: chosen ? halo : colour, stroke: colour, 'stroke-width': lineWidth }),
    );
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
