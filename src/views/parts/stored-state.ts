import { useState } from 'react';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** A yes or no about the layout that this browser remembers; forgotten quietly where storing is not allowed. */
export const useStoredFlag = (key: string, first: boolean): readonly [boolean, (value: boolean) => void] => {
  const [value, setValue] = useState(() => {
    const stored = read(key);
    return stored === null ? first : stored === 'yes';
  });
  const change = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(key, next ? 'yes' : 'no');
    } catch {
      // Private windows may refuse: the choice then lasts as long as the page.
    }
  };
  return [value, change];
};
