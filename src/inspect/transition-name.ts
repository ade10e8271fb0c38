import type { AnyTransitionDefinition } from 'xstate';

/** A name for a transition, by the program's text: where it starts, what starts it, which of the candidates it is. Nothing of it comes from outside the program. */
export const nameOf = (transition: AnyTransitionDefinition): string => {
  const { source, eventType } = transition;
  const candidates = eventType === '' ? (source.always ?? []) : (source.transitions.get(eventType) ?? []);
  return `${source.id} | ${eventType === '' ? 'always' : eventType} | ${candidates.indexOf(transition)}`;
};
