import type { Calibration, Display, Mark } from '../../../contract/displays.ts';
import { type Failure, isRefusedAs, isWorthRetrying } from '../../services/failure.ts';
import { saved, takenBack } from './kept.rules.ts';
import { placeOf, type Room, withDisplayKept, withMarkingKept, withStep } from './viewer.rules.ts';

/** A change that the archive does not have yet. */
export type Change =
  | {
      readonly kind: 'display';
      readonly viewsetId: string | null;
      readonly imageUid: string;
      readonly display: Display | null;
      readonly version: number;
    }
  | {
      readonly kind: 'marks';
      readonly imageUid: string;
      readonly marks: readonly Mark[];
      readonly calibration: Calibration | null;
      readonly version: number;
    };

/** What became of a change: the version that it has now, or why it was refused. */
export type Outcome =
  | { readonly change: Change; readonly version: number }
  | { readonly change: Change; readonly failure: Failure };

/** All that the archive does not have yet, each with the version that it is based on. */
export const unsavedOf = ({ entries, markings }: Room): readonly Change[] => [
  ...Object.values(entries).flatMap(({ imageUid, viewsetId, display: { value, basedOn } }): readonly Change[] =>
    basedOn === null ? [] : [{ kind: 'display', viewsetId, imageUid, display: value, version: basedOn }],
  ),
  ...Object.entries(markings).flatMap(([imageUid, { value, basedOn }]): readonly Change[] =>
    basedOn === null ? [] : [{ kind: 'marks', imageUid, ...value, version: basedOn }],
  ),
];

/** May the same change be taken later? Then it stays, and is sent again: after the next sign-in when this one is over. */
const isDelay = (failure: Failure): boolean =>
  isWorthRetrying(failure) || isRefusedAs(failure, 'too-many-requests') || isRefusedAs(failure, 'not-signed-in');

export const isDelayed = (outcome: Outcome): boolean => 'failure' in outcome && isDelay(outcome.failure);

/** Refused for good: the archive's last word counts again. */
export const isRefused = (outcome: Outcome): outcome is Extract<Outcome, { failure: Failure }> =>
  'failure' in outcome && !isDelay(outcome.failure);

const withOutcome = (room: Room, outcome: Outcome): Room => {
  const { change } = outcome;
  if (isDelayed(outcome)) return room;
  if (change.kind === 'display')
    return withDisplayKept(room, change, (kept) =>
      'version' in outcome ? saved(kept, change.display, outcome.version) : takenBack(kept),
    );
  const { marks, calibration } = change;
  return withMarkingKept(room, change.imageUid, (kept) =>
    'version' in outcome ? saved(kept, { marks, calibration }, outcome.version) : takenBack(kept),
  );
};

export const withOutcomes = (room: Room, outcomes: readonly Outcome[]): Room => outcomes.reduce(withOutcome, room);

/** Is the image of a change on the stage, in the place to which the change belongs? */
export const isOnStage = (room: Room, change: Change): boolean => {
  const place = placeOf(room, change.imageUid);
  return place !== null && (change.kind === 'marks' || place.viewsetId === change.viewsetId);
};

const withRestored = (room: Room, change: Change): Room => {
  if (!isOnStage(room, change)) return room;
  const { imageUid } = change;
  if (change.kind === 'display') return withStep(room, imageUid, { display: change.display });
  return withStep(room, imageUid, { marks: change.marks, calibration: change.calibration });
};

/**
 * Does again what an earlier session could not save, on top of what the archive has now: a step like any other, so that undoing it shows
 * what somebody else made of the image meanwhile. Images that are not on the stage stay as they are.
 */
export const withAllRestored = (room: Room, changes: readonly Change[]): Room => changes.reduce(withRestored, room);
