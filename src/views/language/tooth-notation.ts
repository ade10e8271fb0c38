import { useCallback, useSyncExternalStore } from 'react';
import { type ToothNotation, toothName, toothNotations } from '../../../contract/teeth.ts';

const storageKey = 'dentarium.teeth';
const listeners = new Set<() => void>();

const read = (): ToothNotation => {
  try {
    const stored = localStorage.getItem(storageKey);
    return toothNotations.find((notation) => notation === stored) ?? 'fdi';
  } catch {
    return 'fdi';
  }
};

/** Fallback in memory where storage is unavailable. */
let chosenHere: ToothNotation | null = null;
const current = () => chosenHere ?? read();

const subscribe = (listener: () => void) => {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== storageKey && event.key !== null) return;
    chosenHere = null;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
};

const choose = (notation: ToothNotation) => {
  chosenHere = null;
  try {
    localStorage.setItem(storageKey, notation);
  } catch {
    chosenHere = notation;
  }
  for (const listener of [...listeners]) listener();
};

/** Returns the tooth notation (FDI by default) and its setter; all users of the hook update at once. */
export const useToothNotation = (): readonly [ToothNotation, (notation: ToothNotation) => void] => [
  useSyncExternalStore(subscribe, current, () => 'fdi' as const),
  choose,
];

/** Formats teeth (ISO 3950) in the chosen notation, in the given order, separated by spaces; empty for none. */
export const useToothText = (): ((teeth: readonly number[]) => string) => {
  const [notation] = useToothNotation();
  return useCallback((teeth) => teeth.map((iso) => toothName(iso, notation)).join(' '), [notation]);
};
