import { type AnyActorRef, type EventObject, fromCallback } from 'xstate';

/** Forwards events that another actor of the system emits to the parent; the emitter does not know its listeners. */
export const forwardEvents = fromCallback<EventObject, { from: string }>(({ input, sendBack, system }) => {
  const emitter: AnyActorRef | undefined = system.get(input.from);
  const subscription = emitter?.on('*', sendBack);
  return () => subscription?.unsubscribe();
});
