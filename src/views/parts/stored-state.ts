import { useState } from 'react';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** A word that this browser remembers, `first` until one was chosen; forgotten quietly where storing is not allowed. */
export const useStoredText = (key: string, first: string): readonly [string, (value: string) => void] => {
  const [value, setValue] = useState(() => read(key) ?? first);
  const change = (next: string) => {
    setValue(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Private windows may refuse: the choice then lasts as long as the page.
    }
  };
  return [value, change];
};

/** A yes or no about the layout that this browser remembers. */
export const useStoredFlag = (key: string, first: boolean): readonly [boolean, (value: boolean) => void] => {
  const [text, setText] = useStoredText(key, first ? 'yes' : 'no');
  return [text === 'yes', (next) => setText(next ? 'yes' : 'no')];
};
