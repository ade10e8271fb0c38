import { lineHeight, textHeight } from '../scene/mark-text.ts';
import type { ImageMarks, MarkDrawing } from './mark-drawing.ts';
import { markPath, markStyle } from './mark-style.ts';

type Context = OffscreenCanvasRenderingContext2D;

const paintHandle = (context: Context, x: number, y: number) => {
  const radius = markStyle.handleRadius;
  context.fillStyle = markStyle.halo;
  context.fill(circle(x, y, radius + 2));
  context.fillStyle = markStyle.plain;
  context.fill(circle(x, y, radius));
  context.lineWidth = markStyle.lineWidth;
  context.strokeStyle = markStyle.plain;
  context.stroke(circle(x, y, radius));
};

const circle = (x: number, y: number, radius: number): Path2D => {
  const path = new Path2D();
  path.arc(x, y, radius, 0, 2 * Math.PI);
  return path;
};

const paintMark = (context: Context, drawing: MarkDrawing) => {
  const path = new Path2D(markPath(drawing));
  for (const [width, colour] of [
    [markStyle.haloWidth, markStyle.halo],
    [markStyle.lineWidth, markStyle.plain],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke(path);
  }
  for (const { x, y } of drawing.handles) paintHandle(context, x, y);
  for (const [index, text] of drawing.textLines.entries()) {
    const y = drawing.at.y + index * lineHeight;
    context.lineWidth = markStyle.textHaloWidth;
    context.strokeStyle = markStyle.halo;
    context.strokeText(text, drawing.at.x, y);
    context.fillStyle = markStyle.plain;
    context.fillText(text, drawing.at.x, y);
  }
};

/** Paints the marks of one image onto a canvas of device pixels, as the marks layer draws them; `ratio` is device pixels per CSS pixel. */
export const paintMarks = (context: Context, { box, drawings }: ImageMarks, ratio: number, fontFamily: string) => {
  context.save();
  context.scale(ratio, ratio);
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.translate(box.x, box.y);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.font = `${markStyle.textWeight} ${textHeight}px ${fontFamily}`;
  for (const drawing of drawings) paintMark(context, drawing);
  context.restore();
};
