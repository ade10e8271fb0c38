import { useState } from 'react';
import { dayOf, isWhole } from './typed-day.ts';

interface Typed {
  readonly text: string;
  /** The user left the field: incomplete text counts as an error. */
  readonly isLeft: boolean;
}

interface TypedDayOptions {
  readonly value: string;
  readonly onChange: (day: string) => void;
  /** Invalid and incomplete text is reported too. */
  readonly inForm: boolean;
}

/**
 * Text of a date field. A complete date is reported at once, any other when the field is left or Enter is pressed;
 * invalid text stays until it is corrected or the field gets another value.
 */
export const useTypedDay = ({ value, onChange, inForm }: TypedDayOptions) => {
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
      else if (inForm) onChange(day ?? text);
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
