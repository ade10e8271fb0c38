import { type KeyboardEvent, useState } from 'react';
import { arrows, type Point } from '../../../viewer/index.ts';
import classes from './blink.module.css';
import type { BlinkPicture } from './use-blink-pictures.ts';
import { type View, ZoomedPicture } from './zoomed-picture.tsx';

interface PointPictureProps {
  readonly picture: BlinkPicture;
  readonly label: string;
  readonly describedBy: string;
  readonly points: readonly Point[];
  /** Whether the next point is set here. */
  readonly isNext: boolean;
  readonly onPoint: (point: Point) => void;
}

/** CSS pixels that an arrow key moves the cross, and with Shift. */
const [step, longStep] = [1, 20];
/** CSS pixels. */
const [arm, dot, lettering] = [14, 4, 14];

const crosshairPath = ({ x, y }: Point, armLength: number): string =>
  `M${x - armLength} ${y}h${2 * armLength}M${x} ${y - armLength}v${2 * armLength}`;

/** One of the two images, in which points are set by click, or with a cross that arrow keys move. */
export const PointPicture = ({ picture, label, describedBy, points, isNext, onPoint }: PointPictureProps) => {
  const [cross, setCross] = useState<Point | null>(null);
  const { width, height, url } = picture;
  const numbered = points.map((point, index) => ({ ...point, number: index + 1 }));

  const onKey = (event: KeyboardEvent, { box, pixelsPerCssPixel }: View): boolean => {
    const from = cross ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const direction = arrows[event.key];
    if (direction) {
      const by = (event.shiftKey ? longStep : step) * pixelsPerCssPixel;
      setCross({
        x: Math.min(width, Math.max(0, from.x + direction[0] * by)),
        y: Math.min(height, Math.max(0, from.y + direction[1] * by)),
      });
      return true;
    }
    if (event.key !== 'Enter' && event.key !== ' ') return false;
    // A key that is held down would set the next points too.
    if (!event.repeat) onPoint(from);
    return true;
  };
  return (
    <ZoomedPicture
      size={picture}
      label={label}
      describedBy={describedBy}
      takesFocus={isNext}
      cross={cross}
      onClick={(point) => {
        setCross(null);
        onPoint(point);
      }}
      onKey={onKey}
    >
      {(pixelsPerCssPixel) => (
        <>
          <image href={url} width={width} height={height} />
          {numbered.map(({ x, y, number }) => (
            <g key={number} className={classes.point} data-point={number}>
              <circle cx={x} cy={y} r={dot * pixelsPerCssPixel} strokeWidth={1.5 * pixelsPerCssPixel} />
              <text
                x={x + 8 * pixelsPerCssPixel}
                y={y - 6 * pixelsPerCssPixel}
                fontSize={lettering * pixelsPerCssPixel}
                strokeWidth={3 * pixelsPerCssPixel}
              >
                {number}
              </text>
            </g>
          ))}
          {cross && isNext && (
            <path
              className={classes.cross}
              strokeWidth={1.5 * pixelsPerCssPixel}
              d={crosshairPath(cross, arm * pixelsPerCssPixel)}
            />
          )}
        </>
      )}
    </ZoomedPicture>
  );
};
