import type { ImportsActor } from '../../machines/imports/imports.machine.ts';

const offered = new WeakMap<ImportsActor, Set<string>>();

/** True the first time that an import of the archive is offered to a tray: what a person took out does not come back. */
export const firstOffer = (tray: ImportsActor, taskId: string): boolean => {
  const known = offered.get(tray) ?? new Set();
  offered.set(tray, known);
  if (known.has(taskId)) return false;
  known.add(taskId);
  return true;
};
