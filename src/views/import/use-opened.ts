import { useState } from 'react';

/**
 * Which of the imports that ask stand open: those that a person opened, and the one that asked first, so that a later one never pushes away
 * what somebody is working on. `asking`: ids in the order of the tray.
 */
export const useOpened = (asking: readonly string[]) => {
  const [order, setOrder] = useState<readonly string[]>(asking);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const waiting = order.filter((id) => asking.includes(id));
  const next = [...waiting, ...asking.filter((id) => !order.includes(id)).toReversed()];
  if (next.join(' ') !== order.join(' ')) setOrder(next);
  return {
    isOpen: (id: string): boolean => chosen[id] ?? next[0] === id,
    setOpen: (id: string, open: boolean) => setChosen((before) => ({ ...before, [id]: open })),
  };
};
