import { useState } from 'react';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** A string stored in this browser, initially `first`; falls back to memory where storage is unavailable. */
export const useStoredText = (key: string, first: string): readonly [string, (value: string) => void] => {
  const [value, setValue] = useState(() => read(key) ?? first);
  const change = (next: string) => {
    setValue(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Private windows may reject storage: the value then lasts as long as the page.
    }
  };
  return [value, change];
};

/** A boolean layout setting stored in this browser. */
export const useStoredFlag = (key: string, first: boolean): readonly [boolean, (value: boolean) => void] => {
  const [text, setText] = useStoredText(key, first ? 'yes' : 'no');
  return [text === 'yes', (next) => setText(next ? 'yes' : 'no')];
};
