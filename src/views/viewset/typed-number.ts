/** Within this time a second digit belongs to the first. */
export const secondDigitMs = 700;

export interface TypedNumber {
  /** A digit was pressed. */
  readonly type: (digit: string) => void;
  /** What is typed so far is the number; false when nothing is. */
  readonly finish: () => boolean;
  /** What is typed so far is forgotten; false when nothing was. */
  readonly clear: () => boolean;
}

interface TypedNumberOptions {
  /** The largest number that means anything now. */
  readonly largest: () => number;
  /** A number is complete: by its second digit, because no second could follow, or because none came in time. */
  readonly onNumber: (value: number) => void;
  /** What is typed so far; empty when nothing waits. */
  readonly onTyping: (text: string) => void;
}

/** Makes numbers of one or two digits out of single keys. */
export const createTypedNumber = ({ largest, onNumber, onTyping }: TypedNumberOptions): TypedNumber => {
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = () => {
    clearTimeout(timer);
    if (text === '') return false;
    text = '';
    onTyping('');
    return true;
  };
  const finish = () => {
    const value = Number(text);
    const typed = clear();
    if (value > 0) onNumber(value);
    return typed;
  };
  return {
    type: (digit) => {
      clearTimeout(timer);
      text += digit;
      // 0 begins no number; 03 is 3.
      const mayGrow = text.length === 1 && (text === '0' || Number(text) * 10 <= largest());
      if (!mayGrow) return void finish();
      onTyping(text);
      timer = setTimeout(finish, secondDigitMs);
    },
    finish,
    clear,
  };
};
