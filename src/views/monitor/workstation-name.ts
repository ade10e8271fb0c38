import { useSyncExternalStore } from 'react';

const storageKey = 'dentarium.workstation';
const listeners = new Set<() => void>();

const read = (): string => {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** Stores the name of this workstation in this browser. */
export const rememberWorkstation = (name: string): void => {
  try {
    localStorage.setItem(storageKey, name);
  } catch {
    // Without storage the name is asked for each time, and there is no reminder.
  }
  for (const listener of [...listeners]) listener();
};

/** Returns the name of this workstation; empty when no check was saved in this browser. */
export const useWorkstation = (): string => useSyncExternalStore(subscribe, read);
