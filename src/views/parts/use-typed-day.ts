import { useState } from 'react';
import { dayOf, isWhole } from './typed-day.ts';

interface Typed {
  readonly text: string;
  /** Whoever typed it is done: what is no day by now will be none. */
  readonly isLeft: boolean;
}

interface TypedDayOptions {
  readonly value: string;
  readonly onChange: (day: string) => void;
  readonly onOther: ((typed: string) => void) | undefined;
}

/**
 * What a date field shows: its value, or what is being typed. A day is handed on as soon as nothing more can be typed of it, any other when the field
 * is left or Enter is pressed; what is none stays as it was typed, until it is mended or the field is given another value.
 */
export const useTypedDay = ({ value, onChange, onOther }: TypedDayOptions) => {
  const [typed, setTyped] = useState<Typed | null>(null);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (typed?.isLeft) setTyped(null);
  }
  return {
    text: typed?.text ?? value,
    isLeft: typed?.isLeft ?? false,
    type: (text: string) => {
      setTyped({ text, isLeft: false });
      const day = dayOf(text);
      if (text.trim() === '') onChange('');
      else if (day !== null && isWhole(text)) onChange(day);
      else onOther?.(day ?? text);
    },
    leave: () => {
      if (typed === null) return;
      const day = dayOf(typed.text);
      if (day === null && typed.text.trim() !== '') return setTyped({ text: typed.text, isLeft: true });
      setTyped(null);
      if (day !== null && day !== value) onChange(day);
    },
    choose: (day: string) => {
      setTyped(null);
      onChange(day);
    },
  };
};
