import type { Point } from '../scene/camera.ts';
import type { MarkDrawing } from './mark-drawing.ts';

/** Colours and sizes of marks, in CSS pixels: a light line with a dark outline is legible on white bone and black air. */
export const markStyle = {
  plain: '#f5f5f5',
  halo: 'rgba(0, 0, 0, 0.85)',
  lineWidth: 1.5,
  haloWidth: 4,
  textHaloWidth: 3.5,
  textWeight: 500,
  handleRadius: 3,
} as const;

const arcRadius = 18;

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

/** Gap and end of the arms of a cross, in CSS pixels from its point, which stays in sight. */
const crossGap = 5;
const crossEnd = 16;

/** Returns a cross around a point as SVG path data. */
export const crossPath = ({ x, y }: Point): string =>
  [1, -1]
    .flatMap((side) => [
      `M ${x + side * crossGap} ${y} H ${x + side * crossEnd}`,
      `M ${x} ${y + side * crossGap} V ${y + side * crossEnd}`,
    ])
    .join(' ');

/** Returns the line of a mark as SVG path data; empty for a text. */
export const markPath = ({ kind, lines, closed }: MarkDrawing): string => {
  if (kind === 'text') return '';
  const [points = []] = lines;
  const path = lines
    .map((line) => line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'} ${x} ${y}`).join(' '))
    .join(' ');
  if (kind === 'arrow') return path + barbsOf(points);
  return closed ? `${path} Z` : kind === 'angle' ? path + arcOf(points) : path;
};
