import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { PresentationState } from '../../../../contract/presentation-states.ts';
import { isForFrame, type LoadedImage, lacksGreyValues } from '../../../viewer/index.ts';
import { formatPersonName } from '../../ui/person-name.ts';
import classes from './states.module.css';
import type { ChosenStates } from './use-chosen-states.ts';
import type { ImageStates } from './use-image-states.ts';

/** Returns the name of a state: its description, else its label. */
const useStateName = (): ((state: PresentationState) => string) => {
  const { t } = useTranslation('viewer');
  return ({ description, label }) => description ?? label ?? t('stateUnnamed');
};

/** Returns who made a state and when, and its label beside a description. */
const stateDetails = ({ description, label, creator, createdAt }: PresentationState): string =>
  [description && label, formatPersonName(creator), createdAt?.replace('T', ' ').slice(0, 16)]
    .filter(Boolean)
    .join(' · ');

/** Returns whether anything of a state lies over the image, which is hidden with the marks. */
const hasGraphics = ({ shutters, annotations }: PresentationState): boolean =>
  shutters.length > 0 || annotations.some(({ graphics, texts }) => graphics.length + texts.length > 0);

/** Returns the names of what of a state is not shown on an image. */
const useNotShown = (): ((state: PresentationState, image: LoadedImage) => readonly string[]) => {
  const { t } = useTranslation('viewer');
  return (state, image) => [
    ...(isForFrame(state, image.frame) ? [] : [t('stateNot-frame')]),
    ...(lacksGreyValues(image, state) ? [t('stateNot-grey-values')] : []),
    ...state.notShown.map((part) => t(`stateNot-${part}`)),
  ];
};

interface StateSignProps {
  readonly state: PresentationState;
  readonly image: LoadedImage;
  readonly marksHidden: boolean;
}

/** Names on the image the state that it is shown with, and when parts of it are hidden or not shown. */
export const StateSign = ({ state, image, marksHidden }: StateSignProps) => {
  const { t } = useTranslation('viewer');
  const name = useStateName()(state);
  const isPart = useNotShown()(state, image).length > 0;
  const isHidden = marksHidden && hasGraphics(state);
  return (
    <>
      <span data-notable>{t('stateOn', { name })}</span>
      {isHidden && <span data-notable>{t('stateHidden')}</span>}
      {isPart && <span data-notable>{t('statePart')}</span>}
    </>
  );
};

interface StatesSectionProps {
  readonly states: ImageStates;
  readonly chosen: ChosenStates;
  readonly image: LoadedImage;
}

/** Returns whether there is anything to choose or to report. */
export const hasStatesSection = ({ states, unreadable, isFailed }: ImageStates): boolean =>
  (states?.length ?? 0) > 0 || unreadable > 0 || isFailed;

/** The choice between the image as stored and its presentation states. */
export const StatesSection = ({ states, chosen, image }: StatesSectionProps) => {
  const { t } = useTranslation('viewer');
  const name = useId();
  const nameOf = useStateName();
  const notShownOf = useNotShown();
  const { imageUid, unreadable, isFailed } = states;
  const now = chosen.of(imageUid);
  const notShown = now ? notShownOf(now, image) : [];
  const all = states.states ?? [];
  return (
    <>
      {all.length > 0 && (
        <div className={classes.choice} role="radiogroup" aria-label={t('section-states')}>
          {[null, ...all].map((state) => (
            <label key={state?.id ?? ''} className={classes.state}>
              <input
                type="radio"
                name={name}
                checked={(now?.id ?? null) === (state?.id ?? null)}
                onChange={() => chosen.choose(state)}
              />
              <span className={classes.name}>{state ? nameOf(state) : t('stateNone')}</span>
              {state && <span className={classes.details}>{stateDetails(state)}</span>}
            </label>
          ))}
        </div>
      )}
      <div role="status">
        {notShown.length > 0 && <p className={classes.missing}>{t('stateNotShown', { parts: notShown.join(', ') })}</p>}
      </div>
      {unreadable > 0 && <p className={classes.missing}>{t('statesUnreadable', { count: unreadable })}</p>}
      {isFailed && <p className={classes.missing}>{t('statesFailed')}</p>}
    </>
  );
};
