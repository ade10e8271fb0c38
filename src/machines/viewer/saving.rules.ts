import type { Calibration, Display, Mark } from '../../../contract/displays.ts';
import { type Failure, hasProblemCode, isWorthRetrying } from '../../services/failure.ts';
import { type AnnotationChanges, annotationChanges } from './marks.rules.ts';
import { withRejected, withSaved } from './versioned.rules.ts';
import { stageImageOf, type Workspace, withStep, withVersionedDisplay, withVersionedMarking } from './viewer.rules.ts';

/** A change that is not yet saved in the archive. */
export type Change =
  | {
      readonly kind: 'display';
      readonly viewsetId: string | null;
      readonly imageUid: string;
      readonly display: Display | null;
      readonly version: number;
    }
  | ({
      readonly kind: 'marks';
      readonly imageUid: string;
      readonly marks: readonly Mark[];
      readonly calibration: Calibration | null;
      readonly version: number;
    } & AnnotationChanges);

/** Result of saving a change: the new version, or why it failed. */
export type Outcome =
  | { readonly change: Change; readonly version: number }
  | { readonly change: Change; readonly failure: Failure };

/** Returns all unsaved changes with the versions on which they are based. */
export const unsavedOf = ({ imageStates, markings }: Workspace): readonly Change[] => [
  ...Object.values(imageStates).flatMap(({ imageUid, viewsetId, display: { value, basedOn } }): readonly Change[] =>
    basedOn === null ? [] : [{ kind: 'display', viewsetId, imageUid, display: value, version: basedOn }],
  ),
  ...Object.entries(markings).flatMap(([imageUid, { value, confirmed, basedOn }]): readonly Change[] =>
    basedOn === null
      ? []
      : [
          {
            kind: 'marks',
            imageUid,
            ...value,
            ...annotationChanges(confirmed.value.marks, value.marks),
            version: basedOn,
          },
        ],
  ),
];

/** Returns whether the failure is temporary: the change is sent again, after the next sign-in if necessary. */
const isDelay = (failure: Failure): boolean =>
  isWorthRetrying(failure) || hasProblemCode(failure, 'too-many-requests') || hasProblemCode(failure, 'not-signed-in');

export const isDelayed = (outcome: Outcome): boolean => 'failure' in outcome && isDelay(outcome.failure);

/** Returns whether the archive rejected the change permanently. */
export const isRejected = (outcome: Outcome): outcome is Extract<Outcome, { failure: Failure }> =>
  'failure' in outcome && !isDelay(outcome.failure);

const withOutcome = (workspace: Workspace, outcome: Outcome): Workspace => {
  const { change } = outcome;
  if (isDelayed(outcome)) return workspace;
  const isOvertaken = 'failure' in outcome && hasProblemCode(outcome.failure, 'conflict');
  if (change.kind === 'display')
    return withVersionedDisplay(workspace, change, (versioned) =>
      'version' in outcome
        ? withSaved(versioned, change.display, outcome.version)
        : withRejected(versioned, isOvertaken),
    );
  const { marks, calibration } = change;
  return withVersionedMarking(workspace, change.imageUid, (versioned) =>
    'version' in outcome
      ? withSaved(versioned, { marks, calibration }, outcome.version)
      : withRejected(versioned, isOvertaken),
  );
};

export const withOutcomes = (workspace: Workspace, outcomes: readonly Outcome[]): Workspace =>
  outcomes.reduce(withOutcome, workspace);

/** Returns whether the image of a change is on the stage, in the same viewset. */
export const isOnStage = (workspace: Workspace, change: Change): boolean => {
  const stageImage = stageImageOf(workspace, change.imageUid);
  return stageImage !== null && (change.kind === 'marks' || stageImage.viewsetId === change.viewsetId);
};

const withRestored = (workspace: Workspace, change: Change): Workspace => {
  if (!isOnStage(workspace, change)) return workspace;
  const { imageUid } = change;
  if (change.kind === 'display') return withStep(workspace, imageUid, { display: change.display });
  return withStep(workspace, imageUid, { marks: change.marks, calibration: change.calibration });
};

/**
 * Applies changes that an earlier session could not save, as undoable steps on top of the archive's values. Images that are not on the
 * stage stay unchanged.
 */
export const withAllRestored = (workspace: Workspace, changes: readonly Change[]): Workspace =>
  changes.reduce(withRestored, workspace);
