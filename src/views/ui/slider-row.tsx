import { ActionIcon } from '@mantine/core';
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef } from 'react';
import classes from './slider-row.module.css';

interface SliderRowProps {
  readonly label: string;
  /** The value with its unit. */
  readonly text: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Start of the filled part; `min` when omitted. */
  readonly origin?: number;
  readonly disabled?: boolean;
  /** Called while it moves. */
  readonly onLive: (value: number) => void;
  /** Called once after a drag or a series of key presses. */
  readonly onSettle: () => void;
  /** Null when the value is unchanged. */
  readonly onReset: (() => void) | null;
  readonly resetLabel: string;
}

const percent = (value: number, min: number, max: number) =>
  ((Math.min(max, Math.max(min, value)) - min) / (max - min)) * 100;

/** A slider with label, value and reset button. Shift makes larger steps. */
export const SliderRow = (props: SliderRowProps) => {
  const { label, text, value, min, max, step, origin = min, disabled = false, onLive, onSettle, onReset } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const keyHeld = useRef(false);
  // React maps `input` to onChange; the native `change` event comes on release, but with keys on each press.
  const settled = useEffectEvent(() => {
    if (!keyHeld.current) onSettle();
  });
  useEffect(() => {
    const slider = input.current;
    slider?.addEventListener('change', settled);
    return () => slider?.removeEventListener('change', settled);
  }, []);
  const fine = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (by === undefined && !['PageUp', 'PageDown', 'Home', 'End'].includes(event.key)) return;
    keyHeld.current = true;
    if (by === undefined || !event.shiftKey) return;
    event.preventDefault();
    onLive(Math.min(max, Math.max(min, value + by * step * 10)));
  };
  const release = () => {
    if (!keyHeld.current) return;
    keyHeld.current = false;
    onSettle();
  };
  const [from, to] = [percent(origin, min, max), percent(value, min, max)].toSorted((one, other) => one - other);
  return (
    <div className={classes.row} data-disabled={disabled || undefined}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <output htmlFor={id} className={classes.value}>
        {text}
      </output>
      <ActionIcon
        className={classes.reset}
        variant="subtle"
        color="gray"
        aria-label={props.resetLabel}
        title={props.resetLabel}
        data-idle={onReset === null || undefined}
        disabled={onReset === null || disabled}
        onClick={() => onReset?.()}
      >
        <IconRestore />
      </ActionIcon>
      <input
        ref={input}
        id={id}
        className={classes.slider}
        type="range"
        min={min}
        max={max}
        step={step}
        value={Math.min(max, Math.max(min, value))}
        aria-valuetext={text}
        disabled={disabled}
        style={{ '--from': `${from}%`, '--to': `${to}%` }}
        onChange={(event) => onLive(event.currentTarget.valueAsNumber)}
        onKeyDown={fine}
        onKeyUp={release}
        onBlur={release}
        onDoubleClick={() => onReset?.()}
      />
    </div>
  );
};
