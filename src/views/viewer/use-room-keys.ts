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
    // A tooltip in the open keeps Escape from all others; it asks nothing, so the key means what it always means.
    const listenEarly = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !document.querySelector('[role=tooltip]')) return;
      if (event.target instanceof Element && event.target.closest('[aria-expanded=true]')) return;
      listen(event);
    };
    document.addEventListener('keydown', listen);
    window.addEventListener('keydown', listenEarly, { capture: true });
    return () => {
      document.removeEventListener('keydown', listen);
      window.removeEventListener('keydown', listenEarly, { capture: true });
    };
  }, []);
};
