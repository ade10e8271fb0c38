import { type AnyActorScope, type AnyEventObject, type AnyMachineSnapshot, createActor } from 'xstate';
import { isForbidden, type Model, nameOf, serialized, withoutNames } from '../../paths.ts';

/** One step of a path: what happened, where that led, and which transitions were taken, microstep by microstep. */
export interface Step {
  readonly event: AnyEventObject;
  readonly state: AnyMachineSnapshot;
  readonly taken: readonly (readonly string[])[];
}

export interface Stepper {
  readonly begin: () => Step;
  readonly next: (state: AnyMachineSnapshot, event: AnyEventObject) => Step;
}

/** Computes steps of a model's machine without running it: no port works, no clock goes. */
export const stepperOf = (model: Model): Stepper => {
  const machine = withoutNames(model.machine);
  const self = createActor(machine, { input: model.input });
  let taken: (readonly string[])[] = [];
  self.system.inspect((inspected) => {
    if (inspected.type !== '@xstate.microstep' || inspected.actorRef !== self) return;
    const names = inspected._transitions.filter((transition) => !isForbidden(transition)).map(nameOf);
    if (names.length > 0) taken.push(names);
  });
  const nothing = () => {};
  const scope = {
    ...{ self, system: self.system, id: self.id, sessionId: self.sessionId },
    ...{ defer: nothing, logger: nothing, stopChild: nothing, emit: nothing, actionExecutor: nothing },
  } as unknown as AnyActorScope;
  const take = (event: AnyEventObject, state: AnyMachineSnapshot): Step => {
    const step = { event, state, taken };
    taken = [];
    return step;
  };
  return {
    begin: () => take({ type: 'xstate.init' }, machine.getInitialSnapshot(scope as never, model.input)),
    next: (state, event) => take(event, state.machine.transition(state, event, scope as never)),
  };
};

/** What a path is known by: two paths are the same when the same happens in them. */
export const wayOf = (steps: readonly { readonly event: AnyEventObject }[]): readonly string[] =>
  steps.slice(1).map(({ event }) => serialized(event) ?? '');
