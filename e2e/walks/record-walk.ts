import { type JourneyName, journeys } from '../../tests/models/index.ts';
import { firstState, type WalkStep } from '../../tests/models/walks.ts';
import { coverFolder, writeWalked } from '../../tools/coverage/folder.ts';
import { pairOf } from '../../tools/coverage/record.ts';

/** Records the walked transitions for the coverage report, if one is requested. */
export const recordWalk = (file: string, journey: JourneyName, steps: readonly WalkStep[]): void => {
  const folder = coverFolder();
  if (!folder) return;
  const { id } = journeys[journey];
  const stateNames = [firstState(journeys[journey]), ...steps.map(({ state }) => state)];
  const transitions = steps.map(({ event }, index) => `${id}.${stateNames[index]} | ${event} | 0`);
  const pairs = transitions.slice(1).map((name, index) => pairOf(transitions[index] ?? '', name));
  const states = [id, ...stateNames.map((state) => `${id}.${state}`)];
  writeWalked(folder, { file, kind: 'journeys', machines: { [id]: { states, transitions, pairs } } });
};
