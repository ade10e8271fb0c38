import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import type { Point, Size } from '../../../viewer/index.ts';
import classes from './blink.module.css';
import { boxWith, pannedBox, pixelSize, pointInBox, type ViewBox, wholeBox, zoomedBox } from './view-box.ts';

/** A pointer that moved less than this, in CSS pixels, was a click. */
const clickLimit = 4;
const wheelZoom = 1.2;

/** State when the current drag or pinch began. */
interface Gesture {
  readonly box: ViewBox;
  /** Positions of the pointers in the element, in CSS pixels. */
  readonly from: readonly Point[];
  readonly isDrag: boolean;
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The visible part of a picture. */
export interface View {
  readonly box: ViewBox;
  readonly pixelsPerCssPixel: number;
}

interface ZoomedPictureProps {
  readonly size: Size;
  readonly label: string;
  readonly describedBy: string;
  /** Moves the focus here when it becomes true. */
  readonly takesFocus: boolean;
  /**
   * The keyboard crosshair: brought into view when it moves, and the centre of zooming with + and -. Without it they zoom about the centre of the
   * visible part.
   */
  readonly cross?: Point | null;
  readonly onClick?: (point: Point) => void;
  /** Keys that do not zoom. Returns whether it handled the key. */
  readonly onKey?: (event: KeyboardEvent, view: View) => boolean;
  /** SVG content in pixels of the picture. */
  readonly children: (pixelsPerCssPixel: number) => ReactNode;
}

/** A picture that the wheel, two fingers, + and - enlarge, and that a drag moves. */
export const ZoomedPicture = (props: ZoomedPictureProps) => {
  const { size, label, describedBy, takesFocus, cross = null, onClick, onKey, children } = props;
  const [box, setBox] = useState(() => wholeBox(size));
  const [element, setElement] = useState<Size>(size);
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<Gesture | null>(null);
  const host = useRef<SVGSVGElement>(null);
  const pixelsPerCssPixel = pixelSize(box, element);

  const placeOf = (event: { readonly clientX: number; readonly clientY: number }): Point => {
    const { left, top } = host.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const zoom = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const factor = event.deltaY < 0 ? wheelZoom : 1 / wheelZoom;
    setBox(zoomedBox(box, factor, pointInBox(box, element, placeOf(event)), size));
  });
  useEffect(() => {
    const svg = host.current;
    if (!svg) return undefined;
    // React's own listeners of the wheel are passive, so the page would scroll.
    const onWheel = (event: WheelEvent) => zoom(event);
    svg.addEventListener('wheel', onWheel, { passive: false });
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 0, height: 0 };
      if (width > 0 && height > 0) setElement({ width, height });
    });
    observer.observe(svg);
    return () => {
      svg.removeEventListener('wheel', onWheel);
      observer.disconnect();
    };
  }, []);

  useEffect(() => {
    if (takesFocus) host.current?.focus();
  }, [takesFocus]);

  useEffect(() => {
    if (cross) setBox((known) => boxWith(known, cross, size));
  }, [cross, size]);

  const onKeyDown = (event: KeyboardEvent) => {
    const middle = cross ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (event.key === '+' || event.key === '=') setBox(zoomedBox(box, wheelZoom ** 2, middle, size));
    else if (event.key === '-') setBox(zoomedBox(box, wheelZoom ** -2, middle, size));
    else if (!onKey?.(event, { box, pixelsPerCssPixel })) return;
    event.preventDefault();
  };
  const begin = (isDrag: boolean) => {
    gesture.current = { box, from: [...pointers.current.values()], isDrag };
  };
  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    pointers.current.set(event.pointerId, placeOf(event));
    event.currentTarget.setPointerCapture?.(event.pointerId);
    begin(pointers.current.size > 1);
  };
  const onPointerMove = (event: PointerEvent) => {
    const begun = gesture.current;
    if (!begun || !pointers.current.has(event.pointerId)) return;
    pointers.current.set(event.pointerId, placeOf(event));
    const [one, other] = pointers.current.values();
    const [first, second] = begun.from;
    if (!one || !first) return;
    if (other && second) {
      const middle = pointInBox(begun.box, element, { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 });
      setBox(zoomedBox(begun.box, distance(one, other) / Math.max(1, distance(first, second)), middle, size));
      return;
    }
    if (!begun.isDrag && distance(one, first) < clickLimit) return;
    gesture.current = { ...begun, isDrag: true };
    setBox(pannedBox(begun.box, (one.x - first.x) * pixelsPerCssPixel, (one.y - first.y) * pixelsPerCssPixel, size));
  };
  const onPointerEnd = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    const isClick = event.type === 'pointerup' && gesture.current?.isDrag === false;
    // After a pinch, the finger still down continues as a drag.
    begin(true);
    if (!isClick) return;
    const point = pointInBox(box, element, placeOf(event));
    if (point.x >= 0 && point.y >= 0 && point.x <= size.width && point.y <= size.height) onClick?.(point);
  };
  return (
    <svg
      ref={host}
      className={classes.picture}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys of its own, as role "application" says
      tabIndex={0}
      data-clickable={onClick !== undefined || undefined}
      data-autofocus={takesFocus || undefined}
      role="application"
      aria-label={label}
      aria-describedby={describedBy}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
    >
      {children(pixelsPerCssPixel)}
    </svg>
  );
};
