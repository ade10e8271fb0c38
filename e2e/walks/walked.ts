import { coverFolder, writeWalked } from '../../tests/cover/folder.ts';
import { pairOf } from '../../tests/cover/record.ts';
import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { firstState, type WalkStep } from '../../tests/models/walks.ts';

/** Leaves what was walked of a journey, when a report is wanted. */
export const tellWalked = (file: string, journey: JourneyName, steps: readonly WalkStep[]): void => {
  const folder = coverFolder();
  if (!folder) return;
  const { id } = journeys[journey];
  const places = [firstState(journeys[journey]), ...steps.map(({ state }) => state)];
  const transitions = steps.map(({ event }, index) => `${id}.${places[index]} | ${event} | 0`);
  const pairs = transitions.slice(1).map((name, index) => pairOf(transitions[index] ?? '', name));
  const states = [id, ...places.map((place) => `${id}.${place}`)];
  writeWalked(folder, { file, kind: 'journeys', machines: { [id]: { states, transitions, pairs } } });
};
