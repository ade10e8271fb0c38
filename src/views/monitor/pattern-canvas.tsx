import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { watchDeviceSize } from '../../viewer/device-size.ts';
import classes from './monitor.module.css';
import { testPattern } from './test-pattern.ts';

interface PatternCanvasProps {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly label: string;
}

/** The test pattern; a pixel of the canvas is a pixel of the device at every zoom. */
export const PatternCanvas = ({ canvas, label }: PatternCanvasProps) => {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => (canvas.current ? watchDeviceSize(canvas.current, setSize) : undefined), [canvas]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: false });
    if (!context || width === 0) return;
    for (const { grey, ...area } of testPattern(width, height)) {
      context.fillStyle = `rgb(${grey} ${grey} ${grey})`;
      context.fillRect(area.x, area.y, area.width, area.height);
    }
  }, [canvas, width, height]);
  return (
    <canvas ref={canvas} role="img" aria-label={label} width={width} height={height} className={classes.pattern} />
  );
};
