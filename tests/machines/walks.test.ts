import { expect, it } from 'vitest';
import { type AnyMachineSnapshot, type AnyStateMachine, getInitialSnapshot, getNextSnapshot } from 'xstate';
import { type JourneyName, journeys } from '../models/index.ts';
import { commandOf, firstState, randomWalk, type WalkStep, wholeWalk } from '../models/walks.ts';
import { transitionsOf } from '../paths.ts';

const names = Object.keys(journeys) as readonly JourneyName[];
const all = names.map((name) => [name, journeys[name]] as const);

/** Returns the position after the steps; fails when the machine rejects one. */
const walked = (journey: AnyStateMachine, steps: readonly WalkStep[]): AnyMachineSnapshot => {
  let snapshot: AnyMachineSnapshot = getInitialSnapshot(journey);
  for (const { event, state } of steps) {
    expect(snapshot.can({ type: event }), `${String(snapshot.value)}: ${event}`).toBe(true);
    snapshot = getNextSnapshot(journey, snapshot, { type: event });
    expect(snapshot.value).toBe(state);
  }
  return snapshot;
};

it.each(all)('%s is small enough for the browser', (_, journey) => {
  expect(Object.keys(journey.states).length).toBeLessThan(8);
});

it.each(all)('the full walk of %s takes every step, and ends where it may begin again', (_, journey) => {
  const steps = wholeWalk(journey);
  expect(walked(journey, steps).hasTag('home')).toBe(true);
  const places = [firstState(journey), ...steps.map(({ state }) => state)];
  const taken = steps.map(({ event }, index) => `${journey.id}.${places[index]} | ${event} | 0`);
  expect([...new Set(taken)].sort()).toEqual([...transitionsOf(journey)].sort());
});

it.each(all)('a random walk of %s is decided by its seed, and returns to the start', (_, journey) => {
  const walks = Array.from({ length: 40 }, (_, seed) => randomWalk(journey, seed, 6));
  for (const [seed, steps] of walks.entries()) {
    expect(walked(journey, steps).hasTag('home')).toBe(true);
    expect(steps.length).toBeGreaterThanOrEqual(6);
    expect(randomWalk(journey, seed, 6)).toEqual(steps);
  }
  expect(new Set(walks.map((steps) => JSON.stringify(steps))).size).toBeGreaterThan(10);
});

it('prints the command that repeats the walk', () => {
  expect(commandOf('visit', 123, 12)).toBe('npm run walk -- --journey visit --seed 123 --steps 12');
});
