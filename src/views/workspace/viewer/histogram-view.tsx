import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Histogram, WindowChoice } from '../../../viewer/index.ts';
import { spanOf } from './grey-values.ts';
import { curvePoints, edgesOf, histogramPath, movedHandle, type WindowHandle } from './histogram-shape.ts';
import classes from './histogram-view.module.css';

interface HistogramViewProps {
  /** Null while computed. */
  readonly histogram: Histogram | null;
  readonly range: { readonly low: number; readonly high: number };
  readonly window: WindowChoice;
  readonly minWidth: number;
  /** Higher values are darker. */
  readonly reversed: boolean;
  readonly valueText: (value: number) => string;
  readonly onLive: (window: WindowChoice) => void;
  readonly onSettle: () => void;
}

const handles = ['low', 'centre', 'high'] as const;
const [width, height] = [256, 72];

/** The histogram with handles for the window's edges and centre. */
export const HistogramView = (props: HistogramViewProps) => {
  const { histogram, range, window, minWidth, reversed, valueText, onLive, onSettle } = props;
  const { t } = useTranslation('viewer');
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<WindowHandle | null>(null);
  const path = useMemo(() => (histogram ? histogramPath(histogram, width, height) : null), [histogram]);
  const span = spanOf(range);
  const { low, high } = edgesOf(window);
  const handleValues = { low, centre: window.centre, high };
  const partOf = (value: number) => Math.min(1, Math.max(0, (value - range.low) / span));

  const move = (handle: WindowHandle, value: number) =>
    onLive({ ...window, ...movedHandle(handle, value, window, minWidth) });
  const valueAt = (clientX: number): number | null => {
    const frame = box.current?.getBoundingClientRect();
    return frame && frame.width > 0 ? range.low + ((clientX - frame.left) / frame.width) * span : null;
  };
  const grab = (event: PointerEvent<HTMLElement>, handle: WindowHandle) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = handle;
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const value = held.current && valueAt(event.clientX);
    if (held.current && value !== null) move(held.current, value);
  };
  const release = () => {
    if (held.current) onSettle();
    held.current = null;
  };
  const press = (event: KeyboardEvent<HTMLElement>, handle: WindowHandle) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const end = { Home: range.low, End: range.high }[event.key];
    if (steps === undefined && end === undefined) return;
    event.preventDefault();
    const step = (span / 256) * (event.shiftKey ? 10 : 1);
    move(handle, end ?? handleValues[handle] + (steps ?? 0) * step);
  };

  return (
    <div className={classes.histogram}>
      <div ref={box} className={classes.plot}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={t('histogram')}>
          {path && <path d={path} className={classes.shape} />}
          <polyline
            className={classes.curve}
            vectorEffect="non-scaling-stroke"
            points={curvePoints(window, range, reversed, width, height)}
          />
        </svg>
        {handles.map((handle) => (
          <span
            key={handle}
            role="slider"
            tabIndex={0}
            className={classes.handle}
            data-handle={handle}
            style={{ left: `${partOf(handleValues[handle]) * 100}%` }}
            aria-label={t(`handle-${handle}`)}
            aria-valuemin={Math.min(range.low, handleValues[handle])}
            aria-valuemax={Math.max(range.high, handleValues[handle])}
            aria-valuenow={handleValues[handle]}
            aria-valuetext={valueText(handleValues[handle])}
            onPointerDown={(event) => grab(event, handle)}
            onPointerMove={drag}
            onPointerUp={release}
            onPointerCancel={release}
            onKeyDown={(event) => press(event, handle)}
            onKeyUp={onSettle}
            onBlur={onSettle}
          />
        ))}
      </div>
      <div className={classes.ends} aria-hidden="true">
        <span>{valueText(range.low)}</span>
        <span>{valueText(range.high)}</span>
      </div>
    </div>
  );
};
