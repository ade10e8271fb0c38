import type { Point, Size } from '../../../viewer/index.ts';

/** The shown part of a picture, in its pixels. */
export interface ViewBox extends Size {
  readonly x: number;
  readonly y: number;
}

const maxZoom = 16;

export const wholeBox = ({ width, height }: Size): ViewBox => ({ x: 0, y: 0, width, height });

/** Keeps the box inside the picture. */
const inside = ({ x, y, width, height }: ViewBox, picture: Size): ViewBox => ({
  x: Math.min(Math.max(0, x), picture.width - width),
  y: Math.min(Math.max(0, y), picture.height - height),
  width,
  height,
});

/** Enlarges by `factor` about a point of the picture, which stays where it is on the screen. */
export const zoomedBox = (box: ViewBox, factor: number, { x, y }: Point, picture: Size): ViewBox => {
  const zoom = Math.min(maxZoom, Math.max(1, (picture.width / box.width) * factor));
  const [width, height] = [picture.width / zoom, picture.height / zoom];
  const [right, down] = [(x - box.x) / box.width, (y - box.y) / box.height];
  return inside({ x: x - right * width, y: y - down * height, width, height }, picture);
};

/** Moves the picture by a distance in its own pixels. */
export const pannedBox = (box: ViewBox, right: number, down: number, picture: Size): ViewBox =>
  inside({ ...box, x: box.x - right, y: box.y - down }, picture);

/** Moves the box as little as a point needs to be in it. */
export const boxWith = (box: ViewBox, { x, y }: Point, picture: Size): ViewBox =>
  inside(
    {
      ...box,
      x: Math.min(x, Math.max(box.x, x - box.width)),
      y: Math.min(y, Math.max(box.y, y - box.height)),
    },
    picture,
  );

/** Pixels of the picture per CSS pixel, in an element that shows the box as large as it can (`preserveAspectRatio` xMidYMid meet). */
export const pixelSize = (box: Size, element: Size): number =>
  Math.max(box.width / element.width, box.height / element.height);

/** Converts a place in an element, from its top left corner in CSS pixels, to a point of the picture. */
export const pointInBox = (box: ViewBox, element: Size, { x, y }: Point): Point => {
  const size = pixelSize(box, element);
  return {
    x: box.x + box.width / 2 + (x - element.width / 2) * size,
    y: box.y + box.height / 2 + (y - element.height / 2) * size,
  };
};
