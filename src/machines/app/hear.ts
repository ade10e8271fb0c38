import { type AnyActorRef, type EventObject, fromCallback } from 'xstate';

/** Brings what another actor of the system says aloud to the parent: the speaker need not know who listens. */
export const hear = fromCallback<EventObject, { from: string }>(({ input, sendBack, system }) => {
  const speaker: AnyActorRef | undefined = system.get(input.from);
  const subscription = speaker?.on('*', sendBack);
  return () => subscription?.unsubscribe();
});
