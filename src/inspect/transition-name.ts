import type { AnyTransitionDefinition } from 'xstate';

/** Returns the name of a transition: source state, event and index. Contains no user data. */
export const nameOf = (transition: AnyTransitionDefinition): string => {
  const { source, eventType } = transition;
  const candidates = eventType === '' ? (source.always ?? []) : (source.transitions.get(eventType) ?? []);
  return `${source.id} | ${eventType === '' ? 'always' : eventType} | ${candidates.indexOf(transition)}`;
};
