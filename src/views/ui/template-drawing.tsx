import classes from './template-drawing.module.css';

interface DrawnSlot {
  readonly xPos: number;
  readonly yPos: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
}

interface TemplateDrawingProps {
  /** Size of the mount in the units of its slots. */
  readonly width: number;
  readonly height: number;
  readonly slots: readonly DrawnSlot[];
}

/** Returns a notch at the edge where the top of a rotated image lies. */
const notchOf = ({ xPos, yPos, width, height, rotation }: DrawnSlot) => {
  const middle = { x: xPos + width / 2, y: yPos + height / 2 };
  const size = Math.min(width, height) * 0.16;
  const isAcross = Math.round(rotation / 90) % 2 === 1;
  const half = (isAcross ? width : height) / 2;
  const points = [
    [-size, -half + size * 0.6],
    [size, -half + size * 0.6],
    [0, -half + size * 1.8],
  ];
  return {
    points: points.map(([x = 0, y = 0]) => `${middle.x + x},${middle.y + y}`).join(' '),
    transform: `rotate(${rotation} ${middle.x} ${middle.y})`,
  };
};

/** A drawing of a mount: its slots on black; a notch marks rotated slots. */
export const TemplateDrawing = ({ width, height, slots }: TemplateDrawingProps) => {
  const margin = Math.max(width, height) * 0.03;
  return (
    <svg
      className={classes.drawing}
      viewBox={`${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden="true"
    >
      {slots.map((slot) => (
        <g key={`${slot.xPos} ${slot.yPos} ${slot.width}`}>
          <rect className={classes.slot} x={slot.xPos} y={slot.yPos} width={slot.width} height={slot.height} />
          {slot.rotation !== 0 && <polygon className={classes.notch} {...notchOf(slot)} />}
        </g>
      ))}
    </svg>
  );
};
