import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toothName } from '../../../contract/teeth.ts';
import { useToothNotation } from '../language/tooth-notation.ts';
import classes from './tooth-grid.module.css';

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

type Rows = readonly (readonly number[])[];

/** Returns the adjacent tooth; rows of different length are aligned at the midline. */
const neighbourOf = (rows: Rows, tooth: number, [down, across]: readonly [number, number]): number => {
  const at = rows.findIndex((row) => row.includes(tooth));
  const row = rows[at] ?? [];
  const next = rows[at + down] ?? row;
  const column = row.indexOf(tooth) + across + (next.length - row.length) / 2;
  return next[Math.max(0, Math.min(next.length - 1, column))] ?? tooth;
};

interface ToothGridProps {
  readonly label: string;
  /** Rows as seen facing the patient (ISO 3950): patient's right on the left. */
  readonly rows: Rows;
  /** The tooth that Tab reaches first. */
  readonly first: number;
  /** Accessible name of a tooth that is written `name`. */
  readonly nameOf: (tooth: number, name: string) => string;
  readonly isPressed: (tooth: number) => boolean;
  readonly isDimmed?: (tooth: number) => boolean;
  readonly isFollowing?: boolean;
  readonly onPress: (tooth: number) => void;
}

/** Teeth as buttons, operated by click, or by arrow keys and Space. */
export const ToothGrid = (props: ToothGridProps) => {
  const { label, rows, first, nameOf, isPressed, isDimmed, isFollowing = false, onPress } = props;
  const { t } = useTranslation('edit');
  const [notation] = useToothNotation();
  const [reached, setReached] = useState(first);
  const chart = useRef<HTMLFieldSetElement>(null);
  const go = (tooth: number) => {
    setReached(tooth);
    chart.current?.querySelector<HTMLElement>(`[data-tooth="${tooth}"]`)?.focus();
  };
  return (
    <fieldset ref={chart} className={classes.chart} aria-label={label} data-following={isFollowing || undefined}>
      <p className={classes.sides} aria-hidden="true">
        <span>{t('right')}</span>
        <span>{t('left')}</span>
      </p>
      {rows.map((row) => (
        <div key={row[0]} className={classes.row} data-small={row.length < 16 || undefined}>
          {row.map((tooth) => {
            const name = nameOf(tooth, toothName(tooth, notation));
            return (
              <button
                key={tooth}
                type="button"
                data-tooth={tooth}
                data-dimmed={isDimmed?.(tooth) || undefined}
                className={classes.tooth}
                aria-label={name}
                title={isDimmed && name}
                aria-pressed={isPressed(tooth)}
                tabIndex={tooth === reached ? 0 : -1}
                onFocus={() => setReached(tooth)}
                onClick={() => onPress(tooth)}
                onKeyDown={(event) => {
                  const step = steps[event.key];
                  if (!step) return;
                  event.preventDefault();
                  go(neighbourOf(rows, tooth, step));
                }}
              >
                {toothName(tooth, notation)}
              </button>
            );
          })}
        </div>
      ))}
    </fieldset>
  );
};
