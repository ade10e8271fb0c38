import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deciduousRows, permanentRows, toothName } from '../../../contract/teeth.ts';
import { useToothNotation } from '../language/tooth-notation.ts';
import classes from './tooth-picker.module.css';

interface ToothPickerProps {
  /** ISO 3950 */
  readonly teeth: readonly number[];
  /** Inherited from the slot or file; the first change starts from them. */
  readonly isFollowing: boolean;
  readonly onChange: (teeth: readonly number[]) => void;
}

/** Tooth chart as seen facing the patient: patient's right on the left, deciduous teeth between the permanent rows. */
const rows = [permanentRows[0], ...deciduousRows, permanentRows[1]].filter((row) => row !== undefined);

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Returns the adjacent tooth; rows of different length are aligned at the midline. */
const neighbourOf = (tooth: number, [down, across]: readonly [number, number]): number => {
  const at = rows.findIndex((row) => row.includes(tooth));
  const row = rows[at] ?? [];
  const next = rows[at + down] ?? row;
  const column = row.indexOf(tooth) + across + (next.length - row.length) / 2;
  return next[Math.max(0, Math.min(next.length - 1, column))] ?? tooth;
};

/** Tooth chart operated by click, or by arrow keys and Space. */
export const ToothPicker = ({ teeth, isFollowing, onChange }: ToothPickerProps) => {
  const { t } = useTranslation('edit');
  const [notation] = useToothNotation();
  const [reached, setReached] = useState(teeth[0] ?? 11);
  const chart = useRef<HTMLFieldSetElement>(null);
  const toggle = (tooth: number) =>
    onChange(teeth.includes(tooth) ? teeth.filter((one) => one !== tooth) : [...teeth, tooth]);
  const go = (tooth: number) => {
    setReached(tooth);
    chart.current?.querySelector<HTMLElement>(`[data-tooth="${tooth}"]`)?.focus();
  };
  return (
    <fieldset ref={chart} className={classes.chart} aria-label={t('teeth')} data-following={isFollowing || undefined}>
      <p className={classes.sides} aria-hidden="true">
        <span>{t('right')}</span>
        <span>{t('left')}</span>
      </p>
      {rows.map((row) => (
        <div key={row[0]} className={classes.row} data-small={row.length < 16 || undefined}>
          {row.map((tooth) => (
            <button
              key={tooth}
              type="button"
              data-tooth={tooth}
              className={classes.tooth}
              aria-label={t('tooth', { name: toothName(tooth, notation) })}
              aria-pressed={teeth.includes(tooth)}
              tabIndex={tooth === reached ? 0 : -1}
              onFocus={() => setReached(tooth)}
              onClick={() => toggle(tooth)}
              onKeyDown={(event) => {
                const step = steps[event.key];
                if (!step) return;
                event.preventDefault();
                go(neighbourOf(tooth, step));
              }}
            >
              {toothName(tooth, notation)}
            </button>
          ))}
        </div>
      ))}
    </fieldset>
  );
};
