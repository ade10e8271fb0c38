import { useEffect, useRef } from 'react';
import type { RoomCommand } from './room-commands.ts';
import { isTakenBy, roomCommandOf } from './room-keys.ts';

/** Calls the latest `act` for keys pressed anywhere on the page; a key that it has a use for is used up. */
export const useRoomKeys = (act: (command: RoomCommand) => boolean): void => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTakenBy(event.target, event.key)) return;
      // A dialog that lies over the page has the keyboard, wherever the focus went.
      if (document.querySelector('[role=dialog][aria-modal=true]')) return;
      const command = roomCommandOf(event);
      if (command && latest.current(command)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};
